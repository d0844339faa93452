import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  exactPackage,
  isProgramName,
  latestOf,
  type ManagerName,
  packageNameOf,
  specExamples,
  specOf,
} from '../../../src/registry/packageNames';

interface Manifest {
  readonly contributes: {
    readonly configuration: {
      readonly properties: {
        readonly 'parley.agents': {
          readonly additionalProperties: {
            readonly anyOf: readonly [
              unknown,
              { readonly properties: Readonly<Record<ManagerName | 'program', { readonly pattern: string }>> },
            ];
          };
        };
      };
    };
  };
}

test('a spec has its package’s name', () => {
  expect(['a', 'a@1', '@s/a', '@s/a@^1.0'].map((spec) => packageNameOf('npm', spec))).toEqual([
    'a',
    'a',
    '@s/a',
    '@s/a',
  ]);
  expect(['a', 'a==1', 'a-b>=1,<2', 'a[x]~=1.0', 'a!=1'].map((spec) => packageNameOf('uv', spec))).toEqual([
    'a',
    'a',
    'a-b',
    'a[x]',
    'a',
  ]);
});

test.each(['1', '1.2', '2024.10.1', '1.0rc1', '1.0a1.dev2', '1.0.post1', '1.0+local.5'])(
  'agent==%s is an exact version of Python’s',
  (version) => {
    const item = exactPackage('uv', `agent==${version}`);
    expect(item).toEqual({ manager: 'uv', key: 'uv+agent', name: 'agent', version });
    expect(item && specOf(item)).toBe(`agent==${version}`);
  },
);

test.each([
  'agent',
  'agent==',
  'agent>=1.0',
  'agent==1.*',
  'agent==1.0,<2',
  'agent@1.0',
  '-r==1.0',
  '../agent==1.0',
  'a/b==1.0',
  'agent==1.0/..',
  'agent==1!1.0',
  'agent ==1.0',
  'agent[==1.0',
  'agent[../x]==1.0',
  'agent-==1.0',
  'agent==1.0\n-r x',
])('%j is none', (spec) => {
  expect(exactPackage('uv', spec)).toBeUndefined();
});

test('spellings of one Python package share a folder; extras have their own', () => {
  expect(['My.Agent', 'my__agent', 'my-agent'].map((name) => exactPackage('uv', `${name}==1`)?.key)).toEqual([
    'uv+my-agent',
    'uv+my-agent',
    'uv+my-agent',
  ]);
  expect(exactPackage('uv', 'agent[acp,x]==1')?.key).toBe('uv+agent[acp,x]');
  expect(exactPackage('npm', '@s/my.agent@1.0.0')?.key).toBe('npm+@s+my.agent');
});

test('each manager is asked for the newest in its own words', () => {
  expect([latestOf({ manager: 'npm', name: '@s/a' }), latestOf({ manager: 'uv', name: 'a[x]' })]).toEqual([
    '@s/a@latest',
    'a[x]',
  ]);
});

test('a program is a name and no path', () => {
  expect(['agent', 'my-agent', 'agent.py', '_a', '', '..', '.', 'a/b', 'a\\b', '-c', 'a b'].map(isProgramName)).toEqual(
    [true, true, true, true, false, false, false, false, false, false, false],
  );
});

test('the schema of the setting takes what the setting takes', () => {
  const manifest = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'),
  ) as Manifest;
  const entry = manifest.contributes.configuration.properties['parley.agents'].additionalProperties.anyOf[1].properties;
  const samples = [
    'a',
    'a@1.0.0',
    '@s/a@1.0.0',
    'a==1',
    'My.Agent[acp,x]==1.0rc1.post2+x.1',
    'a==1.*',
    'a>=1',
    'a-==1',
    '../a==1',
    'a==1/..',
    'a==v1',
    '-r==1',
  ];
  for (const manager of ['npm', 'uv'] as const)
    expect([manager, ...samples.filter((spec) => new RegExp(entry[manager].pattern).test(spec))]).toEqual([
      manager,
      ...samples.filter((spec) => exactPackage(manager, spec)),
    ]);
  // Of a package a name, of an archive a path.
  expect(
    ['agent', 'bin/agent', './agent.exe', '../a', '/bin/sh', '-c'].map((name) =>
      new RegExp(entry.program.pattern).test(name),
    ),
  ).toEqual([true, true, true, false, false, false]);
  expect(
    ['npm', 'uv'].map((manager) => exactPackage(manager as ManagerName, specExamples[manager as ManagerName])?.manager),
  ).toEqual(['npm', 'uv']);
});
