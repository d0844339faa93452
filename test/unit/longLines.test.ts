import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folders = [
  ...['acp', 'base', 'node', 'permission', 'protocol', 'registry', 'thread'].map((name) => `src/${name}`),
  ...['agents', 'attachments', 'attention', 'files', 'gallery', 'mcp', 'permissions', 'platform'].map(
    (name) => `src/host/${name}`,
  ),
  ...['signIn', 'storage', 'terminals'].map((name) => `src/host/${name}`),
  'webview',
];

/** The formatter breaks all else. A text for users must stay one literal, and a regular expression cannot be cut. */
function isOneLiteral(line: string): boolean {
  const rest = line.trim().replace(/\w*`.*`|'(?:[^'\\]|\\.)*'|\/.+\/[a-z]*(?=[,;.)]|$)/, '');
  return rest.length <= 60 || !/\s/.test(line.trim());
}

describe('a line over 120 columns', () => {
  it.each(folders)('in %s is one literal', (folder) => {
    const found = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        readFileSync(path.join(root, folder, name), 'utf8')
          .split('\n')
          .flatMap((line, index) => (line.length > 120 && !isOneLiteral(line) ? [`${name}:${index + 1} ${line}`] : [])),
      );
    expect(found).toEqual([]);
  });
});
