import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folders = [
  ...['acp', 'base', 'demo', 'node', 'permission', 'protocol', 'registry', 'thread', 'view'].map(
    (name) => `src/${name}`,
  ),
  ...['agents', 'attachments', 'attention', 'gallery', 'mcp', 'panel', 'permissions', 'platform', 'review'].map(
    (name) => `src/host/${name}`,
  ),
  ...['signIn', 'storage', 'terminals'].map((name) => `src/host/${name}`),
  'webview',
];
/** Their texts are still whole literals. */
const withLongTexts = ['src/host/files'];

/** The formatter breaks all else. A regular expression cannot be cut. */
function isPattern(line: string): boolean {
  return !/^\s*\/?\*/.test(line) && isOneLiteral(line, /String\.raw`.*`|\/.+\/[a-z]*(?=[,;.)]|$)/);
}

function isOneLiteral(line: string, literal: RegExp): boolean {
  return line.trim().replace(literal, '').length <= 60;
}

function longLines(folder: string, isExcused: (line: string) => boolean): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      readFileSync(path.join(root, folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 120 && !isExcused(line) ? [`${name}:${index + 1} ${line}`] : [])),
    );
}

describe('a line over 120 columns', () => {
  it.each(folders)('in %s is a regular expression', (folder) => {
    expect(longLines(folder, isPattern)).toEqual([]);
  });

  it.each(withLongTexts)('in %s is one literal', (folder) => {
    expect(longLines(folder, (line) => isPattern(line) || isOneLiteral(line, /'(?:[^'\\]|\\.)*'/))).toEqual([]);
  });
});
