import { describe, expect, test } from 'vitest';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';
import { toolCallView } from '../../../src/view/projectToolCall';

const options = [{ optionId: 'n', name: 'No, keep planning', kind: 'reject_once' }] as const;

function ask(fields: object) {
  const thread = reduce(emptyThread, {
    type: 'permission/requested',
    at: 7,
    requestId: 'r',
    fields: { toolCallId: 'c', title: 'Ready to code?', kind: 'switch_mode', ...fields },
    options,
  });
  const call = thread.entries.at(0);
  if (call?.kind !== 'toolCall') throw new Error('no call');
  const view = toolCallView(call, '/work');
  const { plan, input, content } = view.permissions[0]!;
  return { plan, input, content, said: view.content };
}
const text = (value: string) => ({ type: 'content' as const, content: { type: 'text' as const, text: value } });

describe('a plan that asks for approval', () => {
  test('is what the call says, and not its input once more', () => {
    expect(ask({ content: [text('# Plan')], rawInput: { plan: '# Plan' } })).toMatchObject({
      plan: '# Plan',
      input: undefined,
      content: [],
    });
  });

  test('is in the input where the call says nothing; the rest of the input stays', () => {
    const { plan, input, content, said } = ask({
      content: [],
      rawInput: { plan: '# Plan\n\n1. Do it\n', allowedPrompts: [{ tool: 'Bash', prompt: 'run tests' }] },
    });
    expect({ plan, content }).toEqual({ plan: '# Plan\n\n1. Do it', content: [] });
    expect(JSON.parse(input!)).toEqual({ allowedPrompts: [{ tool: 'Bash', prompt: 'run tests' }] });
    expect(said).toEqual([text('# Plan\n\n1. Do it')]);
  });

  test('does not hide an input that says something else', () => {
    const { plan, input } = ask({ content: [text('Harmless')], rawInput: { plan: 'rm -rf ~' } });
    expect(plan).toBe('Harmless');
    expect(JSON.parse(input!)).toEqual({ plan: 'rm -rf ~' });
  });

  test('stays beside what is no text', () => {
    const image = { type: 'content' as const, content: { type: 'image' as const, mimeType: 'image/png', data: '' } };
    expect(ask({ content: [text('# Plan'), image] })).toMatchObject({
      plan: '# Plan',
      content: [{ type: 'content', content: { type: 'image' } }],
    });
  });

  test.each([
    { rawInput: { plan: '# Plan' }, kind: 'other' },
    { rawInput: { plan: 3 } },
    { rawInput: { plan: ' ' } },
    { rawInput: 'plan' },
    {},
  ])('is none in %j', (fields) => {
    expect(ask(fields).plan).toBeUndefined();
  });
});
