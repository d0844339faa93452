/** What an agent tells beside its words, and what goes with a prompt. */
import { attachment, diff, now, picture, threadView, toolCall, turn, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

/** @satisfies {Record<string, Scene>} */
export const updateScenes = {
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
};
