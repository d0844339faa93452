import { describe, expect, it } from 'vitest';
import { displayCommand, launchOf } from '../../../src/thread/shellLine';

const posix = (existing: readonly string[] = []) => ({
  platform: 'posix' as const,
  shell: () => ({ file: '/bin/zsh', kind: 'posix' as const }),
  exists: (command: string) => existing.includes(command),
});
const windows = (existing: readonly string[] = []) => ({
  platform: 'win32' as const,
  shell: () => ({ file: 'C:\\Windows\\cmd.exe', kind: 'cmd' as const }),
  exists: (command: string) => existing.includes(command),
});

describe('whether a command is a program or a whole shell line', () => {
  it.each(['echo a && echo b', 'ls', 'npm test', 'a|b', 'FOO=1 make', '~/bin/x', 'echo $HOME', 'cat *.ts', 'a;b'])(
    'with arguments it is never a line: %s',
    (command) => {
      expect(launchOf(command, ['x y'], posix())).toEqual({ file: command, args: ['x y'] });
    },
  );

  it.each(['ls', 'npm', '/usr/bin/env', './gradlew', 'node-18', 'a.out'])(
    'a plain word is a program: %s',
    (command) => {
      expect(launchOf(command, [], posix())).toEqual({ file: command, args: [] });
    },
  );

  it.each([
    'echo a && echo b',
    'npm test',
    'a|b',
    'a;b',
    'FOO=1 make',
    '~/bin/x',
    'echo $HOME',
    'cat *.ts',
    'ls>out',
    'sleep 1&',
    '(cd a; ls)',
    '`which ls`',
    "'quoted'",
  ])('white space or a metacharacter makes a line: %s', (command) => {
    expect(launchOf(command, [], posix())).toEqual({ file: '/bin/zsh', args: ['-c', command], line: command });
  });

  it('a file whose name has spaces is a program where it exists', () => {
    expect(launchOf('/opt/my tools/run me', [], posix(['/opt/my tools/run me']))).toEqual({
      file: '/opt/my tools/run me',
      args: [],
    });
  });

  it('on Windows the line goes to cmd as it is, and backslashes make no line', () => {
    expect(launchOf('npm test & echo "x"', [], windows())).toEqual({
      file: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', '"npm test & echo "x""'],
      line: 'npm test & echo "x"',
      verbatim: true,
    });
    expect(launchOf('C:\\tools\\x.exe', [], windows())).toEqual({ file: 'C:\\tools\\x.exe', args: [] });
    expect(launchOf('C:\\Program Files\\x.exe', [], windows(['C:\\Program Files\\x.exe']))).toEqual({
      file: 'C:\\Program Files\\x.exe',
      args: [],
    });
  });
});

it.each([
  ['cd src\nnpm test\n', 'cd src & npm test'],
  ['\r\ncd src\r\n\r\n  dir\r\n', 'cd src & dir'],
  ['rem builds\nnpm run build\n:: and tests\nnpm test', 'npm run build & npm test'],
  ['npm test ^\n  -- -u', 'npm test   -- -u'],
  [' dir ', ' dir '],
])('cmd, which reads one line only, gets all lines of %j', (command, line) => {
  expect(launchOf(command, [], windows())).toMatchObject({ args: ['/d', '/s', '/c', `"${line}"`], line: command });
});

describe('a command for showing', () => {
  it.each([
    ['npm test && echo', [], 'npm test && echo'],
    ['git', ['commit', '-m', "it's done"], "git commit -m 'it'\\''s done'"],
    ['printf', ['%s', '', 'a/b.c', 'x=1,2:3@4'], "printf %s '' a/b.c x=1,2:3@4"],
  ])('quotes what a shell would change: %s %j', (command, args, shown) => {
    expect(displayCommand(command, args)).toBe(shown);
  });
});
