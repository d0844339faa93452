import { expect, it } from 'vitest';
import { inSpelling, isWithin } from '../../../src/node/isWithin';

it.each<[path: string, root: string, platform: NodeJS.Platform, within: boolean]>([
  ['/a/b', '/a', 'linux', true],
  ['/a', '/a', 'linux', true],
  ['/ab', '/a', 'linux', false],
  ['/', '/a', 'linux', false],
  ['/a/..b', '/a', 'linux', true],
  ['/a', '/', 'linux', true],
  ['/a/', '/a', 'linux', true],
  ['/a', '/a/', 'linux', true],
  ['/a/../b', '/a', 'linux', false],
  ['/a', '', 'linux', false],
  ['C:\\a\\..\\b', 'C:\\a', 'win32', false],
  ['C:\\A\\b', 'c:\\a', 'win32', true],
  ['D:\\a\\b', 'C:\\a', 'win32', false],
  ['\\\\s\\h\\a', '\\\\s\\h', 'win32', true],
])('%j within %j on %s: %s', (path, root, platform, within) => {
  expect(isWithin(path, root, platform)).toBe(within);
});

it.each<[path: string, folders: [string, ...string[]], platform: NodeJS.Platform, own: string | undefined]>([
  ['C:\\App\\src\\a.ts', ['c:\\app'], 'win32', 'c:\\app\\src\\a.ts'],
  ['C:\\App', ['c:\\app'], 'win32', 'c:\\app'],
  ['C:\\a.ts', ['c:\\'], 'win32', 'c:\\a.ts'],
  ['c:\\app\\a.ts', ['c:\\app'], 'win32', 'c:\\app\\a.ts'],
  ['D:\\real\\a.ts', ['c:\\app', 'D:\\real'], 'win32', 'c:\\app\\a.ts'],
  ['D:\\app\\a.ts', ['c:\\app'], 'win32', undefined],
  ['c:\\app\\..\\a.ts', ['c:\\app'], 'win32', undefined],
  ['/real/a.ts', ['/app', '/real'], 'linux', '/app/a.ts'],
  ['/App/a.ts', ['/app'], 'linux', undefined],
  ['/app', ['/app'], 'linux', '/app'],
])('%j in %j on %s is %j', (path, folders, platform, own) => expect(inSpelling(path, folders, platform)).toBe(own));
