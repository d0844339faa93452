import { describe, expect, test } from 'vitest';
import { askerName } from '../../../src/protocol/questionView';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';
import { pendingQuestions } from '../../../src/view/pendingQuestions';

const options = [
  { optionId: 'a', name: 'Always', kind: 'allow_always' },
  { optionId: 'o', name: 'Once', kind: 'allow_once' },
  { optionId: 'n', name: 'Never', kind: 'reject_always' },
] as const;

function briefOf(fields: object) {
  const thread = reduce(emptyThread, {
    type: 'permission/requested',
    at: 7,
    requestId: 'r',
    fields: { toolCallId: 'c', title: 'Do it', ...fields },
    options,
  });
  const [question] = pendingQuestions(thread, '/work');
  expect(question).toMatchObject({ requestId: 'r', kind: 'permission', title: question?.brief?.text, askedAt: 7 });
  return question!.brief!;
}

describe('a permission in one line', () => {
  test('offers the smaller yes and the smaller no, wherever the agent puts them', () => {
    expect(briefOf({})).toMatchObject({
      text: 'Do it',
      isCode: false,
      allow: { optionId: 'o' },
      reject: { optionId: 'n' },
    });
  });

  test.each<[string, boolean]>([
    ['npm test -- tokenizer', true],
    ['git commit -m "a message"', true],
    ['make && make install', false],
    ['echo $(date)', false],
    ['cat a > b', false],
    ['make\nrm x', false],
    [`echo ${'x'.repeat(100)}`, false],
    ['echo \u202egnp', false],
  ])('tells all that there is to know of %j: %s', (command, isWhole) => {
    expect(briefOf({ rawInput: { command } })).toMatchObject({ isCode: true, isWhole });
  });

  test.each<
    readonly [
      string,
      {
        readonly risks?: readonly { readonly kind: 'deletes'; readonly text: string }[];
        readonly options?: typeof options;
      },
      true | undefined,
    ]
  >([
    ['a plain yes', {}, true],
    ['a risk', { risks: [{ kind: 'deletes', text: 'Deletes files' }] }, undefined],
    ['words that say something else', { options: [{ ...options[1], name: 'Reject' }, options[2]] as never }, undefined],
    ['no yes to just this request', { options: [options[0], options[2]] as never }, undefined],
  ])('suggests its yes as the card does: %s', (_, { risks, options: offered = options }, suggestsYes) => {
    const asked = reduce(emptyThread, {
      type: 'permission/requested',
      at: 7,
      requestId: 'r',
      fields: { toolCallId: 'c', title: 'Do it' },
      options: offered,
    });
    const thread = risks
      ? reduce(asked, { type: 'permission/assessed', at: 8, requestId: 'r', assessment: { risks } })
      : asked;
    expect(pendingQuestions(thread, '/work')[0]?.brief?.suggestsYes).toBe(suggestsYes);
  });

  test('a title does not tell what an edit or a tool would do', () => {
    expect(briefOf({ rawInput: { path: 'a' } }).isWhole).toBe(false);
  });
});

describe('who asks', () => {
  const call = (toolCallId: string, title: string, parentToolCallId?: string) =>
    ({
      type: 'toolCall/patched',
      at: 1,
      fields: { toolCallId, title, ...(parentToolCallId === undefined ? {} : { parentToolCallId }) },
    }) as const;
  const request = {
    type: 'permission/requested',
    at: 7,
    requestId: 'r',
    fields: { toolCallId: 'c', title: 'Do it' },
    options,
  } as const;

  test('is the nearest subagent, by the title of its call, also where that comes later', () => {
    const first = [call('a', 'Outer'), call('b', 'Inner', 'a'), call('c', 'Do it', 'b'), request].reduce(
      reduce,
      emptyThread,
    );
    expect(pendingQuestions(first, '/work').map(({ subagent }) => subagent)).toEqual(['Inner']);
    const late = [call('c', 'Do it', 'b'), request, call('b', 'Inner')].reduce(reduce, emptyThread);
    expect(pendingQuestions(late, '/work').map(({ subagent }) => subagent)).toEqual(['Inner']);
    expect(
      pendingQuestions([call('c', 'Do it', 'gone'), request].reduce(reduce, emptyThread), '/work')[0],
    ).not.toHaveProperty('subagent');
  });

  test('is the subagent of the call that a form belongs to', () => {
    const form = (toolCallId?: string) =>
      ({
        type: 'elicitation/requested',
        at: 7,
        requestId: 'q',
        message: 'Which?',
        ask: { mode: 'form', form: { fields: [] } },
        ...(toolCallId === undefined ? {} : { toolCallId }),
      }) as const;
    const calls = [call('a', 'Review the parser'), call('b', 'Ask', 'a')];
    const askerOf = (toolCallId?: string) =>
      pendingQuestions([...calls, form(toolCallId)].reduce(reduce, emptyThread), '/work')[0]!.subagent;
    expect([askerOf('b'), askerOf('a'), askerOf('unknown'), askerOf()]).toEqual([
      'Review the parser',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('is the agent first, however long and strange the name of its subagent is', () => {
    expect(askerName('Claude Code', undefined)).toBe('Claude Code');
    expect(askerName('Claude Code', 'Review\nthe parser')).toBe('Claude Code (subagent “Review the parser”)');
    expect(askerName('Claude Code', 'x'.repeat(500)).length).toBeLessThan(100);
  });
});
