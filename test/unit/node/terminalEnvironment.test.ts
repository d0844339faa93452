import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../src/node/executable';
import { terminalEnvironment } from '../../../src/node/terminalEnvironment';

describe('the environment of a terminal', () => {
  it('is what the host inherited without what is the host\'s own, our defaults, then the agent\'s', () => {
    expect(
      terminalEnvironment({ PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', NODE_OPTIONS: '--inspect', TERM: 'dumb', GONE: undefined }, [
        { name: 'FOO', value: '1' },
        { name: 'PAGER', value: 'less' },
        { name: 'FOO', value: '2' },
      ], 'linux'),
    ).toEqual({ PATH: '/bin', TERM: 'xterm-256color', COLORTERM: 'truecolor', PAGER: 'less', GIT_PAGER: 'cat', FOO: '2' });
  });

  it('has each name once on Windows', () => {
    const env = terminalEnvironment({ Path: 'C:\\a' }, [{ name: 'PATH', value: 'C:\\b' }], 'win32');
    expect(Object.entries(env).filter(([name]) => name.toLowerCase() === 'path')).toEqual([['PATH', 'C:\\b']]);
  });
});

describe('the file that a command means', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-path-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin/folder'), { recursive: true });
  for (const name of ['bin/run', 'bin/with space', 'local']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, 'bin/data'), '');
  chmodSync(join(folder, 'bin/data'), 0o644);
  const env = { PATH: `/nowhere:${join(folder, 'bin')}` };

  it.each<[command: string, found: string | undefined]>([
    ['run', 'bin/run'],
    ['with space', 'bin/with space'],
    ['./local', 'local'],
    ['bin/run', 'bin/run'],
    ['local', undefined],
    ['data', undefined],
    ['folder', undefined],
    ['', undefined],
    ['run extra', undefined],
  ])('%j', (command, found) => {
    expect(findExecutable(command, folder, env, 'linux')).toBe(found && join(folder, found));
  });
});
