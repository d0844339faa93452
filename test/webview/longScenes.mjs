/** Names, paths and words that are longer than the panel is wide, and lists that are longer than it is high. */
import { agentMessage, asked, diff, manyOptions, terminal, threadView, toolCall, turn, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

const word = 'aVeryLongIdentifierWithoutAnyBreak'.repeat(7);
const path = `/home/somebody/work/packages/${'deeply-nested-folder-name/'.repeat(8)}tokenizer.integration.test.ts`;
const command = `cat ${path} | grep -v ${word}`;
const agent = 'An agent whose name is longer than most of them are';
/** @type {import('../../src/protocol/permissionView').PermissionOptionView[]} */
const options = [
  { optionId: '1', name: 'Allow once', kind: 'allow_once' },
  {
    optionId: '2',
    name: 'Always allow this command in this project, for every session from now on',
    kind: 'allow_always',
  },
  { optionId: '3', name: word, kind: 'reject_once' },
];

/** @type {import('../../src/protocol/changeView').ChangeView[]} */
const changes = Array.from({ length: 30 }, (_, i) => ({
  path: `/w/${i}.ts`,
  label: i % 5 === 3 ? path.slice(1) : `src/parts/file${i}.ts`,
  kind: /** @type {const} */ (['modified', 'created', 'deleted'])[i % 3] ?? 'modified',
  added: i * 7,
  removed: i * 3,
  hunks: (i % 4) + 1,
  conflicts: i === 5 ? 2 : 0,
}));

export const longScenes = {
  longWords: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', `Look at ${path} and ${word}`),
        agentMessage(
          'a',
          `See \`${path}\`, ${word} and [${path}](${path}).\n\n| ${word} | Column |\n|---|---|\n| a | ${path} |\n\n# ${word}\n\n- [ ] ${path}\n\n\`\`\`\n${path}\n\`\`\`\n\nhttps://example.com/${word}`,
        ),
        toolCall('c', { title: `Read ${path}`, locations: [{ path, label: path.slice(1), line: 21 }] }),
        toolCall('d', { title: `Edit ${path}`, toolKind: 'edit', content: [diff({ label: path.slice(1) })] }),
        toolCall('e', { title: word, toolKind: 'execute', command, content: [{ type: 'terminal', terminalId: 'T' }] }),
        {
          kind: 'notice',
          id: 'n',
          severity: 'error',
          title: `Could not write ${path}`,
          detail: word,
          actions: ['retry', 'showLog'],
        },
        toolCall('p', {
          title: word,
          toolKind: 'execute',
          status: 'waiting',
          durationMs: undefined,
          command,
          cwd: path,
          permissions: [asked('q', word, options, { command, cwd: path })],
        }),
      ],
      { title: word, agent, turn, changes, options: manyOptions() },
      [terminal('T', { command })],
    ),
  }),
  longLists: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', Array.from({ length: 80 }, (_, i) => `at line ${i} of a log`).join('\n')),
        agentMessage('a', 'Done.'),
      ],
      { changes },
    ),
    ui: { expanded: { 'dock:changes': true } },
  }),
  endedBelow: /** @type {Scene} */ ({
    view: threadView([userMessage('u', 'Hello')], {
      connection: {
        state: 'failed',
        title: `${agent} ended unexpectedly`,
        detail: path,
        stderr: word,
        actions: ['restart', 'showLog'],
      },
    }),
  }),
};
