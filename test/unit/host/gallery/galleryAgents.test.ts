import { expect, test, vi } from 'vitest';
import { decodeAgent } from '../../../../src/host/agents/agentSettings';
import type { AgentConfiguration } from '../../../../src/host/agents/agentSettings';
import { catalogue } from '../../../../src/host/agents/catalogue';
import { entryOf } from '../../../../src/host/gallery/agentEntry';
import { galleryAgents, type GallerySources } from '../../../../src/host/gallery/galleryAgents';
import { menuActs, projectAgent, type RowFacts } from '../../../../src/host/gallery/projectAgent';
import type { RegistryAgent } from '../../../../src/registry/decodeIndex';
import { nameKey } from '../../../../src/registry/lookAlikes';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const machine = { platform: 'linux', arch: 'x64', hasNode: true, hasUv: false };
const listed = (id: string, fields: Partial<RegistryAgent> = {}): RegistryAgent => ({
  id,
  name: id.toUpperCase(),
  description: `About ${id}`,
  version: '1.0.0',
  binary: {},
  npm: { package: `${id}@1.0.0`, args: ['acp'], env: {} },
  ...fields,
});
const configured = (name: string, entry: object): AgentConfiguration => {
  const decoded = decodeAgent(name, entry);
  if (typeof decoded === 'string') throw new Error(decoded);
  return decoded;
};
const [claude] = catalogue;
const builtIn: AgentConfiguration = {
  name: claude!.name,
  command: 'x',
  args: [],
  env: {},
  capabilities: {},
  source: { manager: 'npm', key: claude!.id, name: claude!.package, version: claude!.version, pinned: false },
};
const demo: AgentConfiguration = {
  name: 'Parley Demo',
  command: 'node',
  args: [],
  env: {},
  capabilities: {},
  isDemo: true,
};
const gallery = (fields: Partial<GallerySources>) =>
  galleryAgents({
    agents: [demo],
    catalogue,
    listed: [],
    index: new URL('https://index.example/v1/registry.json'),
    machine,
    ...fields,
  });

test('the gallery begins with the agents of the user and of Parley, and ends with the demo', () => {
  const found = gallery({
    agents: [
      builtIn,
      configured('Mine', { command: 'mine' }),
      configured('From the index', { npm: 'zed@1.0.0', registry: 'zed' }),
      demo,
    ],
    listed: [listed('zed'), listed('yak'), listed('ant')],
  });
  expect(found.map(({ key, kind }) => [key, kind])).toEqual([
    [`builtIn:${claude!.id}`, 'builtIn'],
    ['agent:Mine', 'custom'],
    ['listed:zed', 'listed'],
    ['listed:ant', 'listed'],
    ['listed:yak', 'listed'],
    ['demo', 'demo'],
  ]);
});

test.each([
  ['its id', listed(claude!.registry[0]!, { npm: { package: 'another@9.0.0', args: [], env: {} } }), claude!.version],
  [
    'its package',
    listed('other-id', { npm: { package: `${claude!.package}@999.0.0`, args: ['evil'], env: { EVIL: '1' } } }),
    '999.0.0',
  ],
  [
    'its package in an older version',
    listed('other-id', { npm: { package: `${claude!.package}@0.0.1`, args: [], env: {} } }),
    claude!.version,
  ],
])(
  'a built-in agent is known in the index by %s, and keeps its own package, arguments and variables',
  (_, entry, version) => {
    const [agent, ...rest] = gallery({ agents: [builtIn, demo], listed: [entry] });
    expect(rest).toHaveLength(1);
    expect(agent).toMatchObject({
      kind: 'builtIn',
      id: entry.id,
      about: 'Anthropic’s coding agent',
      offered: { version, item: { name: claude!.package, key: claude!.id, version }, offer: { args: [], env: {} } },
    });
  },
);

test('an agent of the index does not take the name of another one', () => {
  expect(
    gallery({ agents: [configured('YAK', { command: 'yak' }), demo], listed: [listed('yak')] }).map(({ name }) => name),
  ).toEqual(['YAK', 'YAK (yak)', 'Parley Demo']);
});

test('an archive is downloaded from where the index says, by https', () => {
  const binary = (archive: string) => ({
    'linux-x86_64': { archive, program: 'bin/a', args: ['acp'], env: { A: '1' }, sha256: 'a'.repeat(64) },
  });
  const [relative, outside] = gallery({
    listed: [
      listed('ant', { binary: binary('../files/a.zip') }),
      listed('bee', { binary: binary('http://a.example/a.zip') }),
    ],
  });
  expect(relative!.offered).toMatchObject({
    from: 'https://index.example/files/a.zip',
    host: 'index.example',
    item: {
      manager: 'archive',
      key: 'archive+ant',
      program: 'bin/a',
      archive: { address: 'https://index.example/files/a.zip', sha256: 'a'.repeat(64) },
    },
  });
  expect(outside!.offered).toBeUndefined();
});

test('the entry of an installed agent says all that runs, and can be read again', () => {
  const binary = {
    'linux-x86_64': {
      archive: 'https://a.example/a.zip',
      program: 'bin/a',
      args: ['acp'],
      env: { A: '1' },
      sha256: 'a'.repeat(64),
    },
  };
  const offers = gallery({
    listed: [
      listed('ant', { binary }),
      listed('bee'),
      listed('cat', { npm: undefined as never, uv: { package: 'cat==2.0', program: 'run', args: [], env: {} } }),
    ],
  }).flatMap(({ offered }) => offered ?? []);
  const entries = offers.map((offered, at) => entryOf(['ant', 'bee', 'cat'][at]!, offered, {}));
  expect(entries).toEqual([
    {
      registry: 'ant',
      archive: 'https://a.example/a.zip',
      version: '1.0.0',
      program: 'bin/a',
      sha256: 'a'.repeat(64),
      args: ['acp'],
      env: { A: '1' },
    },
    { registry: 'bee', npm: 'bee@1.0.0', args: ['acp'] },
    { registry: 'cat', uv: 'cat==2.0', program: 'run', args: [] },
  ]);
  // What the installer was given and what starts later are the same.
  expect(entries.map((entry, at) => configured('X', entry).source?.key === offers[at]!.item.key)).toEqual([
    true,
    true,
    true,
  ]);
});

test('an update keeps what the user added to the entry', () => {
  const [{ offered } = {}] = gallery({
    listed: [listed('bee', { npm: { package: 'bee@2.0.0', args: ['new'], env: { B: '2' } } })],
  });
  const former = {
    registry: 'bee',
    npm: 'bee@1.0.0',
    program: 'p',
    args: ['old'],
    env: { MINE: '1', B: '1' },
    cwd: '/w',
    capabilities: { terminal: false },
  };
  expect(entryOf('bee', offered!, former)).toEqual({
    registry: 'bee',
    npm: 'bee@2.0.0',
    args: ['new'],
    env: { MINE: '1', B: '2' },
    cwd: '/w',
    capabilities: { terminal: false },
  });
});

test.each<[what: string, former: object]>([
  ['another package', { registry: 'bee', npm: 'wasp@1.0.0' }],
  ['an archive', { registry: 'bee', archive: 'https://a.example/a.zip', version: '1.0.0' }],
  ['another agent', { registry: 'wasp', npm: 'bee@1.0.0' }],
  ['a command', { command: 'bee' }],
])('variables of the user that were for %s do not pass to what is installed now', (_what, former) => {
  const [{ offered } = {}] = gallery({
    listed: [listed('bee', { npm: { package: 'bee@2.0.0', args: [], env: { B: '2' } } })],
  });
  expect(entryOf('bee', offered!, { ...former, env: { API_KEY: '${secret}' }, cwd: '/w' })).toEqual({
    registry: 'bee',
    npm: 'bee@2.0.0',
    args: [],
    env: { B: '2' },
    cwd: '/w',
  });
});

test('agents of the index have names that differ, whatever comes first, also from those of the user and of Parley', () => {
  const named = (id: string, name: string) => ({ ...listed(id), name });
  const list = [
    named('evil', 'Acorn'),
    named('acorn', 'ACORN'),
    named('cline', 'CIine'),
    named('mine', 'M1ne'),
    named('bee', 'Bee'),
    named('x', 'Bee (bee)'),
  ];
  const names = gallery({
    agents: [configured('Mine', { command: 'mine' }), configured('Cline', { command: 'cline' }), demo],
    listed: list,
  }).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['Acorn (evil)', 'ACORN (acorn)', 'CIine (cline)', 'M1ne (mine)', 'Bee', 'Bee (bee)']),
  );
  expect(new Set(names.map(nameKey)).size).toBe(names.length);
});

const facts = (fields: Partial<RowFacts> = {}): RowFacts => ({
  machine,
  isTrusted: true,
  isCurrent: false,
  isPinned: false,
  isInstalling: false,
  wantsSignIn: false,
  ...fields,
});

test('nothing is installed in Restricted Mode', () => {
  const [agent] = gallery({ listed: [listed('bee')] });
  expect(projectAgent(agent!, facts()).button).toBe('install');
  expect(projectAgent(agent!, facts({ isTrusted: false })).button).toBeUndefined();
  expect(projectAgent(agent!, facts({ isTrusted: false, problem: 'x' })).button).toBeUndefined();
});

test('the menu has only what can be done', () => {
  const [own] = gallery({
    agents: [configured('BEE', { npm: 'bee@1.0.0', registry: 'bee' }), demo],
    listed: [listed('bee', { npm: { package: 'bee@2.0.0', args: [], env: {} } })],
  });
  const [mine, last] = gallery({ agents: [configured('Mine', { command: 'mine' }), demo] });
  expect(menuActs(own!, facts({ installed: '1.0.0', previous: '0.9.0' }))).toEqual([
    'update',
    'goBack',
    'pin',
    'edit',
    'remove',
  ]);
  expect(menuActs(own!, facts({ installed: '1.0.0', isPinned: true }))).toEqual(['update', 'unpin', 'edit', 'remove']);
  expect(menuActs(own!, facts({ installed: '1.0.0', wantsSignIn: true, isTrusted: false }))).toEqual([
    'use',
    'pin',
    'edit',
    'remove',
  ]);
  expect(menuActs(own!, facts({ isInstalling: true }))).toEqual([]);
  expect(menuActs(mine!, facts())).toEqual(['edit', 'duplicate', 'remove']);
  expect(menuActs(last!, facts())).toEqual([]);
});
