import { expect, it } from 'vitest';
import type { FormFieldView } from '../../../src/protocol/formView';
import { searchText } from '../../../webview/find/search';
import { guessHeight } from '../../../webview/parts/entryHeight';
import { shownTexts } from '../../../webview/parts/entryText';
import { asked, form, toolCall } from '../../webview/views.mjs';

const none = () => undefined;
const options = (titles: readonly string[]) => titles.map((title, i) => ({ value: `v${i}`, title }));
const choice = (fields: Partial<Extract<FormFieldView, { type: 'select' }>>): FormFieldView => ({
  type: 'select',
  key: 'k',
  label: 'Which one',
  required: true,
  options: [],
  value: '',
  ...fields,
});

it('the text of a call has what a command said as text, also for copying, and its height has room for it', () => {
  const call = (...lines: string[]) =>
    toolCall('c', {
      toolKind: 'execute',
      content: [{ type: 'terminal', terminalId: 'output-c', output: { lines, firstLine: 0 } }],
    });
  expect(searchText(call('first line', 'the treasure'), none)).toContain('first line\nthe treasure');
  expect(shownTexts(call('first line', 'the treasure'), none)).toContain('first line\nthe treasure');
  const [short, long] = [call('one'), call('one', 'two', 'three')].map((view) => guessHeight(view, true, none));
  expect(long! - short!).toBe(36);
});

it('the text of a form that waits has the options that are drawn; once it is answered, only the answer', () => {
  const field = choice({
    options: [
      { value: 'a', title: 'Blue whale', description: 'It swims' },
      { value: 'b', title: 'Condor' },
    ],
  });
  const many = choice({ label: 'Country', options: options(Array.from({ length: 9 }, (_, i) => `Country ${i}`)) });
  const boxes: FormFieldView = {
    type: 'multiSelect',
    key: 'm',
    label: 'Tools',
    required: false,
    options: options(['Hammer']),
    value: [],
  };
  const text = searchText(form('f', [field, many, boxes]), none);
  for (const words of ['Which one', 'Blue whale', 'It swims', 'Condor', 'Country', 'Hammer'])
    expect(text).toContain(words);
  // They are in a list that is closed.
  expect(text).not.toContain('Country 3');
  const answered = searchText(
    form('f', [field], { state: 'accepted', answers: [{ label: 'Which one', text: 'Condor' }] }),
    none,
  );
  expect(answered).toContain('Condor');
  expect(answered).not.toContain('whale');
});

it('the text of a permission request has its risks and the words on its buttons, which are not copied', () => {
  const permission = asked(
    'r',
    'Run it',
    [
      { optionId: 'y', name: 'Go ahead', kind: 'allow_once' },
      { optionId: 'n', name: 'Allow', kind: 'reject_once' },
    ],
    {},
    { risks: [{ kind: 'deletes', text: 'Deletes files in dist' }] },
  );
  const view = toolCall('c', { permissions: [permission] });
  const text = searchText(view, none);
  for (const words of ['Deletes files in dist', 'Go ahead', 'Allow']) expect(text).toContain(words);
  expect(shownTexts(view, none).join('\n')).not.toContain('Go ahead');
});
