import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { numberText, writeNumbersIn } from '../../../src/base/numberText';

afterEach(() => writeNumbersIn('en'));

it.each([
  ['en', '1,234,567.5'],
  ['zh-cn', '1,234,567.5'],
  ['de', '1.234.567,5'],
  ['pt-br', '1.234.567,5'],
  ['qps-ploc', '1,234,567.5'],
  ['no language', '1,234,567.5'],
  ['', '1,234,567.5'],
])('numbers are written as the texts around them: %s', (language, text) => {
  writeNumbersIn(language);
  expect(numberText(1_234_567.5)).toBe(text);
});

it('money has the marks of the language', () => {
  writeNumbersIn('de');
  expect(numberText(1.5, { style: 'currency', currency: 'USD' })).toBe('1,50\u00a0$');
});

it('no text writes numbers in another way', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const files = ['src', 'webview']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name.replaceAll(path.sep, '/')}`,
      ),
    )
    .filter((name) => name.endsWith('.ts'));
  // Of a date, or with the language of VS Code itself.
  const other = /(?<!\bdate|new Date\([^)]*\))\.toLocaleString\(|new Intl\.NumberFormat/;
  expect(
    files.filter(
      (file) => file !== 'src/base/numberText.ts' && other.test(readFileSync(path.join(root, file), 'utf8')),
    ),
  ).toEqual([]);
});
