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
  ).toEqual([
    // Sockets of this machine, between Parley and what an agent starts for the editor's tools. No port is opened.
    'src/node/editorPipe.ts',
    'src/node/editorServerMain.ts',
    // Listens on this machine for a moment, to find a free port. It takes no connection.
    'src/node/freePort.ts',
    'src/node/webRequest.ts',
  ]);
  for (const file of ['editorPipe', 'editorServerMain'])
    expect(readFileSync(join(root, `src/node/${file}.ts`), 'utf8')).not.toMatch(
      /\bhost:|\bport\b|localhost|127\.0\.0\.1/,
    );
  expect(having(/import \{[^}]*\bwebRequest\b[^}]*\} from/)).toEqual([
    'src/node/downloadFile.ts',
    'src/node/indexCache.ts',
  ]);
});
