/** States in which the looks, the layout and the accessibility of the panel are checked. */
import { dockScenes } from './dockScenes.mjs';
import { draftScenes } from './draftScenes.mjs';
import { elicitationScenes } from './elicitationScenes.mjs';
import { galleryScenes } from './galleryScenes.mjs';
import { longScenes } from './longScenes.mjs';
import { permissionScenes } from './permissionScenes.mjs';
import { planScenes } from './planScenes.mjs';
import { setupScenes } from './setupScenes.mjs';
import { signInScenes } from './signInScenes.mjs';
import { subagentScenes } from './subagentScenes.mjs';
import {
  agentMessage,
  asked,
  attachment,
  diff,
  manyOptions,
  modeOption,
  now,
  picture,
  terminal,
  threadView,
  toolCall,
  userMessage,
} from './views.mjs';

/**
 * @typedef {{ view: import('../../src/protocol/viewModel').ThreadView, ui?:
 * Partial<import('../../src/protocol/viewModel').PanelUiState> }} Scene
 */

/** Code as an agent writes it. */
export const codeBlock = `\`\`\`ts
export function tokenize(text: string): Token[] {
  const stack: Token[] = []; // no recursion
  while (text.length > 0) stack.push(next(text, { quotes: 2 }));
  return stack;
}
\`\`\``;

const markdown = `I read the tokenizer and its tests. The recursion only exists to handle *nested quotes*, so a small stack is **enough**:

1. keep \`tokenize\` as the public API
2. replace recursion with a loop
   - push on \`"\`
   - pop on the closing one
3. see [the docs](https://example.com/docs) and [tokenizer.ts](src/tokenizer.ts:21)

${codeBlock}

## What it brings

| Case | Before | After |
|---|---:|---:|
| nested quotes | 12 ms | 2 ms |
| empty input | 1 ms | 0 ms |

> A generated file is stale.

- [x] read
- [ ] build
`;

/** @type {import('../../src/protocol/permissionView').PermissionOptionView[]} */
const options = [
  { optionId: '1', name: 'Allow once', kind: 'allow_once' },
  { optionId: '2', name: 'Always allow npm run', kind: 'allow_always' },
  { optionId: '3', name: 'Reject', kind: 'reject_once' },
];

/** @type {import('../../src/protocol/viewModel').PlanEntryView[]} */
const plan = [
  { content: 'Read the tokenizer', priority: 'medium', status: 'completed' },
  { content: 'Make it iterative', priority: 'high', status: 'completed' },
  { content: 'Run the test suite', priority: 'medium', status: 'in_progress' },
  { content: 'Rebuild', priority: 'low', status: 'pending' },
  { content: 'Write a summary', priority: 'low', status: 'pending' },
];

/** @type {import('../../src/protocol/changeView').ChangeView[]} */
const changes = [
  {
    path: '/w/src/tokenizer.ts',
    label: 'src/tokenizer.ts',
    kind: 'modified',
    added: 14,
    removed: 9,
    hunks: 4,
    conflicts: 1,
  },
  {
    path: '/w/src/stack.ts',
    label: 'src/lib/a/rather/deep/folder/stack.ts',
    kind: 'created',
    added: 26,
    removed: 0,
    hunks: 1,
    conflicts: 0,
  },
  { path: '/w/old.ts', label: 'old.ts', kind: 'deleted', added: 0, removed: 3, hunks: 0, conflicts: 0 },
];

const turn = { running: true, startedAt: now - 14_000, stopping: false, canForceStop: false };

/** @type {import('../../src/protocol/toolCallView').ToolCallView} */
const asking = toolCall('c6', {
  title: 'Run a command',
  toolKind: 'execute',
  status: 'waiting',
  durationMs: undefined,
  command: 'rm -rf ./dist\nnpm run build',
  cwd: '~/work/tokenizer',
  permissions: [
    asked('r1', 'Run a command', options, { command: 'rm -rf ./dist\nnpm run build', cwd: '~/work/tokenizer' }),
  ],
});

const build = {
  running: true,
  exitCode: undefined,
  durationMs: undefined,
  command: 'npm run build',
  firstRow: 120,
  rows: Array.from({ length: 20 }, (_, i) => [
    { text: `[${i}] `, classes: 'dim' },
    { text: 'compiled', classes: `fg-${i % 16}` },
    { text: ` module ${i}` },
  ]),
};

const newFile = diff({
  label: 'src/deeply/nested/folder/with/a/long/name/newfile.ts',
  isNew: true,
  removed: 0,
  added: 40,
  hunks: [{ oldStart: 0, newStart: 1, lines: Array.from({ length: 40 }, (_, i) => `+export const line${i} = ${i};`) }],
});

const commands = [
  { name: 'review', description: 'Review the changes in this branch' },
  { name: 'test', description: 'Run the tests and fix what fails', hint: 'pattern' },
  { name: 'plan', description: 'Plan a change' },
];

/** @type {import('../../src/protocol/entryView').EntryView[]} */
const work = [
  {
    kind: 'userMessage',
    id: 'u1',
    dropped: false,
    content: [
      { type: 'resourceLink', uri: 'file:///work/src/tokenizer.ts', label: 'tokenizer.ts' },
      { type: 'text', text: 'Make `tokenize` iterative and keep the public API.' },
    ],
  },
  {
    kind: 'thought',
    id: 't1',
    content: [{ type: 'text', text: 'The recursion is only needed for nested quotes. A **stack** does the same.' }],
    streaming: false,
    durationMs: 4100,
  },
  agentMessage(
    'a1',
    'I read the tokenizer and its tests. The recursion only exists to handle nested quotes, so a small stack is enough:',
  ),
  toolCall('c1', { locations: [{ path: '/work/src/tokenizer.ts', label: 'src/tokenizer.ts', line: 21 }] }),
  toolCall('c2', { title: 'Read tokenizer.test.ts', startedAt: 1300 }),
  toolCall('c3', {
    title: 'Search "recursion"',
    toolKind: 'search',
    startedAt: 1600,
    input: '{ "pattern": "recursion" }',
    output: 'src/tokenizer.ts:21',
  }),
  toolCall('c4', {
    title: 'Edit src/tokenizer.ts',
    toolKind: 'edit',
    content: [diff()],
    input: '{\n  "path": "src/tokenizer.ts"\n}',
  }),
  toolCall('c5', {
    title: 'npm test -- tokenizer',
    toolKind: 'execute',
    command: 'npm test -- tokenizer',
    content: [{ type: 'terminal', terminalId: 'T1' }],
  }),
  agentMessage('a2', 'All 12 tests pass. One generated file is now stale; may I remove it?'),
  asking,
];

/** @satisfies {Record<string, Scene>} */
export const scenes = {
  working: /** @type {Scene} */ ({
    view: threadView(
      work,
      {
        title: 'Make the tokenizer iterative',
        turn,
        plan,
        changes,
        pendingQuestions: [{ requestId: 'r1', entryId: 'c6', kind: 'permission', title: 'Run a command', askedAt: 0 }],
      },
      [terminal('T1')],
    ),
  }),
  imported: /** @type {Scene} */ ({
    view: threadView(
      work.slice(0, -1),
      { title: 'Make the tokenizer iterative', agent: 'Claude Code', imported: { exportedAt: now - 86_400_000 }, plan },
      [terminal('T1')],
    ),
  }),
  opened: /** @type {Scene} */ ({
    view: threadView(work, { turn, plan, changes }, [terminal('T1')]),
    ui: {
      expanded: { t1: true, 'fold:c1': true, c1: true, c3: true, 'dock:plan': true, 'dock:changes': true },
      draft: 'Now the same for @parser.ts please, and keep\nthe tests green',
      mentions: [{ token: '@parser.ts', path: '/work/src/parser.ts', label: 'src/parser.ts' }],
    },
  }),
  markdown: /** @type {Scene} */ ({ view: threadView([userMessage('u', 'Show me'), agentMessage('a', markdown)]) }),
  tools: /** @type {Scene} */ ({
    view: threadView(
      [
        toolCall('b0', {
          title: 'Fetch https://example.com/very/long/path/that/does/not/fit/in/the/line.html',
          toolKind: 'fetch',
        }),
        agentMessage('m0', 'Next:'),
        toolCall('b1', {
          title: 'Search for usages of tokenize',
          toolKind: 'search',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 3000,
        }),
        toolCall('b2', {
          title: 'Read missing.ts',
          status: 'failed',
          content: [
            {
              type: 'content',
              content: { type: 'text', text: 'ENOENT: no such file or directory, open `missing.ts`' },
            },
          ],
        }),
        toolCall('b3', {
          title: 'Delete dist',
          toolKind: 'delete',
          status: 'rejected',
          decision: 'Reject',
          durationMs: undefined,
        }),
        toolCall('b4', { title: 'Write notes.md', toolKind: 'edit', status: 'cancelled', durationMs: undefined }),
        toolCall('b5', {
          title: 'Build',
          toolKind: 'execute',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 8000,
          content: [{ type: 'terminal', terminalId: 'T2' }],
        }),
        toolCall('b6', {
          title: 'Lint',
          toolKind: 'execute',
          status: 'failed',
          content: [{ type: 'terminal', terminalId: 'T3' }],
        }),
        toolCall('b7', { title: 'Edit two files', toolKind: 'edit', content: [diff(), newFile] }),
      ],
      { turn },
      [
        terminal('T2', build),
        terminal('T3', {
          exitCode: 2,
          command: 'npm run lint',
          canOpen: false,
          remark: 'No pseudo-terminal: colours and input may be missing.',
        }),
      ],
    ),
  }),
  waitsForInput: /** @type {Scene} */ ({
    view: threadView(
      [
        toolCall('w1', {
          title: 'Publish',
          toolKind: 'execute',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 8000,
          content: [{ type: 'terminal', terminalId: 'W1' }],
        }),
        toolCall('w2', {
          title: 'Push',
          toolKind: 'execute',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 8000,
          content: [{ type: 'terminal', terminalId: 'W2' }],
        }),
      ],
      { turn },
      [
        terminal('W1', {
          command: 'npm publish',
          running: true,
          exitCode: undefined,
          durationMs: undefined,
          waitsForInput: true,
          rows: [
            [{ text: 'npm notice', classes: 'fg-6' }, { text: ' Publishing to the registry' }],
            [{ text: 'This operation requires a one-time password.' }],
            [{ text: 'Enter OTP:' }],
          ],
        }),
        terminal('W2', {
          command: 'git push',
          running: true,
          exitCode: undefined,
          durationMs: undefined,
          waitsForInput: true,
          rows: [[{ text: "Username for 'https://example.org':" }]],
        }),
      ],
    ),
    ui: { expanded: { w2: false } },
  }),
  notices: /** @type {Scene} */ ({
    view: threadView(
      [
        { kind: 'userMessage', id: 'u', content: [{ type: 'text', text: 'Do something odd' }], dropped: true },
        { kind: 'notice', id: 'n1', severity: 'info', title: 'Stopped', actions: [] },
        {
          kind: 'notice',
          id: 'n2',
          severity: 'warning',
          title: 'The agent refused to continue.',
          detail: 'This prompt is not part of its context.',
          actions: ['retry'],
        },
        {
          kind: 'notice',
          id: 'n3',
          severity: 'error',
          title: 'Demo Agent ended unexpectedly (exit code 1).',
          detail: 'Error: cannot find module "x"\n    at load (loader.js:12)\n    at main (index.js:3)',
          actions: ['restart', 'showLog'],
        },
        { kind: 'thought', id: 't', content: [], streaming: true },
      ],
      {
        turn: { ...turn, stopping: true, canForceStop: true },
        options: [modeOption({ value: 'bypass', valueName: 'Bypass permissions', permissive: true })],
      },
    ),
  }),
  questions: /** @type {Scene} */ ({
    view: threadView(
      [
        toolCall('p1', {
          title: 'Edit src/tokenizer.ts',
          toolKind: 'edit',
          status: 'waiting',
          durationMs: undefined,
          content: [diff()],
          permissions: [asked('q1', 'Edit src/tokenizer.ts', options, { content: [diff()] })],
        }),
        toolCall('p2', {
          title: 'Fetch a page',
          toolKind: 'fetch',
          status: 'waiting',
          durationMs: undefined,
          input: '{\n  "url": "https://example.com/a"\n}',
          permissions: [
            asked('q2', 'Fetch a page from the web, which is a rather long title for a question', options, {
              input: '{\n  "url": "https://example.com/a"\n}',
            }),
          ],
        }),
      ],
      { turn },
    ),
  }),
  updates: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', 'Go through the parser'),
        {
          kind: 'compaction',
          id: 'k1',
          status: 'completed',
          content: [
            { type: 'text', text: 'You asked for an **iterative** tokenizer. It is done, and all tests pass.' },
          ],
          startedAt: 0,
        },
        toolCall('s1', {
          title: 'Delegate: read the parser',
          toolKind: 'think',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 4000,
        }),
        {
          kind: 'agentMessage',
          id: 's2',
          content: [{ type: 'text', text: 'I look at the parser first.' }],
          streaming: false,
          parentId: 's1',
        },
        toolCall('s3', { parentId: 's1' }),
        toolCall('s4', { title: 'Search "stack"', toolKind: 'search', parentId: 's1' }),
        toolCall('s5', { title: 'Edit src/tokenizer.ts', toolKind: 'edit', content: [diff()], parentId: 's1' }),
        { kind: 'compaction', id: 'k2', status: 'running', content: [], startedAt: now - 12_000 },
        {
          kind: 'compaction',
          id: 'k3',
          status: 'failed',
          content: [],
          error: 'The model returned no summary.',
          startedAt: 0,
        },
        {
          kind: 'notice',
          id: 'n1',
          severity: 'error',
          title: 'The rate limit is reached',
          detail: 'Quota exceeded. Try again in 45 seconds.',
          actions: ['retry', 'showLog'],
          retryAt: now + 45_000,
        },
      ],
      {
        title: 'Parser: from recursion to a stack',
        turn,
        usage: {
          context: { used: 170_400, size: 200_000 },
          cost: { amount: 0.4213, currency: 'USD' },
          turn: { total: 2474, input: 2468, output: 6 },
        },
        notices: [
          { id: 'a', severity: 'info', title: 'A new version is there' },
          {
            id: 'b',
            severity: 'warning',
            title: 'You have used 90 % of this week’s requests',
            description: 'What is left is enough for about 20 prompts. It begins anew on Monday.',
          },
        ],
      },
    ),
  }),
  updatesOpened: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', 'Go on'),
        toolCall('A', {
          title: 'Read the parser',
          toolKind: 'think',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 9000,
        }),
        toolCall('B', {
          title: 'Read the printer',
          toolKind: 'think',
          status: 'running',
          durationMs: undefined,
          startedAt: now - 8000,
        }),
        toolCall('A1', { parentId: 'A' }),
        toolCall('B1', { title: 'Read printer.ts', parentId: 'B' }),
        toolCall('B2', { title: 'Search "print"', toolKind: 'search', parentId: 'B' }),
        {
          kind: 'agentMessage',
          id: 'A2',
          content: [{ type: 'text', text: 'The parser has no recursion.' }],
          streaming: false,
          parentId: 'A',
        },
        {
          kind: 'compaction',
          id: 'k1',
          status: 'completed',
          content: [
            { type: 'text', text: 'You asked for an **iterative** tokenizer. It is done, and all tests pass.' },
          ],
          startedAt: 0,
        },
        { kind: 'compaction', id: 'k2', status: 'cancelled', content: [], startedAt: 0 },
      ],
      {
        turn: { ...turn, silentSince: now - 40_000 },
        usage: { context: { used: 1234, size: 0 } },
        notices: [{ id: 'c', severity: 'error', title: 'The server “files” did not start' }],
      },
    ),
    ui: { expanded: { k1: true } },
  }),
  attachments: /** @type {Scene} */ ({
    view: threadView(
      [
        {
          kind: 'userMessage',
          id: 'u1',
          dropped: false,
          content: [
            { type: 'image', ...picture, uri: 'file:///store/x/Pasted%20image.png' },
            { type: 'resourceLink', uri: 'file:///work/src/tokenizer.ts#L10-L24', label: 'tokenizer.ts:10-24' },
            { type: 'resourceLink', uri: 'file:///store/y/changes.diff', label: 'Changes', size: 12_000 },
            { type: 'text', text: 'The button in the picture overlaps. Which of my changes did it?' },
          ],
        },
        {
          kind: 'notice',
          id: 'n1',
          severity: 'warning',
          title: 'Not sent: Pasted image',
          detail:
            'Demo Agent does not support images. Save the image as a file and add the file: it is sent as a link.',
          actions: [],
        },
      ],
      {
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        attachments: [
          attachment('a1', {
            kind: 'image',
            label: 'Pasted image',
            detail: 'Pasted image, 96 × 64',
            linkable: false,
            preview: picture,
          }),
          attachment('a2', {
            kind: 'image',
            label: 'screenshot of the whole window.png',
            detail: 'docs/screenshot of the whole window.png, 96 × 64',
            preview: picture,
          }),
          attachment('a3', {
            kind: 'selection',
            label: 'tokenizer.ts:10-24',
            detail: 'src/tokenizer.ts:10-24, with unsaved changes',
          }),
          attachment('a4', { kind: 'problems', label: 'Problems in tokenizer.ts', linkable: false }),
          attachment('a5', { kind: 'terminal', label: 'npm test -- tokenizer', linkable: false }),
          attachment('a6', { kind: 'changes', label: 'Changes', linkable: false }),
          attachment('a7', { kind: 'folder', label: 'src/' }),
        ],
      },
    ),
    ui: {
      draft: 'And now the same for @parser.ts',
      mentions: [{ token: '@parser.ts', path: '/work/src/parser.ts', label: 'src/parser.ts' }],
    },
  }),
  ...dockScenes,
  ...draftScenes,
  ...planScenes,
  ...subagentScenes,
  ...elicitationScenes,
  ...longScenes,
  ...permissionScenes,
  ...setupScenes,
  ...galleryScenes,
  ...signInScenes,
  options: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Hi.')], {
      agent: 'Claude Code',
      turn,
      usage: { context: { used: 64_000, size: 200_000 } },
      options: manyOptions(),
      optionProblem: 'Reasoning effort was not changed to Medium: Invalid params: effort not found: medium',
    }),
  }),
  queue: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Working.')], {
      turn: { ...turn, activity: 'npm run test -- --watch=false --reporter=verbose', canSteer: true },
      follows: true,
      queue: [
        { id: 'q1', text: 'also update the README\nand the rest' },
        { id: 'q2', text: 'then commit '.repeat(20) },
      ],
    }),
  }),
  queuePaused: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Working.')], {
      queue: [
        { id: 'q1', text: 'also update the README\nand the rest' },
        { id: 'q2', text: 'then commit '.repeat(20) },
      ],
      queuePaused: true,
    }),
  }),
  sessions: /** @type {Scene} */ ({
    view: threadView([], {
      sessions: {
        archived: 1,
        loading: true,
        hasMore: true,
        problem: 'Codex could not list its sessions: no',
        items: ['running', 'waiting', 'failed', 'unread', 'open', 'stored', 'atAgent', 'stored'].map((state, i) => ({
          key: `${state} ${i}`,
          title: `${i} `.concat('Make the tokenizer iterative '.repeat(i + 1)),
          agent: ['Claude Code', 'Codex', 'Gemini CLI'][i % 3] ?? '',
          folder: 'tokenizer',
          updatedAt: now - i * i * 7_400_000,
          state: /** @type {any} */ (state),
          isCurrent: i === 0,
          isPinned: i === 2,
          isArchived: i === 7,
          acts: ['rename', 'pin', 'archive', 'delete'],
        })),
        deleted: { count: 1, title: 'Fix the parser' },
      },
    }),
  }),
  empty: /** @type {Scene} */ ({ view: threadView() }),
  emptyCommands: /** @type {Scene} */ ({ view: threadView([], { commands }) }),
  noAgents: /** @type {Scene} */ ({ view: threadView([], { agent: '', connection: { state: 'noAgents' } }) }),
  choose: /** @type {Scene} */ ({ view: threadView([], { agent: '', connection: { state: 'idle' } }) }),
  noFolder: /** @type {Scene} */ ({ view: threadView([], { connection: { state: 'noFolder' } }) }),
  restricted: /** @type {Scene} */ ({ view: threadView([], { connection: { state: 'restricted' } }) }),
  conversationQuestion: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', 'Make the tokenizer iterative'),
        agentMessage('a', 'Done.'),
        userMessage('u2', 'And the parser?'),
        {
          kind: 'notice',
          id: 'n',
          severity: 'info',
          title: 'Include the earlier conversation?',
          detail: 'This is a new Claude Code session.',
          actions: ['includeConversation', 'omitConversation'],
        },
      ],
      {
        agent: 'Claude Code',
        turn,
        ownQuestion: 'Include the earlier conversation?',
        pendingQuestions: [
          { requestId: 'o1', entryId: 'n', kind: 'own', title: 'Include the earlier conversation?', askedAt: 0 },
        ],
        queue: [{ id: 'q1', text: 'then update the README' }],
      },
    ),
  }),
  slowStart: /** @type {Scene} */ ({
    view: threadView([], {
      agent: 'Claude Code',
      connection: {
        state: 'starting',
        detail: 'Starting Claude Code',
        since: now - 74_000,
        isSlow: true,
        output:
          'npm warn deprecated node-domexception@1.0.0\nOpen https://example.com/device and enter the code ABCD-EFGH',
      },
    }),
  }),
  starting: /** @type {Scene} */ ({
    view: threadView([], {
      agent: 'Claude Code',
      connection: { state: 'starting', detail: 'Starting npx with the package of the agent …', since: now - 7000 },
    }),
  }),
  failed: /** @type {Scene} */ ({
    view: threadView([], {
      agent: 'Gemini CLI',
      connection: {
        state: 'failed',
        title: 'Gemini CLI could not start',
        detail: 'The command "npx" was not found on the PATH.',
        stderr: 'npm ERR! code ENOENT\nnpm ERR! syscall spawn\nnpm ERR! path /usr/local/bin/npx',
        actions: ['restart', 'editSettings', 'showLog'],
      },
    }),
  }),
  failedBelow: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello'), agentMessage('a', 'Hi. What shall we do?')], {
      agent: 'Gemini CLI',
      connection: {
        state: 'failed',
        title: 'Gemini CLI ended unexpectedly',
        detail: 'Exit code 1.',
        stderr: 'Error: quota',
        actions: ['restart', 'showLog'],
      },
    }),
  }),
};
