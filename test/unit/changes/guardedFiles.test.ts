import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_GUARDS, guardMatcher } from '../../../src/changes/guardedFiles';
import { workTime } from '../../fakes/workTime';

const isGuarded = (path: string, globs: readonly string[]) => guardMatcher(globs)(path);

describe('guarded files', () => {
  it.each([
    // A name holds in every folder, and a folder guards what is in it.
    ['.env', '.env*', true],
    ['packages/api/.env.local', '.env*', true],
    ['.envoy/config.yaml', '.env*', true],
    ['src/environment.ts', '.env*', false],
    ['.vscode/settings.json', '.vscode/**', true],
    ['packages/a/.vscode/tasks.json', '.vscode/**', true],
    ['.vscode', '.vscode/**', true],
    ['.git/hooks/pre-commit', '.git', true],
    ['.gitignore', '.git', false],
    ['docs/.github/workflows/ci.yml', '.github/workflows', true],
    // A slash in front ties it to the top.
    ['build/out.js', '/build', true],
    ['src/build/out.js', '/build', false],
    // VS Code's globs.
    ['src/a/b/c.ts', 'src/**/c.ts', true],
    ['src/c.ts', 'src/**/c.ts', true],
    ['src/c.tsx', 'src/**/c.ts', false],
    ['a/b.ts', 'a/?.ts', true],
    ['a/bb.ts', 'a/?.ts', false],
    ['v7.lock', 'v[0-9].lock', true],
    ['vx.lock', 'v[!0-9].lock', true],
    ['v7.lock', 'v[!0-9].lock', false],
    ['yarn.lock', '{yarn,{bun,cargo}}.lock', true],
    ['bun.lock', '{yarn,{bun,cargo}}.lock', true],
    ['x{y', 'x{y', true],
    ['🐟.env', '?.env', true],
    // However a path is spelled.
    ['Packages\\Api\\.ENV', '.env*', true],
    ['CARGO.LOCK', 'Cargo.lock', true],
    ['./src/../.env', '.env', true],
    ['src//.env', '.env', true],
    ['/home/me/project/.env', '.env', true],
    ['../other/.env', '.env', true],
    // Nothing is taken away, and nothing is everything.
    ['.env', '!.env', false],
    ['a.ts', '', false],
    ['a.ts', '/', false],
    ['', '**', false],
  ])('%s under %s: %s', (path, glob, expected) => {
    expect(isGuarded(path, [glob])).toBe(expected);
  });

  it('a glob that would take a guard away leaves it', () => {
    expect(isGuarded('.env', ['.env*', '!.env'])).toBe(true);
  });

  it.each([
    '.env.production',
    'package-lock.json',
    'web/pnpm-lock.yaml',
    'Cargo.lock',
    'uv.lock',
    'go.sum',
    '.github/workflows/release.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '.circleci/config.yml',
    '.vscode/tasks.json',
    '.git/config',
    '.husky/pre-push',
    // macOS takes these for the same names, if they are not there yet.
    '.VSCODE/settings.json',
    '.v\u017Fcode/tasks.json',
    '.pre-commit-con\uFB01g.yaml',
    '.g\u200Cit/config',
  ])('by default %s', (path) => expect(isGuarded(path, DEFAULT_GUARDS)).toBe(true));

  it.each([
    'src/index.ts',
    'package.json',
    'README.md',
    '.gitignore',
    'environment.ts',
    'locks/door.lock.ts',
    '.github/CODEOWNERS',
  ])('by default not %s', (path) => expect(isGuarded(path, DEFAULT_GUARDS)).toBe(false));

  it('the default is the one of the setting', () => {
    const { properties } = JSON.parse(readFileSync('package.json', 'utf8')).contributes.configuration;
    expect(properties['parley.review.guard'].default).toEqual(DEFAULT_GUARDS);
    // A repository must not agree for the user.
    expect(properties['parley.review.autoKeep'].scope).toBe('machine');
  });

  it('hostile globs take no time and leave nothing unguarded', () => {
    const started = workTime();
    expect(isGuarded(`${'a'.repeat(5_000)}`, [`${'*a'.repeat(400)}b`])).toBe(false);
    expect(isGuarded(`${'a/'.repeat(2_000)}a`, [`${'**/a/'.repeat(150)}b`])).toBe(false);
    expect(isGuarded('a.ts', ['{a,b}'.repeat(40)])).toBe(true);
    expect(isGuarded('a.ts', [`${'x'.repeat(2_000)}`])).toBe(true);
    expect(
      isGuarded(
        'a.ts',
        Array.from({ length: 600 }, (_, i) => `x${i}`),
      ),
    ).toBe(true);
    expect(workTime() - started).toBeLessThan(5_000);
  });

  it('reads its globs once for many paths', () => {
    const matches = guardMatcher(DEFAULT_GUARDS);
    const paths = Array.from({ length: 5_000 }, (_, i) => `packages/p${i}/src/components/file${i}.ts`);
    const started = workTime();
    expect(paths.filter((path) => matches(path))).toEqual([]);
    expect(workTime() - started).toBeLessThan(5_000);
  });
});
