import { describe, expect, test } from 'vitest';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';
import { pendingQuestions } from '../../../src/view/pendingQuestions';

const options = [
  { optionId: 'a', name: 'Always', kind: 'allow_always' },
  { optionId: 'o', name: 'Once', kind: 'allow_once' },
  { optionId: 'n', name: 'Never', kind: 'reject_always' },
] as const;

function briefOf(fields: object) {
  const thread = reduce(emptyThread, { type: 'permission/requested', at: 7, requestId: 'r', fields: { toolCallId: 'c', title: 'Do it', ...fields }, options });
  const [question] = pendingQuestions(thread, '/work');
  expect(question).toMatchObject({ requestId: 'r', kind: 'permission', title: question?.brief?.text, askedAt: 7 });
  return question!.brief!;
}

describe('a permission in one line', () => {
  test('offers the smaller yes and the smaller no, wherever the agent puts them', () => {
    expect(briefOf({})).toMatchObject({ text: 'Do it', isCode: false, allow: { optionId: 'o' }, reject: { optionId: 'n' } });
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

  test('a title does not tell what an edit or a tool would do', () => {
    expect(briefOf({ rawInput: { path: 'a' } }).isWhole).toBe(false);
  });
});
