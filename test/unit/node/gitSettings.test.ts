import { expect, it } from 'vitest';
import { gitSettings } from '../../../src/node/gitSettings';

it('settings for the file system of another system are taken over, and nothing that names a program', () => {
  const user = new Map([
    ['core.longpaths', 'true'],
    ['core.fsmonitor', 'evil.exe'],
    ['core.sshcommand', 'evil.exe'],
  ]);
  const repository = new Map([
    ['core.ignorecase', 'true'],
    ['core.precomposeunicode', 'true'],
    ['core.symlinks', 'false'],
    ['core.filemode', 'evil.exe'],
  ]);
  const { config, ignoresCase } = gitSettings(user, repository, undefined)!;
  for (const line of ['longpaths = true', 'ignorecase = true', 'precomposeunicode = true', 'symlinks = false'])
    expect(config).toContain(`\t${line}\n`);
  expect(config).not.toContain('evil');
  expect([ignoresCase, gitSettings(new Map(), new Map(), undefined)!.ignoresCase]).toEqual([true, false]);
});
