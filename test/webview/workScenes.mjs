/** A conversation with all that there is: while the agent works, imported, and with what opens open. */
import { agentMessage, asked, diff, now, terminal, threadView, toolCall, turn, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

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
export const options = [
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
export const workScenes = {
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
};
