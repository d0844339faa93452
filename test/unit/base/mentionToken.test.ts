import { expect, it } from 'vitest';
import { findToken, tokenIn } from '../../../src/base/mentionToken';

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
