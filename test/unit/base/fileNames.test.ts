import { describe, expect, it } from 'vitest';
import { foldedName, usualPath } from '../../../src/base/fileNames';

describe('names of files on other systems', () => {
  it.each([
    ['\\\\?\\C:\\app\\a.ts', 'C:\\app\\a.ts'],
    ['\\\\?\\UNC\\server\\share\\a.ts', '\\\\server\\share\\a.ts'],
    // Devices stay what they are, so that they are refused.
    ['\\\\?\\GLOBALROOT\\Device\\a', '\\\\?\\GLOBALROOT\\Device\\a'],
    ['\\\\?\\Volume{1}\\a', '\\\\?\\Volume{1}\\a'],
    ['\\\\.\\C:\\a', '\\\\.\\C:\\a'],
    ['/app/a.ts', '/app/a.ts'],
    ['C:\\app', 'C:\\app'],
  ])('%s is written as %s', (path, usual) => expect(usualPath(path)).toBe(usual));

  it.each([
    ['.VSCode', '.vscode'],
    ['.v\u017Fcode', '.vscode'],
    ['.pre-commit-con\uFB01g.yaml', '.pre-commit-config.yaml'],
    ['.g\u200Cit', '.git'],
    ['.\u212Aube', '.kube'],
    ['e\u0301', '\u00C9'],
  ])('%s may be %s where case does not count', (a, b) => expect(foldedName(a)).toBe(foldedName(b)));
});
