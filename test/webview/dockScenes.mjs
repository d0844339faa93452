/** All that there can be above the message box. */
import { pending } from './permissionScenes.mjs';
import { agentMessage, now, terminal, threadView, toolCall, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('../../src/protocol/viewModel').PanelView} PanelView */

/** @type {PanelView['changes']} */
const changes = [
  {
    path: '/w/src/tokenizer.ts',
    label: 'src/tokenizer.ts',
    kind: 'modified',
    added: 114,
    removed: 39,
    hunks: 4,
    conflicts: 0,
  },
  { path: '/w/src/stack.ts', label: 'src/stack.ts', kind: 'created', added: 26, removed: 0, hunks: 1, conflicts: 0 },
  { path: '/w/old.ts', label: 'old.ts', kind: 'deleted', added: 0, removed: 3, hunks: 0, conflicts: 0 },
];

/** @satisfies {Partial<PanelView>} */
export const everything = {
  turn: { running: true, startedAt: now - 14_000, stopping: false, canForceStop: false, activity: 'npm test' },
  plan: /** @type {PanelView['plan']} */ ([
    { content: 'Find the recursion', priority: 'medium', status: 'completed' },
    { content: 'Replace it by a stack', priority: 'high', status: 'in_progress' },
    { content: 'Run the tests', priority: 'medium', status: 'pending' },
  ]),
  waitingElsewhere: [{ key: 'b', agent: 'Codex', title: 'Run', question: pending('b', 'npm test') }],
  notices: /** @type {PanelView['notices']} */ ([
    { id: 'n', severity: 'warning', title: 'You have used 90 % of this week’s requests' },
  ]),
  changes,
  notes: /** @type {NonNullable<PanelView['notes']>} */ ({
    title: '1 comment and 1 undone change',
    items: [
      { id: 'c', kind: 'comment', place: 'src/tokenizer.ts:41-43', text: 'Why not a table?' },
      { id: 'u', kind: 'undone', place: 'src/parser.ts:7', text: '' },
    ],
  }),
  queue: [
    { id: 'q1', text: 'also update the README' },
    { id: 'q2', text: 'then commit' },
  ],
};

const said = [
  userMessage('u', 'Make `tokenize` iterative and keep the public API.'),
  agentMessage('a', 'I replaced the recursion by a **stack**. The public API is the same.'),
];
const { queue, notes } = everything;

const ongoing = { running: true, exitCode: undefined, durationMs: undefined, canCancel: true };

/** Work that goes on without a turn: two commands, of which one has its card here, and a call of the agent. */
export const background = /** @satisfies {NonNullable<PanelView['background']>} */ ([
  {
    key: 'terminal:dev',
    kind: 'command',
    title: 'npm run dev -- --host 127.0.0.1 --port 5173',
    since: now - 192_000,
    entryId: 'dev',
    opens: 'dev',
    stop: { terminalId: 'dev' },
  },
  { key: 'terminal:log', kind: 'command', title: 'tail -f out/server.log', since: now - 61_000, opens: 'log' },
  { key: 'e9', kind: 'call', title: 'Watch the deployment', since: now - 8_000, stop: { entryId: 'e9' } },
]);

export const backgroundThread = [
  userMessage('u', 'Start the server, and fix what its log says.'),
  toolCall('dev', {
    title: 'npm run dev',
    toolKind: 'execute',
    startedAt: now - 192_000,
    content: [{ type: 'terminal', terminalId: 'dev' }],
  }),
  agentMessage('a', 'The server runs on port 5173. I watch its log.'),
];

export const backgroundTerminals = [terminal('dev', { ...ongoing, command: 'npm run dev' })];

export const dockScenes = {
  dockBackground: /** @type {Scene} */ ({
    view: threadView(backgroundThread, { background, changes }, backgroundTerminals),
    ui: { expanded: { 'dock:background': true } },
  }),
  dockBackgroundOne: /** @type {Scene} */ ({
    view: threadView(backgroundThread, { background: background.slice(0, 1), changes }, backgroundTerminals),
  }),
  dockUsage: /** @type {Scene} */ ({
    view: threadView(said, {
      usage: {
        context: { used: 48_000, size: 200_000 },
        windows: [
          { label: '5-hour limit', share: 0.92, resetsAt: now + 5_400_000 },
          { label: 'Weekly limit', share: 0.4, resetsAt: now + 300_000_000 },
        ],
      },
      changes,
    }),
  }),
  dockFull: /** @type {Scene} */ ({ view: threadView(said, everything) }),
  dockPaused: /** @type {Scene} */ ({
    view: threadView(said, { changes, notes, queue, queuePaused: true }),
    ui: { expanded: { 'dock:queue': false } },
  }),
  dockTwo: /** @type {Scene} */ ({
    view: threadView(said, { changes, queue, queuePaused: true, notices: everything.notices }),
  }),
};
