import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram, isExecutable } from '../../../src/node/findProgram';
import { foldersToAvoid, trustedEnvironment } from '../../../src/node/trustedFolders';

function folder(): string {
  const made = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-path-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const name of ['bin', 'more', 'here', 'more/npx']) mkdirSync(path.join(made, name));
  for (const name of ['bin/tool', 'here/tool', 'here/server', 'bin/win.cmd', 'bin/win']) {
    writeFileSync(path.join(made, name), '');
    chmodSync(path.join(made, name), 0o755);
  }
  writeFileSync(path.join(made, 'more/plain'), '');
  return made;
}

test('item 66: a program is found as a shell would find it, as an absolute path', async () => {
  const base = folder();
  const here = path.join(base, 'here');
  const PATH = ['more', 'bin'].map((name) => path.join(base, name)).join(path.delimiter);
  const find = (
    command: string,
    env: { PATH?: string; PATHEXT?: string } = { PATH },
    platform: NodeJS.Platform = 'linux',
  ) => findProgram(command, here, env, { platform });
  expect(await find('tool')).toBe(path.join(base, 'bin/tool'));
  expect(await find('./server')).toBe(path.join(here, 'server'));
  expect(await find(path.join(base, 'bin/tool'))).toBe(path.join(base, 'bin/tool'));
  // Neither a folder nor a file that is no program.
  expect([await find('npx'), await find('plain'), await find('gone'), await find('tool', {})]).toEqual(
    Array(4).fill(undefined),
  );
  // What the folder of a repository holds is no answer to a name.
  expect(await find('server', { PATH: ['', '.', 'here'].join(path.delimiter) })).toBeUndefined();
  expect(await find('win', { PATH: path.join(base, 'bin'), PATHEXT: '.exe;.cmd' }, 'win32')).toBe(
    path.join(base, 'bin/win.cmd'),
  );
});

test('a name means nothing in a folder to avoid, whatever links lead there; a path means what it says', async () => {
  const base = folder();
  const [bin, here] = [path.join(base, 'bin'), path.join(base, 'here')];
  symlinkSync(here, path.join(base, 'link'));
  symlinkSync(path.join(here, 'server'), path.join(bin, 'linked'));
  const PATH = ['', '.', 'here', here, path.join(here, 'later'), path.join(base, 'link'), `${here}/../here`, bin].join(
    path.delimiter,
  );
  const avoid = await foldersToAvoid([path.join(base, 'link')], path.join(base, 'home'));
  expect(avoid).toEqual([here]);
  const find = (command: string) => findProgram(command, here, { PATH }, { avoid });
  expect(await find('tool')).toBe(path.join(bin, 'tool'));
  expect([await find('server'), await find('linked')]).toEqual([undefined, undefined]);
  expect(await find('./server')).toBe(path.join(here, 'server'));
  // What is started inherits no such folder either.
  const env = await trustedEnvironment(
    { PATH, LD_LIBRARY_PATH: `:${bin}`, NODE_PATH: here, OTHER: '.:here' },
    avoid,
    'linux',
  );
  expect(env).toEqual({ PATH: bin, LD_LIBRARY_PATH: bin, NODE_PATH: undefined, OTHER: '.:here' });
  expect(await trustedEnvironment({}, [], 'win32')).toEqual({ NoDefaultCurrentDirectoryInExePath: '1' });
});

test('a folder with the user’s home in it is not avoided: the user’s own programs are there', async () => {
  const base = folder();
  expect(await foldersToAvoid([base, path.join(base, 'bin')], path.join(base, 'bin'))).toEqual([]);
});

test('a program from the Microsoft Store is one: a link that Windows follows, and Node cannot', () => {
  const base = folder();
  const link = path.join(base, 'bin/pwsh.exe');
  symlinkSync(path.join(base, 'bin/win.cmd'), link);
  const look = () => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  };
  expect([isExecutable(link, 'win32', look), isExecutable(link, 'linux', look)]).toEqual([true, false]);
  expect(isExecutable(path.join(base, 'bin/win.cmd'), 'win32', look)).toBe(false);
});
