import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../../src/node/findProgram';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'parley-path-'));
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
  const find = (command: string, env: { PATH?: string; PATHEXT?: string } = { PATH }, platform: NodeJS.Platform = 'linux') => findProgram(command, here, env, platform);
  expect(await find('tool')).toBe(path.join(base, 'bin/tool'));
  expect(await find('./server')).toBe(path.join(here, 'server'));
  expect(await find(path.join(base, 'bin/tool'))).toBe(path.join(base, 'bin/tool'));
  // Neither a folder nor a file that is no program.
  expect([await find('npx'), await find('plain'), await find('gone'), await find('tool', {})]).toEqual(Array(4).fill(undefined));
  // What the folder of a repository holds is no answer to a name.
  expect(await find('server', { PATH: ['', '.', 'here'].join(path.delimiter) })).toBeUndefined();
  expect(await find('win', { PATH, PATHEXT: '.exe;.cmd' }, 'win32')).toBe(path.join(base, 'bin/win.cmd'));
});
