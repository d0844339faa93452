/** Tool calls, notices, and requests that wait. */
import { agentMessage, asked, diff, modeOption, now, terminal, threadView, toolCall, turn } from './views.mjs';
import { options } from './workScenes.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

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

/** @satisfies {Record<string, Scene>} */
export const toolScenes = {
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
};
