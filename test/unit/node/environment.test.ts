import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/base/deferred';
import { childEnvironment, joinPaths } from '../../../src/node/environment';
import { FakeClock } from '../../fakes/fakeClock';
import { shellPath, soonOrKnown } from '../../../src/node/loginShell';

const shellAt = (name: string) => ['/bin', '/usr/bin'].map((at) => `${at}/${name}`).find((file) => existsSync(file));
/** Windows has none of them. */
const installed = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'fish', 'tcsh'].filter((name) => shellAt(name) !== undefined);

describe('environment', () => {
  it.skipIf(process.platform === 'win32')(
    'the login shell’s PATH is found between the banners of its profile',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-shell-'));
      const shell = path.join(folder, 'shell');
      writeFileSync(
        shell,
        '#!/bin/sh\necho "Welcome back, it is $(date)"\nPATH=/from/profile:/usr/bin\nexport PATH\nexec /bin/sh -c "$4"\n',
      );
      chmodSync(shell, 0o755);
      expect(await shellPath({ SHELL: shell, PATH: process.env['PATH'] })).toBe('/from/profile:/usr/bin');
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['bash', '-i -l -c printf'],
    ['fish', '-i -l -c printf'],
    ['tcsh', '-ic printf'],
    ['csh', '-ic printf'],
    ['pwsh', "-Login -Command 'parley-"],
    ['pwsh-preview', "-Login -Command 'parley-"],
    ['nu', "-i -l -c 'parley-"],
  ])('%s is asked in its own words', async (name, words) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-shell-'));
    const [shell, asked] = [path.join(folder, name), path.join(folder, 'asked')];
    // It answers as that shell would: the value is between the marks that it got.
    writeFileSync(
      shell,
      `#!/bin/sh\necho "$*" > ${asked}\nmark=$(echo "$*" | grep -o "parley-[0-9]*" | head -n 1)\n` +
        'printf "Welcome%s/own/bin:/bin%s" "$mark" "$mark"\n',
    );
    chmodSync(shell, 0o755);
    expect(await shellPath({ SHELL: shell, PATH: process.env['PATH'] })).toBe('/own/bin:/bin');
    expect(readFileSync(asked, 'utf8').startsWith(words)).toBe(true);
  });

  it.skipIf(process.platform === 'win32').each(installed)('the real %s gives the PATH of its profile', async (name) => {
    const home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
    const posix = 'PATH=/own/bin:$PATH\nexport PATH\necho Welcome\n';
    const profiles: Readonly<Record<string, string>> = {
      '.profile': posix,
      '.bash_profile': posix,
      '.zprofile': posix,
      '.cshrc': 'setenv PATH /own/bin:$PATH\necho Welcome\n',
      '.config/fish/config.fish': 'set -gx PATH /own/bin $PATH\necho Welcome\n',
    };
    for (const [file, text] of Object.entries(profiles)) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), text);
    }
    const found = await shellPath({ SHELL: shellAt(name), PATH: process.env['PATH'], HOME: home, TERM: 'dumb' });
    expect(found?.split(':')).toEqual(expect.arrayContaining(['/own/bin', '/usr/bin']));
  });

  it.skipIf(process.platform === 'win32')('an answer that is no PATH is none', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-shell-'));
    const shell = path.join(folder, 'elvish');
    // A shell that does not know the variable writes its name.
    writeFileSync(shell, '#!/bin/sh\nprintf %s "$4" | sed "s/.*\\(parley-[0-9]*\\).*/\\1\\$PATH\\1/"\n');
    chmodSync(shell, 0o755);
    expect(await shellPath({ SHELL: shell, PATH: '/usr/bin:/bin' })).toBeUndefined();
  });

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

  it('of a variable that Windows writes in two ways, the later value stays alone', () => {
    const [base, extra] = [{ Path: 'C:\\old', Home: 'x' }, { PATH: 'C:\\new' }];
    expect(childEnvironment(base, extra, 'win32')).toEqual({ PATH: 'C:\\new', Home: 'x' });
    expect(childEnvironment(base, extra, 'darwin')).toEqual({ ...base, ...extra });
  });
});
