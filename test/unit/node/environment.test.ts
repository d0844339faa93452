import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { childEnvironment, joinPaths } from '../../../src/node/environment';
import { shellPath } from '../../../src/node/loginShell';

describe('environment', () => {
  it.skipIf(process.platform === 'win32')('the login shell’s PATH is found between the banners of its profile', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-shell-'));
    const shell = path.join(folder, 'shell');
    writeFileSync(shell, '#!/bin/sh\necho "Welcome back, it is $(date)"\nPATH=/from/profile:/usr/bin\nexport PATH\nexec /bin/sh -c "$2"\n');
    chmodSync(shell, 0o755);
    expect(await shellPath({ SHELL: shell, PATH: process.env['PATH'] })).toBe('/from/profile:/usr/bin');
  });

  it.skipIf(process.platform === 'win32')('a shell that cannot be asked gives no PATH', async () => {
    expect(await shellPath({ SHELL: '/no/such/shell', PATH: '/usr/bin' })).toBeUndefined();
    expect(await shellPath({ SHELL: '/bin/false', PATH: '/usr/bin' })).toBeUndefined();
  });

  it('two PATHs are joined without folders that stand twice', () => {
    const join = (...folders: string[]) => folders.join(path.delimiter);
    expect(joinPaths(join('/a', '/b'), join('/b', '', '/c'))).toBe(join('/a', '/b', '/c'));
    expect(joinPaths(undefined, '/a')).toBe('/a');
  });

  it('what belongs to the host itself does not reach a child', () => {
    expect(childEnvironment({ PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', NODE_OPTIONS: '--inspect', HOME: '/h' }, { A: '1' })).toEqual({ PATH: '/bin', HOME: '/h', A: '1' });
  });
});
