import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '../../../webview');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('nothing scrolls what VS Code has around the panel', () => {
  const bad = files.flatMap((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line));
    // Methods of the panel's own may be called `focus`.
    return lines
      .filter(
        (line) => line.includes('.scrollIntoView(') || /(?<!\bthis|actions|#composer|\bbox)\??\.focus\(\)/.test(line),
      )
      .map((line) => `${name}: ${line.trim()}`);
  });
  expect(bad, 'Use `reveal` and `focusOn` of webview/lib/reveal.ts.').toEqual([]);
});
