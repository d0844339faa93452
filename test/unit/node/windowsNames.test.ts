import { describe, expect, it } from 'vitest';
import { hasWindowsNames, isWindowsName } from '../../../src/node/windowsNames';

describe('names that a file of Windows can have', () => {
  it.each<[name: string, isOne: boolean]>([
    ['a.ts', true],
    ['.env', true],
    ['COMMON.txt', true],
    ['nullable.ts', true],
    ['con', false],
    ['NUL', false],
    ['nul.txt', false],
    ['NUL .txt', false],
    ['com1', false],
    ['LPT9.log', false],
    ['COM¹', false],
    ['CONIN$', false],
    ['.npmrc.', false],
    ['.npmrc ', false],
    ['.npmrc::$DATA', false],
    ['a.txt:stream', false],
    ['a?b', false],
    ['a\u0001b', false],
    ['', true],
  ])('Windows can have a file %j: %s', (name, isOne) => expect(isWindowsName(name)).toBe(isOne));

  it.each<[path: string, are: boolean]>([
    ['C:\\app\\src\\..\\a.ts', true],
    ['\\\\server\\share\\a.ts', true],
    ['C:\\', true],
    ['C:\\app\\nul', false],
    ['C:/app/aux.ts', false],
    ['C:\\app\\.npmrc::$DATA', false],
    ['C:\\app.\\a.ts', false],
    ['C:\\app\\.npmrc ', false],
  ])('all in %j: %s', (path, are) => expect(hasWindowsNames(path)).toBe(are));
});
