import { expect, it } from 'vitest';
import { isWithin } from '../../../src/node/isWithin';

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
