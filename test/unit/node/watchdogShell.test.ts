import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FOLLOW } from '../../../src/node/watchdog';

/** What `/bin/sh` may be: dash on Debian, bash on Fedora and macOS, zsh if a user of macOS chose it. */
const shells = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'busybox'].flatMap(
  (name) => ['/bin', '/usr/bin'].map((at) => `${at}/${name}`).find((file) => existsSync(file)) ?? [],
);

it.skipIf(process.platform === 'win32').each(shells)('%s as `/bin/sh` follows the trees', async (shell) => {
  // Called `sh`, each of them reads the language of `sh`.
  const child = spawn(shell, ['-c', FOLLOW, '/bin/echo', 'program', 'mark'], {
    argv0: 'sh',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end('+ 12\n+ 123\n+ 4~1700000000000\n- 12\n- 99\n+ 5\n- 5\n+ 6\n');
  expect(await ended).toBe(0);
  expect(said).toBe('program mark 123 4~1700000000000 6\n');
});
