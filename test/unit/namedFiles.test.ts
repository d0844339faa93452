import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

const folders = ['src', 'webview', 'test'].flatMap((top) =>
  readdirSync(path.join(root, top), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${top}/${entry.name}`] : [],
  ),
);
const named = new RegExp(`['"\`]((?:${folders.join('|')})/[\\w./-]+\\.(?:ts|mjs|css|json|md))['"\`]`, 'g');

/** A test about a file that is gone passes and shows nothing. */
it('every file of the project that a test names is there', () => {
  const tests = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(?:ts|mjs)$/.test(name) && !name.startsWith('fixtures'),
  );
  const names = tests.flatMap((test) =>
    [...readFileSync(path.join(root, 'test', test), 'utf8').matchAll(named)].map(([, name]) => ({ test, name: name! })),
  );
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter(({ name }) => !existsSync(path.join(root, name)))).toEqual([]);
});
