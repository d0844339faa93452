import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishSteps, releaseProblems, sumsOf } from '../../launch/release.mjs';
import { componentsOf, sbomOf } from '../../launch/sbom.mjs';

const root = path.join(import.meta.dirname, '../../..');

describe('what keeps a version from being published', () => {
  const ready = { version: '1.2.0', changelog: '# Changelog\n\n## 1.2.0 (2026-02-03)\n', status: '', tags: ['v1.2.0'] };

  it('is nothing where all is committed, dated and tagged', () => {
    expect(releaseProblems(ready)).toEqual([]);
  });

  it.each<[change: Partial<typeof ready>, problem: string]>([
    [{ status: ' M README.md\n' }, 'The repository has changes that are not committed.'],
    [{ tags: ['v1.1.0', ''] }, 'The commit has no tag v1.2.0.'],
    ...['1.2.0 (unreleased)', '1.1.0 (2026-02-03)', '1.2.0', '1.2.0 (2026-02-34)'].map(
      (heading): [Partial<typeof ready>, string] => [
        { changelog: `# Changelog\n\n## ${heading}\n\n## 1.2.0 (2026-02-03)\n` },
        `CHANGELOG.md begins with “${heading}”, not with “1.2.0 (YEAR-MONTH-DAY)”.`,
      ],
    ),
    [{ changelog: '' }, 'CHANGELOG.md begins with “none”, not with “1.2.0 (YEAR-MONTH-DAY)”.'],
  ])('is %j', (change, problem) => {
    expect(releaseProblems({ ...ready, ...change })).toEqual([problem]);
  });
});

it('every package goes to both registries, by tools of known versions and without a key in the command', () => {
  const steps = publishSteps(['out/release/a.vsix', 'out/release/b.vsix']);
  expect(steps.map(({ program, args }) => [program, ...args].join(' '))).toEqual([
    'npx --no vsce publish --skip-duplicate --packagePath out/release/a.vsix out/release/b.vsix',
    'npx --yes ovsx@1.4.0 publish --skip-duplicate --packagePath out/release/a.vsix out/release/b.vsix',
  ]);
});

it('the sums are in the form of sha256sum, by name', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-sums-'));
  try {
    for (const name of ['b', 'a']) writeFileSync(path.join(folder, name), '');
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(sumsOf(['b', 'a'].map((name) => path.join(folder, name)))).toBe(`${empty}  a\n${empty}  b\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the list of packages', () => {
  const components = componentsOf(root, ['node_modules/marked', 'node_modules/@vscode/l10n', 'node_modules/dompurify']);

  it('has the bundled ones, and as optional those of the packages with native parts', () => {
    expect(components.map(({ name, scope }) => [name, scope])).toEqual([
      ['ConPTY and OpenConsole of Windows Terminal', 'optional'],
      ['@vscode/l10n', 'required'],
      ['dompurify', 'required'],
      ['marked', 'required'],
      ['node-pty', 'optional'],
    ]);
    for (const { name, hashes } of components.slice(1)) expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/);
  });

  it('names each by its address, with its licence', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/@vscode/l10n/package.json'), 'utf8')) as {
      version: string;
    };
    expect(components[1]).toMatchObject({
      purl: `pkg:npm/%40vscode/l10n@${version}`,
      licenses: [{ license: { id: 'MIT' } }],
    });
    // Either of two.
    expect(components[2]?.licenses).toEqual([{ expression: '(MPL-2.0 OR Apache-2.0)' }]);
  });

  it('says what it is of, and when', () => {
    const manifest = { publisher: 'parley', name: 'parley', version: '1.2.0', license: 'MIT' };
    const list = JSON.parse(sbomOf(manifest, components, new Date('2026-01-02T03:04:05Z'))) as Record<string, unknown>;
    expect(list).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: {
        timestamp: '2026-01-02T03:04:05.000Z',
        component: { name: 'parley.parley', version: '1.2.0', 'bom-ref': 'parley.parley@1.2.0' },
      },
      dependencies: [{ ref: 'parley.parley@1.2.0', dependsOn: components.map((one) => one['bom-ref']) }],
    });
  });
});
