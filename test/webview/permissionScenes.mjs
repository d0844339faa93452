/** Permissions, as they are asked, answered and queued. */
import { agentMessage, asked, diff, threadView, toolCall, turn } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('../../src/protocol/toolCallView').ToolCallView} ToolCallView */
/** @typedef {import('../../src/protocol/permissionView').PermissionView} PermissionView */
/** @typedef {import('../../src/protocol/questionView').PendingQuestionView} PendingQuestionView */

/** @type {import('../../src/protocol/permissionView').PermissionOptionView[]} */
export const options = [
  { optionId: 'always', name: 'Always allow npm run', kind: 'allow_always' },
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/**
 * A call that asks.
 * @param {string} id
 * @param {string} title
 * @param {Partial<ToolCallView>} [fields]
 * @param {Partial<PermissionView>} [permission]
 * @returns {ToolCallView}
 */
export function asking(id, title, fields = {}, permission = {}) {
  return toolCall(id, {
    title,
    toolKind: 'execute',
    status: 'waiting',
    durationMs: undefined,
    permissions: [asked(`r-${id}`, title, options, fields, permission)],
    ...fields,
  });
}

/**
 * Its line in the list of what waits.
 * @param {string} id
 * @param {string} text
 * @param {Partial<PendingQuestionView>} [fields]
 * @param {boolean} [isWhole]
 * @param {boolean} [isRisky]
 * @returns {PendingQuestionView}
 */
export function pending(id, text, fields = {}, isWhole = true, isRisky = false) {
  return {
    requestId: `r-${id}`,
    entryId: id,
    kind: 'permission',
    title: text,
    askedAt: 0,
    brief: {
      text,
      isCode: true,
      isWhole,
      allow: options[1],
      reject: options[2],
      ...(isRisky ? {} : { suggestsYes: true }),
    },
    ...fields,
  };
}

const said = agentMessage('m', 'The tests pass. I would clean up now and build once more.');

const chained = asking(
  'chained',
  'Clean, build and push',
  {
    command:
      'cd packages/core && rm -rf ./dist ../shared/out; sudo npm run build -- --with "a rather long argument" | tee build.log\ngit push --force origin main',
    cwd: '~/work/tokenizer',
  },
  {
    steps: [
      'cd packages/core',
      'rm -rf ./dist ../shared/out',
      'sudo npm run build -- --with "a rather long argument"',
      'npm run build -- --with "a rather long argument"',
      'tee build.log',
      'git push --force origin main',
    ],
    cwd: '~/work/tokenizer',
    risks: [
      { kind: 'privilege', text: 'Runs with more rights than yours (sudo)' },
      { kind: 'deletes', text: 'Deletes files: dist, ../shared/out' },
      { kind: 'forcePush', text: 'Overwrites what others have pushed' },
      { kind: 'outside', text: 'Touches ../shared/out, outside the workspace' },
    ],
  },
);
const edit = asking(
  'edit',
  'Edit src/tokenizer.ts',
  {
    toolKind: 'edit',
    content: [diff()],
    locations: [{ path: '/work/src/tokenizer.ts', label: 'src/tokenizer.ts', line: 21 }],
  },
  { risks: [{ kind: 'guarded', text: 'Changes a guarded file' }] },
);
const filler = Array.from({ length: 40 }, (_, i) =>
  agentMessage(`f${i}`, `Message ${i}: what was said after the question was asked.`),
);

const lie = /** @type {Partial<PermissionView>} */ ({
  requestId: 'r-h',
  title: '\u202eRead a file',
  options: [
    { optionId: 'a', name: '\u202etcejeR', kind: 'allow_always' },
    { optionId: 'b', name: '\u200b\u200b\u200b', kind: 'allow_once' },
    { optionId: 'c', name: 'Allow', kind: 'reject_always' },
    { optionId: 'd', name: '   ', kind: 'reject_once' },
    { optionId: 'long', name: `Allow, because ${'of one thing and another '.repeat(80)}`, kind: 'allow_once' },
  ],
  risks: [{ kind: 'outside', text: 'Changes ⟨U+202E⟩a file outside the workspace' }],
});
const hostileDiff = diff({
  label: 'src/\u202egnp.exe',
  hunks: [
    {
      oldStart: 1,
      newStart: 1,
      lines: [
        ' const a = 1;',
        '+const admin = false; \u202e// safe\u2066',
        `+x = 1;${' '.repeat(400)}evil()`,
        '+שלום();',
      ],
    },
  ],
});
const hostile = asking('h', '\u202eRead a file', { content: [hostileDiff] }, lie);
const many = asking(
  'many',
  'Choose a branch',
  { command: 'git push' },
  {
    options: Array.from({ length: 40 }, (_, i) => ({
      optionId: `b${i + 1}`,
      name: `Allow on branch ${i + 1}`,
      kind: 'allow_once',
    })),
  },
);

/** @satisfies {Record<string, Scene>} */
export const permissionScenes = {
  askedCommand: /** @type {Scene} */ ({
    view: threadView(
      [said, asking('run', 'Run the tests', { command: 'npm test -- tokenizer', cwd: '~/work/tokenizer' })],
      { turn, pendingQuestions: [pending('run', 'npm test -- tokenizer')] },
    ),
  }),
  askedLong: /** @type {Scene} */ ({
    view: threadView(
      [
        said,
        asking('long', 'Run the tests', {
          command: `node -e "${'console.log("a test of the tokenizer"); '.repeat(120)}"`,
        }),
      ],
      { turn, pendingQuestions: [pending('long', 'node', {}, false)] },
    ),
  }),
  askedChain: /** @type {Scene} */ ({
    view: threadView([said, chained], { turn, pendingQuestions: [pending('chained', 'cd packages/core', {}, false)] }),
  }),
  askedDiff: /** @type {Scene} */ ({
    view: threadView([said, edit], { turn, pendingQuestions: [pending('edit', 'Edit src/tokenizer.ts', {}, false)] }),
  }),
  askedEdits: /** @type {Scene} */ ({
    view: threadView(
      [
        said,
        asking('long', 'Edit packages/core/src/lexer/deeply/nested/tokenizer.ts', {
          toolKind: 'edit',
          content: [
            diff({
              path: '/work/packages/core/src/lexer/deeply/nested/tokenizer.ts',
              label: 'packages/core/src/lexer/deeply/nested/tokenizer.ts',
              added: 800,
              removed: 800,
              truncated: true,
              hunks: [
                { oldStart: 1, newStart: 1, lines: Array.from({ length: 400 }, (_, i) => `-const old${i} = ${i};`) },
              ],
            }),
          ],
        }),
        asking('two', 'Edit two files', {
          toolKind: 'edit',
          content: [
            diff(),
            diff({
              path: '/work/src/stack.ts',
              label: 'src/stack.ts',
              isNew: true,
              added: 2,
              removed: 0,
              hunks: [{ oldStart: 0, newStart: 1, lines: ['+export class Stack {', '+}'] }],
            }),
          ],
        }),
        asking('bare', 'Set 3 todos', { toolKind: 'other' }),
      ],
      {
        turn,
        agent: 'Claude Code',
        pendingQuestions: [
          pending('long', 'Edit', {}, false),
          pending('two', 'Edit', {}, false),
          pending('bare', 'Set', {}, false),
        ],
      },
    ),
  }),
  askedHostile: /** @type {Scene} */ ({
    view: threadView([said, hostile], { turn, pendingQuestions: [pending('h', '\u202eRead a file', {}, false)] }),
  }),
  askedMany: /** @type {Scene} */ ({
    view: threadView([said, many], { turn, pendingQuestions: [pending('many', 'git push', {}, false)] }),
  }),
  askedInput: /** @type {Scene} */ ({
    view: threadView(
      [
        said,
        asking('mcp', 'linear: create_issue', {
          toolKind: 'other',
          input: '{\n  "title": "Tokenizer recurses without end",\n  "team": "core",\n  "labels": [\n    "bug"\n  ]\n}',
        }),
        asking(
          'fetch',
          'Fetch a page',
          { toolKind: 'fetch' },
          {
            url: 'https://example.com/a/very/long/path/that/goes/on?with=a&query=string',
            risks: [{ kind: 'network', text: 'Sends a request to example.com' }],
          },
        ),
      ],
      {
        turn,
        pendingQuestions: [pending('mcp', 'linear: create_issue', {}, false), pending('fetch', 'Fetch', {}, false)],
      },
    ),
  }),
  askedThree: /** @type {Scene} */ ({
    view: threadView([asking('far', 'Run the tests', { command: 'npm test -- tokenizer' }), ...filler], {
      turn,
      pendingQuestions: [pending('far', 'npm test -- tokenizer', { askedAt: 1 })],
      waitingElsewhere: [
        { key: 'b', agent: 'Codex', title: 'Run', question: pending('b', 'cargo build --release', { askedAt: 2 }) },
        {
          key: 'c',
          agent: 'Gemini CLI',
          title: 'Edit',
          question: pending('c', 'Edit src/a.ts', { askedAt: 3 }, false),
        },
      ],
    }),
  }),
  askedElsewhere: /** @type {Scene} */ ({
    view: threadView([said], {
      waitingElsewhere: [
        {
          key: 'c',
          agent: 'Gemini CLI',
          title: 'Edit',
          question: pending(
            'c',
            'cd packages/core && rm -rf ./dist ../shared/out; npm run build -- --with "a rather long argument"',
            {},
            false,
          ),
        },
      ],
    }),
  }),
  askedNote: /** @type {Scene} */ ({
    view: threadView(
      [said, asking('run', 'Run the tests', { command: 'npm test -- tokenizer', cwd: '~/work/tokenizer' })],
      { turn, pendingQuestions: [pending('run', 'npm test -- tokenizer')] },
    ),
    ui: { forms: { 'r-run': { note: 'use pnpm, and only' } } },
  }),
  askedAnswered: /** @type {Scene} */ ({
    view: threadView([
      said,
      toolCall('y', { title: 'Run the tests', toolKind: 'execute', decision: 'Allow once' }),
      agentMessage('m2', 'And now?'),
      toolCall('e', {
        title: 'Edit src/tokenizer.ts',
        toolKind: 'edit',
        content: [diff()],
        decision: 'Always allow edits',
      }),
      toolCall('n', {
        title: 'Remove dist',
        toolKind: 'delete',
        status: 'rejected',
        decision: 'Reject',
        durationMs: undefined,
      }),
    ]),
  }),
  ruled: /** @type {Scene} */ ({
    view: threadView([
      said,
      toolCall('y', {
        title: 'Run the tests',
        toolKind: 'execute',
        decision: 'Allow once',
        decidedBy: 'Allowed by your rule “npm test *”',
      }),
      agentMessage('m2', 'And the build goes.'),
      toolCall('n', {
        title: 'Remove the build',
        toolKind: 'execute',
        status: 'rejected',
        decision: 'Reject',
        decidedBy: 'Rejected by your rules “rm *” and “one with a name that is longer than the panel is wide”',
        durationMs: undefined,
      }),
      toolCall('e', {
        title: 'Edit src/tokenizer.ts',
        toolKind: 'edit',
        content: [diff()],
        decision: 'Allow once',
        decidedBy: 'Allowed by your rule “edit src/**”',
      }),
    ]),
  }),
};
