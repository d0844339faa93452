import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const files = ['src', 'webview'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);
const having = (pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).toSorted();

test('188 one module makes network requests, for the index of agents and for archives that the user agreed to', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(
    having(
      /\bfetch\(|XMLHttpRequest|new WebSocket|EventSource|from '(?:node:)?(?:https?|http2|net|tls|dgram|undici)'|require\('(?:https?|net|tls)'\)/,
    ),
  ).toEqual(['src/node/webRequest.ts']);
  expect(having(/import \{[^}]*\bwebRequest\b[^}]*\} from/)).toEqual([
    'src/node/downloadFile.ts',
    'src/node/indexCache.ts',
  ]);
});
