import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/base/deferred';
import { childEnvironment, joinPaths } from '../../../src/node/environment';
import { FakeClock } from '../../fakes/fakeClock';
import { shellPath, soonOrKnown } from '../../../src/node/loginShell';

describe('environment', () => {
  it.skipIf(process.platform === 'win32')(
    'the login shell’s PATH is found between the banners of its profile',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-shell-'));
      const shell = path.join(folder, 'shell');
      writeFileSync(
        shell,
        '#!/bin/sh\necho "Welcome back, it is $(date)"\nPATH=/from/profile:/usr/bin\nexport PATH\nexec /bin/sh -c "$2"\n',
      );
      chmodSync(shell, 0o755);
      expect(await shellPath({ SHELL: shell, PATH: process.env['PATH'] })).toBe('/from/profile:/usr/bin');
    },
  );

  it.skipIf(process.platform === 'win32')('a shell that cannot be asked gives no PATH', async () => {
    expect(await shellPath({ SHELL: '/no/such/shell', PATH: '/usr/bin' })).toBeUndefined();
    expect(await shellPath({ SHELL: '/bin/false', PATH: '/usr/bin' })).toBeUndefined();
  });

  it.each<
    [
      string,
      known: string | undefined,
      answer: string | undefined,
      isSlow: boolean,
      path: string | undefined,
      kept: string[],
    ]
  >([
    ['a slow profile is waited for the first time', undefined, '/new', true, '/new', ['/new']],
    ['a slow profile is not waited for where its PATH is known', '/old', '/new', true, '/old', ['/new']],
    ['a fast answer counts', '/old', '/new', false, '/new', ['/new']],
    ['a shell that does not answer leaves what is known', '/old', undefined, false, '/old', []],
    ['what stays the same is not written again', '/old', '/old', false, '/old', []],
  ])('%s', async (_, known, answer, isSlow, found, kept) => {
    const clock = new FakeClock();
    const asked = new Deferred<string | undefined>();
    const written: string[] = [];
    const path_ = soonOrKnown(asked.promise, { known, keep: (text) => void written.push(text) }, clock);
    if (!isSlow) asked.resolve(answer);
    await Promise.resolve();
    if (isSlow) clock.advance(1_000);
    if (isSlow && known === undefined) asked.resolve(answer);
    expect(await path_).toBe(found);
    asked.resolve(answer);
    await asked.promise;
    await Promise.resolve();
    expect(written).toEqual(kept);
  });

  it('two PATHs are joined without folders that stand twice', () => {
    const join = (...folders: string[]) => folders.join(path.delimiter);
    expect(joinPaths(join('/a', '/b'), join('/b', '', '/c'))).toBe(join('/a', '/b', '/c'));
    expect(joinPaths(undefined, '/a')).toBe('/a');
  });

  it('what belongs to the host itself does not reach a child', () => {
    expect(
      childEnvironment(
        { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', NODE_OPTIONS: '--inspect', HOME: '/h' },
        { A: '1' },
      ),
    ).toEqual({ PATH: '/bin', HOME: '/h', A: '1' });
  });
});
