/** Subagents: their calls behind the line of the call that began them. */
import { asked, diff, now, threadView, toolCall, userMessage } from './views.mjs';

/** @typedef {import('../../src/protocol/entryView').EntryView} EntryView */

/** @type {import('../../src/protocol/permissionView').PermissionOptionView[]} */
const options = [
  { optionId: '1', name: 'Allow once', kind: 'allow_once' },
  { optionId: '3', name: 'Reject', kind: 'reject_once' },
];
const running = /** @type {const} */ ({ status: 'running', durationMs: undefined });
const command = 'npm test -- parser';
const question = 'Run the tests of the parser';

/** Three subagents at once: one works, one has a subagent that asks, one is done. @type {EntryView[]} */
const entries = [
  userMessage('u', 'Review the parser, the printer and the docs. Use subagents.'),
  toolCall('A', {
    title: 'Review the parser',
    toolKind: 'think',
    ...running,
    startedAt: now - 64_000,
    name: 'Task',
    input: '{ "description": "Review the parser" }',
  }),
  toolCall('B', {
    title: 'Review the printer',
    toolKind: 'think',
    ...running,
    startedAt: now - 62_000,
    isSubagent: true,
    tokens: 48_200,
    canCancel: true,
  }),
  toolCall('C', { title: 'Check the docs', toolKind: 'think', durationMs: 12_400 }),
  toolCall('A1', { parentId: 'A' }),
  toolCall('A2', { title: 'Search "stack"', toolKind: 'search', parentId: 'A' }),
  toolCall('B1', { title: 'Read printer.ts', parentId: 'B' }),
  {
    kind: 'agentMessage',
    id: 'A3',
    content: [{ type: 'text', text: 'The parser recurses once per quote. A **stack** would do.' }],
    streaming: false,
    parentId: 'A',
  },
  toolCall('C1', { title: 'Read README.md', parentId: 'C' }),
  toolCall('B2', { title: 'Try the printer', toolKind: 'think', ...running, startedAt: now - 31_000, parentId: 'B' }),
  toolCall('A4', { title: 'Edit src/tokenizer.ts', toolKind: 'edit', content: [diff()], parentId: 'A' }),
  toolCall('B3', { title: 'Read printer.test.ts', parentId: 'B2' }),
  toolCall('A5', { title: 'Read parser.test.ts', ...running, startedAt: now - 3_000, parentId: 'A' }),
  toolCall('B4', {
    title: question,
    toolKind: 'execute',
    ...running,
    status: 'waiting',
    parentId: 'B2',
    command,
    permissions: [asked('r1', question, options, { command })],
  }),
  toolCall('D', {
    title: 'Look for other callers of the tokenizer in the whole workspace',
    toolKind: 'think',
    status: 'failed',
    durationMs: 2_100,
    content: [{ type: 'content', content: { type: 'text', text: 'The subagent reached its limit of turns.' } }],
  }),
  toolCall('D1', { title: 'Search "tokenize("', toolKind: 'search', parentId: 'D' }),
  toolCall('E', { title: 'Update the changelog', toolKind: 'think', status: 'cancelled', durationMs: 800 }),
  toolCall('E1', { title: 'Read CHANGELOG.md', status: 'cancelled', parentId: 'E' }),
];
const view = threadView(entries, {
  agent: 'Claude Code',
  turn: { running: true, startedAt: now - 64_000, stopping: false, canForceStop: false },
  pendingQuestions: [
    {
      requestId: 'r1',
      entryId: 'B4',
      kind: 'permission',
      title: command,
      subagent: 'Try the printer',
      askedAt: 0,
      brief: { text: command, isCode: true, isWhole: true, allow: options[0], reject: options[1] },
    },
  ],
});

/** @type {Record<'subagents' | 'subagentsOpened', import('./scenes.mjs').Scene>} */
export const subagentScenes = {
  subagents: { view },
  subagentsOpened: { view, ui: { expanded: { A: true, B: true, B2: true, 'details:A': true, E: true } } },
};
