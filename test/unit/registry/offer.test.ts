import { expect, test } from 'vitest';
import { consentFacts } from '../../../src/registry/consent';
import type { ArchiveTarget, RegistryAgent } from '../../../src/registry/decodeIndex';
import { chooseOffer, missingManager, type Machine, targetOf } from '../../../src/registry/offer';

const sha256 = 'b'.repeat(64);
const words = { args: ['acp'], env: {} };
const archive = (fields: Partial<ArchiveTarget> = {}): ArchiveTarget => ({
  archive: 'a.zip',
  program: 'agent',
  ...words,
  ...fields,
});
const agent = (fields: Partial<RegistryAgent>): RegistryAgent => ({
  id: 'a',
  name: 'A',
  description: '',
  version: '1.0.0',
  binary: {},
  ...fields,
});
const all = { npm: { package: 'a@1.0.0', ...words }, uv: { package: 'a==1.0.0', ...words } };
const machine = (fields: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  arch: 'x64',
  hasNode: true,
  hasUv: true,
  ...fields,
});

test.each([
  ['darwin', 'arm64', 'darwin-aarch64'],
  ['darwin', 'x64', 'darwin-x86_64'],
  ['linux', 'arm64', 'linux-aarch64'],
  ['linux', 'x64', 'linux-x86_64'],
  ['win32', 'arm64', 'windows-aarch64'],
  ['win32', 'x64', 'windows-x86_64'],
  ['freebsd', 'x64', undefined],
  ['linux', 'ia32', undefined],
])('%s on %s is %s', (platform, arch, expected) => expect(targetOf({ platform, arch })).toBe(expected));

test.each([
  [
    'an archive with a checksum comes first',
    { binary: { 'linux-x86_64': archive({ sha256 }) }, ...all },
    machine(),
    'archive',
  ],
  [
    'a package whose manager is there comes before an archive that nothing can check',
    { binary: { 'linux-x86_64': archive() }, ...all },
    machine(),
    'npm',
  ],
  [
    'uv is taken where there is no Node.js',
    { binary: { 'linux-x86_64': archive() }, ...all },
    machine({ hasNode: false }),
    'uv',
  ],
  [
    'an archive needs nothing',
    { binary: { 'linux-x86_64': archive() }, ...all },
    machine({ hasNode: false, hasUv: false }),
    'archive',
  ],
  ['a package whose manager is missing is better than nothing', all, machine({ hasNode: false, hasUv: false }), 'npm'],
  [
    'an archive for another machine is none',
    { binary: { 'darwin-aarch64': archive({ sha256 }) } },
    machine(),
    undefined,
  ],
  [
    'an unknown machine can have packages',
    { binary: { 'linux-x86_64': archive({ sha256 }) }, ...all },
    machine({ platform: 'freebsd' }),
    'npm',
  ],
] as const)('%s', (_, fields, on, kind) => expect(chooseOffer(agent(fields), on)?.kind).toBe(kind));

test('says which program a package still needs', () => {
  const without = { hasNode: false, hasUv: false };
  expect([
    missingManager({ kind: 'npm' }, without),
    missingManager({ kind: 'uv' }, without),
    missingManager({ kind: 'archive' }, without),
  ]).toEqual(['node', 'uv', undefined]);
  expect([missingManager({ kind: 'npm' }, machine()), missingManager({ kind: 'uv' }, machine())]).toEqual([
    undefined,
    undefined,
  ]);
});

test('consent is to the command, the source, the version, the variables and what checks them', () => {
  const facts = consentFacts(
    { kind: 'archive', ...archive({ sha256, args: ['acp', 'two words', '"'], env: { A: 'b' } }) },
    '1.0.0',
    'https://files.example/a.zip',
  );
  expect(facts).toMatchObject({
    runs: 'agent acp "two words" "\\""',
    from: 'https://files.example/a.zip',
    version: '1.0.0',
    env: ['A=b'],
    check: { kind: 'sha256', sha256 },
  });
  expect(consentFacts({ kind: 'archive', ...archive() }, '1.0.0', 'x').check).toEqual({ kind: 'none' });
  expect(consentFacts({ kind: 'npm', package: '@s/a@1.0.0', ...words }, '1.0.0', '@s/a@1.0.0')).toMatchObject({
    runs: '@s/a acp',
    check: { kind: 'npm' },
  });
  expect(
    consentFacts({ kind: 'uv', package: 'a[x]==1.0.0', program: 'run', ...words }, '1.0.0', 'a==1.0.0'),
  ).toMatchObject({ runs: 'run acp', check: { kind: 'uv' } });
});

test('consent to one thing is none to another', () => {
  const offers = [
    archive(),
    archive({ args: [] }),
    archive({ program: 'other' }),
    archive({ sha256 }),
    archive({ env: { A: 'b' } }),
  ];
  const fingerprints = offers.map((offer) => consentFacts({ kind: 'archive', ...offer }, '1.0.0', 'x').fingerprint);
  const others = [
    consentFacts({ kind: 'archive', ...archive() }, '1.0.1', 'x'),
    consentFacts({ kind: 'archive', ...archive() }, '1.0.0', 'y'),
  ].map(({ fingerprint }) => fingerprint);
  expect(new Set([...fingerprints, ...others]).size).toBe(7);
  expect(consentFacts({ kind: 'archive', ...archive() }, '1.0.0', 'x').fingerprint).toBe(fingerprints[0]);
});
