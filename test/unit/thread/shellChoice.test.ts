import { describe, expect, it } from 'vitest';
import { shellFor } from '../../../src/thread/shellLine';
import { workTime } from '../../fakes/workTime';

const found =
  (...programs: readonly string[]) =>
  (program: string) =>
    programs.find(
      (file) =>
        file === program ||
        file.replace(/\.exe$/, '').endsWith(`/${program}`) ||
        file.replace(/\.exe$/, '').endsWith(`\\${program}`),
    );

describe('146: the shell for a whole line', () => {
  it.each<[platform: string, shell: string | undefined, there: readonly string[], file: string]>([
    ['linux', '/bin/bash', ['/bin/bash'], '/bin/bash'],
    ['linux', '/usr/bin/zsh', ['/usr/bin/zsh', '/bin/bash'], '/usr/bin/zsh'],
    ['linux', '/bin/dash', ['/bin/dash', '/bin/bash'], '/bin/dash'],
    ['linux', '/usr/bin/fish', ['/usr/bin/fish', '/bin/bash'], '/bin/bash'],
    ['linux', '/usr/bin/fish', ['/usr/bin/fish'], '/bin/sh'],
    ['linux', '/usr/bin/nu', ['/usr/bin/nu', '/usr/bin/bash'], '/usr/bin/bash'],
    ['linux', '/bin/tcsh', ['/bin/tcsh'], '/bin/sh'],
    ['linux', '/usr/bin/pwsh', ['/usr/bin/pwsh', '/bin/bash'], '/bin/bash'],
    ['linux', '/gone/bash', ['/bin/bash'], '/bin/bash'],
    ['linux', '/gone/zsh', [], '/bin/sh'],
    ['linux', undefined, ['/bin/bash'], '/bin/bash'],
    ['linux', '', [], '/bin/sh'],
    ['darwin', '/bin/zsh', ['/bin/zsh', '/bin/bash'], '/bin/zsh'],
    ['darwin', '/opt/homebrew/bin/fish', ['/opt/homebrew/bin/fish', '/bin/zsh', '/bin/bash'], '/bin/zsh'],
    ['darwin', undefined, ['/bin/zsh'], '/bin/zsh'],
    ['freebsd', '/bin/sh', ['/bin/sh'], '/bin/sh'],
  ])('%s with %s of %j: %s', (platform, shell, there, file) => {
    expect(shellFor('echo a && echo b', { platform, shell, find: found(...there) })).toEqual({ file, kind: 'posix' });
  });

  const pwsh = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';
  const older = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
  const cmd = 'C:\\Windows\\System32\\cmd.exe';

  it.each<[line: string, there: readonly string[], file: string]>([
    ['npm test && echo done', [pwsh, older], cmd],
    ['dir /b | findstr x', [pwsh], cmd],
    ['set A=1& echo %A%', [pwsh], cmd],
    ['git log --format=%H', [pwsh], cmd],
    ['ng generate Add-on', [pwsh], cmd],
    ['echo Get-ChildItem', [pwsh], cmd],
    ['Get-ChildItem -Recurse', [pwsh, older], pwsh],
    ['get-content a.txt | Select-Object -First 3', [older], older],
    ['cd src; Get-Location', [pwsh], pwsh],
    ['$env:FOO = "1"; npm test', [pwsh], pwsh],
    ['$files = ls; $files.Count', [pwsh], pwsh],
    ['[System.IO.Path]::GetTempPath()', [pwsh], pwsh],
    ['ls | % { $_.Name }', [pwsh], pwsh],
    ['ls | Where-Object Length -gt 10', [pwsh], pwsh],
    ['Get-ChildItem', [], cmd],
    ['git commit -m "one\n\ntwo"', [pwsh, older], pwsh],
    ['git commit -m "one\n\ntwo"', [older], older],
    ['git add . && git commit -m "one\ntwo"', [pwsh], pwsh],
    ['git add . && git commit -m "one\ntwo"', [older], cmd],
    ['echo "one"\necho "two"', [pwsh], cmd],
  ])('Windows, %s', (line, there, file) => {
    expect(shellFor(line, { platform: 'win32', shell: '/usr/bin/bash', comSpec: cmd, find: found(...there) })).toEqual({
      file,
      kind: file === cmd ? 'cmd' : 'powershell',
    });
  });

  it('Windows, after very many empty lines', () => {
    const started = workTime();
    const line = `${'\n'.repeat(500_000)}x`;
    expect(shellFor(line, { platform: 'win32', comSpec: cmd, find: found(pwsh) }).file).toBe(cmd);
    expect(shellFor(`${line};\n\n Get-ChildItem`, { platform: 'win32', comSpec: cmd, find: found(pwsh) }).file).toBe(
      pwsh,
    );
    const quotes = `${'"a" '.repeat(200_000)}"`;
    expect(shellFor(quotes, { platform: 'win32', comSpec: cmd, find: found(pwsh) }).file).toBe(cmd);
    expect(workTime() - started).toBeLessThan(5_000);
  });

  it('Windows without ComSpec', () => {
    expect(shellFor('dir', { platform: 'win32', find: () => undefined })).toEqual({ file: 'cmd.exe', kind: 'cmd' });
  });
});
