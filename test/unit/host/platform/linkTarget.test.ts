import { expect, it } from 'vitest';
import { linkAct, linkTarget } from '../../../../src/host/platform/linkTarget';

it.each<[written: string, cwd: string, target: string | undefined]>([
  ['src/a.ts', '/work', '/work/src/a.ts'],
  ['./src/', '/work', '/work/src/'],
  ['../other/a.ts', '/work', '/other/a.ts'],
  ['/etc/hosts', '/work', '/etc/hosts'],
  ['~/notes.md', '/work', '/home/me/notes.md'],
  ['~', '/work', '/home/me'],
  ['~me/notes.md', '/work', '/work/~me/notes.md'],
  ['src/~/a.ts', '/work', '/work/src/~/a.ts'],
  ['src/a.ts', '', undefined],
])('%s in %j leads to %s', (written, cwd, target) => expect(linkTarget(written, cwd, '/home/me')).toBe(target));

it.each<[what: string, type: number, inside: string, outside: string]>([
  ['a file', 1, 'open', 'askToOpen'],
  ['a folder', 2, 'reveal', 'askToReveal'],
  ['a link to a file', 65, 'open', 'askToOpen'],
  ['a link to a folder', 66, 'reveal', 'askToReveal'],
  ['a link to nothing', 64, 'refuse', 'refuse'],
  ['a pipe or a device', 0, 'refuse', 'refuse'],
])('%s', (_what, type, inside, outside) =>
  expect([linkAct(type, true), linkAct(type, false)]).toEqual([inside, outside]),
);
