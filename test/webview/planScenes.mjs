/** A plan that asks for approval. */
import { asked, now, threadView, toolCall, userMessage } from './views.mjs';

/** @type {import('../../src/protocol/permissionView').PermissionOptionView[]} */
const options = [
  { optionId: 'auto', name: 'Yes, and use auto mode', kind: 'allow_always' },
  { optionId: 'default', name: 'Yes, manually approve edits', kind: 'allow_once' },
  { optionId: 'reject', name: 'No, keep planning', kind: 'reject_once' },
];

export const plan = `# Make the tokenizer iterative

The recursion only exists to handle *nested quotes*, so a small stack is **enough**.

## Steps

1. Add a \`Stack\` in \`src/stack.ts\`
2. Replace the recursion in \`tokenize\` by a loop
   - push on \`"\`
   - pop on the closing one
3. Keep the public API, and run the tests

\`\`\`ts
while (rest) stack.push(next(rest));
\`\`\`

## Risks

| What | How likely |
| --- | --- |
| Deep input is slower | low |

Nothing else calls \`tokenize\`.`;

const view = threadView(
  [
    userMessage('u', 'Plan how to make the tokenizer iterative.'),
    toolCall('p', {
      title: 'Ready to code?',
      toolKind: 'switch_mode',
      status: 'waiting',
      durationMs: undefined,
      permissions: [
        asked(
          'r',
          'Ready to code?',
          options,
          { input: '{\n  "allowedPrompts": [\n    { "tool": "Bash", "prompt": "run tests" }\n  ]\n}' },
          { plan },
        ),
      ],
    }),
  ],
  {
    agent: 'Claude Code',
    turn: { running: true, startedAt: now - 9_000, stopping: false, canForceStop: false },
    pendingQuestions: [
      {
        requestId: 'r',
        entryId: 'p',
        kind: 'permission',
        title: 'Ready to code?',
        askedAt: 0,
        brief: { text: 'Ready to code?', isCode: false, isWhole: false, allow: options[1], reject: options[2] },
      },
    ],
  },
);
/** @param {number} index @param {string} quote @param {string} text */
const comment = (index, quote, text) => JSON.stringify({ index, quote, text });

/** @type {Record<'plan' | 'planComments', import('./scenes.mjs').Scene>} */
export const planScenes = {
  plan: { view },
  planComments: {
    view,
    ui: {
      forms: {
        'plan:r': {
          comments: [
            comment(
              1,
              'The recursion only exists to handle nested quotes, so a small stack is enough.',
              'Please say which tests cover this.',
            ),
            comment(4, 'Replace the recursion in tokenize by a loop', 'Keep the recursion for objects.'),
          ],
          commentDraft: comment(6, 'pop on the closing one', 'And on the end'),
        },
      },
    },
  },
};
