import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('188 there is no registry: nothing that is shipped makes a network request, so nothing is downloaded', () => {
  const files = ['src', 'webview'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).map((file) => join(root, folder, file)));
  expect(files.length).toBeGreaterThan(100);
  const request = /\bfetch\(|XMLHttpRequest|new WebSocket|EventSource|from '(?:node:)?(?:https?|http2|net|tls|dgram|undici)'|require\('(?:https?|net|tls)'\)/;
  expect(files.filter((file) => request.test(readFileSync(file, 'utf8')))).toEqual([]);
});
