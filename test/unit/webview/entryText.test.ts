import { expect, it } from 'vitest';
import { searchText } from '../../../webview/find/searchText';
import { guessHeight } from '../../../webview/parts/entryHeight';
import { shownTexts } from '../../../webview/parts/entryText';
import { toolCall } from '../../webview/views.mjs';

const none = () => undefined;

it('the text of a call has what a command said as text, also for copying, and its height has room for it', () => {
  const call = (...lines: string[]) => toolCall('c', { toolKind: 'execute', content: [{ type: 'terminal', terminalId: 'output-c', output: { lines, firstLine: 0 } }] });
  expect(searchText(call('first line', 'the treasure'), none)).toContain('first line\nthe treasure');
  expect(shownTexts(call('first line', 'the treasure'), none)).toContain('first line\nthe treasure');
  const [short, long] = [call('one'), call('one', 'two', 'three')].map((view) => guessHeight(view, true, none));
  expect(long! - short!).toBe(36);
});
