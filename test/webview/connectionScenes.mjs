/** A panel without a conversation, a start, and its failure. */
import { agentMessage, now, threadView, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

const turn = { running: true, startedAt: now - 14_000, stopping: false, canForceStop: false };

const commands = [
  { name: 'review', description: 'Review the changes in this branch' },
  { name: 'test', description: 'Run the tests and fix what fails', hint: 'pattern' },
  { name: 'plan', description: 'Plan a change' },
];

/** @satisfies {Record<string, Scene>} */
export const connectionScenes = {
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
