import { expect, it } from 'vitest';
import { findToken, linesAfter, splitLines, tokenIn } from '../../../src/base/mentionToken';

it.each([
  ['Fix @app.ts', 'src/app.ts', [], '@app.ts'],
  ['Fix @src/app.ts', 'src/app.ts', [], '@src/app.ts'],
  ['@app.ts and @lib/app.ts', 'lib/app.ts', ['@app.ts'], '@lib/app.ts'],
  ['@a.ts, @a.ts#2', 'a.ts', ['@a.ts'], '@a.ts#2'],
  ['in @parts', 'webview/parts/', [], '@parts'],
  ['see @my_notes.md', 'docs/my notes.md', [], '@my_notes.md'],
  ['Fix @other.ts', 'src/app.ts', [], undefined],
  ['Fix @app.tsx', 'src/app.ts', [], undefined],
])('%j mentions %s by a token of its own', (text, path, taken, token) => {
  expect(tokenIn(text, path, new Set(taken))).toBe(token);
  if (token !== undefined) expect(findToken(text, token)).toBeGreaterThanOrEqual(0);
});

it.each<[text: string, lines: object | undefined]>([
  ['@a.ts:10-20 and', { first: 10, last: 20, length: 6 }],
  ['@a.ts:10.', { first: 10, last: 10, length: 3 }],
  ['@a.ts:20-10', { first: 10, last: 20, length: 6 }],
  ['@a.ts: 10', undefined],
  ['@a.ts:0', undefined],
  ['@a.ts:10-', undefined],
  ['@a.ts:10x', undefined],
  ['@a.ts', undefined],
])('the lines after the mention in “%s”', (text, lines) => {
  expect(linesAfter(text, 5)).toEqual(lines);
});

it.each([
  ['tok:10-20', 'tok', ':10-20'],
  ['tok:', 'tok', ':'],
  ['tok:10-', 'tok', ':10-'],
  ['c:/a', 'c:/a', ''],
  ['tok', 'tok', ''],
])('“%s” is looked for as “%s”', (query, name, lines) => {
  expect(splitLines(query)).toEqual({ name, lines });
});
