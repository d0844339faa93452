import * as l10n from '@vscode/l10n';
import { expect, it, onTestFinished } from 'vitest';
import { visibleText } from '../../../src/base/visibleText';
import { kindWords } from '../../../src/protocol/permissionOptions';
import { translateMarks } from '../../../src/protocol/translateMarks';

it('marks and kinds of options are in the language that was loaded last', () => {
  const hostile = `a${' '.repeat(400)}b\n${'\n'.repeat(20)}c`;
  expect(visibleText(hostile)).toBe('a⟨400 spaces⟩b\n⟨20 empty lines⟩\nc');
  translateMarks();
  expect(visibleText(hostile)).toBe('a⟨400 spaces⟩b\n⟨20 empty lines⟩\nc');
  // Other files of tests share the worker.
  onTestFinished(() => l10n.config({ contents: {} }));
  l10n.config({ contents: { '{0} spaces': '{0} 个空格', '{0} empty lines': '{0} 个空行', 'Allow once': '允许一次' } });
  expect(visibleText(hostile)).toBe('a⟨400 个空格⟩b\n⟨20 个空行⟩\nc');
  expect(kindWords.allow_once).toBe('允许一次');
});
