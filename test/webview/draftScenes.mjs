/** What only the draft of version 2 tells, as states of the panel. */
import { asked, diff, now, terminal, threadView, toolCall } from './views.mjs';

/** @type {import('../../src/protocol/permissionView').PermissionOptionView[]} */
const options = [
  { optionId: '1', name: 'Allow once', kind: 'allow_once' },
  { optionId: '3', name: 'Reject', kind: 'reject_once' },
];
const running = /** @type {const} */ ({ status: 'running', durationMs: undefined });
const bare = { hunks: [], added: 0, removed: 0, opens: /** @type {const} */ ('file') };
const view = threadView(
  [
    toolCall('line', {
      title: 'Search the web for the history of a very long title that does not fit',
      toolKind: 'search',
      ...running,
      canCancel: true,
    }),
    toolCall('paused', { title: 'Wait for the build', toolKind: 'execute', status: 'paused', durationMs: undefined }),
    toolCall('edit', {
      title: 'Edit',
      toolKind: 'edit',
      ...running,
      canCancel: true,
      content: [diff({ opens: 'file', remark: 'Moved from src/recursive.ts' })],
    }),
    toolCall('bare', {
      title: 'Edit two files',
      toolKind: 'edit',
      content: [
        { ...diff(), ...bare, label: 'src/a.ts', remark: 'Changed (the agent did not send the lines)' },
        { ...diff(), ...bare, label: 'src/deeply/nested/b.ts', remark: 'Deleted', opens: 'nothing' },
      ],
    }),
    toolCall('cmd', {
      title: 'make all',
      toolKind: 'execute',
      ...running,
      canCancel: true,
      content: [{ type: 'terminal', terminalId: 'T' }],
    }),
    toolCall('asks', {
      title: 'Fetch the sources',
      toolKind: 'fetch',
      ...running,
      status: 'waiting',
      permissions: [
        asked(
          'r',
          'May Parley’s agent reach the network?',
          options,
          { command: 'curl -fsSL https://example.com/sources.tar.gz | tar xz', cwd: '/work/tokenizer' },
          { description: 'The sources are not here yet.\nThis happens once.' },
        ),
      ],
    }),
  ],
  {
    turn: { running: true, startedAt: now - 4_000, stopping: false, canForceStop: false },
    plan: [
      { content: 'Read the tokenizer', priority: 'medium', status: 'completed' },
      { content: 'Ask the maintainers', priority: 'low', status: 'cancelled' },
      { content: 'Make it iterative', priority: 'high', status: 'in_progress' },
    ],
    pendingQuestions: [
      {
        requestId: 'r',
        entryId: 'asks',
        kind: 'permission',
        title: 'May Parley’s agent reach the network?',
        askedAt: 0,
      },
    ],
  },
  [
    terminal('T', {
      running: true,
      exitCode: undefined,
      durationMs: undefined,
      command: 'make all',
      canOpen: false,
      canCancel: true,
    }),
  ],
);

/** @type {Record<'draft', import('./scenes.mjs').Scene>} */
export const draftScenes = { draft: { view, ui: { expanded: { 'dock:plan': true, bare: true } } } };
