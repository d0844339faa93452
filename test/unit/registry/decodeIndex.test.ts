import { describe, expect, test } from 'vitest';
import { decodeIndex } from '../../../src/registry/decodeIndex';
import { programPath } from '../../../src/registry/packageNames';

const sha256 = 'a'.repeat(64);
const npx = { package: '@scope/agent@1.2.3', args: ['--acp'] };
const entry = (fields: object = {}) => ({
  id: 'agent',
  name: 'Agent',
  version: '1.2.3',
  description: 'Writes code.',
  distribution: { npx },
  ...fields,
});
const decoded = (...agents: unknown[]) => decodeIndex({ version: '1.0.0', agents })!;
const distributions = (distribution: object) => decoded(entry({ distribution })).agents[0];

describe('an index', () => {
  test('is read with all that Parley uses, and without the rest', () => {
    const archive = {
      archive: 'https://files.example/agent.tar.gz',
      cmd: './bin/agent',
      args: ['acp'],
      env: { A: '1' },
      sha256: sha256.toUpperCase(),
    };
    const { agents, skipped } = decoded(
      entry({
        authors: ['x'],
        repository: 'https://x.example',
        license: 'MIT',
        icon: 'agent.svg',
        future: {},
        distribution: {
          npx,
          uvx: { package: 'agent@1.2.3', cmd: 'run' },
          binary: { 'linux-x86_64': archive, 'plan9-mips': archive },
          container: { image: 'x' },
        },
      }),
    );
    expect(skipped).toEqual([]);
    expect(agents).toEqual([
      {
        id: 'agent',
        name: 'Agent',
        version: '1.2.3',
        description: 'Writes code.',
        license: 'MIT',
        icon: 'agent.svg',
        binary: {
          'linux-x86_64': { archive: archive.archive, program: 'bin/agent', args: ['acp'], env: { A: '1' }, sha256 },
        },
        npm: { package: '@scope/agent@1.2.3', args: ['--acp'], env: {} },
        uv: { package: 'agent==1.2.3', args: [], env: {}, program: 'run' },
      },
    ]);
  });

  test.each([undefined, null, [], 'text', 7, {}, { agents: {} }])('that is %j is none', (raw) =>
    expect(decodeIndex(raw)).toBeUndefined(),
  );

  test('drops only the bad entry', () => {
    const bad: readonly (readonly [unknown, string])[] = [
      ['text', 'Entry 2: it is no object'],
      [null, 'Entry 3: it is no object'],
      [entry({ id: 'Not Valid' }), 'Not Valid: it has no valid id'],
      [entry({ id: 7 }), 'Entry 5: it has no valid id'],
      [entry({ id: '../../etc' }), '../../etc: it has no valid id'],
      [entry({ id: 'b', name: '' }), 'b: it has no valid name'],
      [entry({ id: 'b', name: 'x'.repeat(81) }), 'b: it has no valid name'],
      [entry({ id: 'b', version: 'latest' }), 'b: it has no valid version'],
      [entry({ id: 'b', version: '../1.0' }), 'b: it has no valid version'],
      [entry({ id: 'b', distribution: {} }), 'b: it has no distribution that Parley knows'],
      [entry({ id: 'b', distribution: { container: {} } }), 'b: it has no distribution that Parley knows'],
      [entry(), 'agent: the id is there twice'],
    ];
    const { agents, skipped } = decoded(entry(), ...bad.map(([item]) => item), entry({ id: 'last' }));
    expect(agents.map(({ id }) => id)).toEqual(['agent', 'last']);
    expect(skipped).toEqual(bad.map(([, words]) => words));
  });

  test('is read up to a number of entries', () => {
    const { agents, skipped } = decoded(...Array.from({ length: 600 }, (_, at) => entry({ id: `a${at}` })));
    expect([agents.length, skipped]).toEqual([500, ['100 entries after the first 500']]);
  });

  test('has texts on one line', () => {
    expect(decoded(entry({ name: ' A\n gent ', description: 'One\n\ntwo' })).agents[0]).toMatchObject({
      name: 'A gent',
      description: 'One two',
    });
  });
});

describe('a distribution', () => {
  const other = { uvx: { package: 'agent==1.0' } };
  test.each([
    ['has no exact version', { package: '@scope/agent' }],
    ['is the latest', { package: '@scope/agent@latest' }],
    ['is a range', { package: 'agent@^1.0.0' }],
    ['is a path', { package: '../agent@1.0.0' }],
    ['is an address', { package: 'https://files.example/agent.tgz' }],
    ['has arguments that are no list', { ...npx, args: '--acp' }],
    ['has an argument that is no text', { ...npx, args: [1] }],
    ['has an argument with a NUL', { ...npx, args: ['a\0b'] }],
    ['has too many arguments', { ...npx, args: Array.from({ length: 65 }, () => 'x') }],
    ['has a long argument', { ...npx, args: ['x'.repeat(2_001)] }],
    ['has a variable that is no text', { ...npx, env: { A: 1 } }],
    ['has a variable with an odd name', { ...npx, env: { 'A=B': '1' } }],
    ['has a program that is a path', { ...npx, cmd: '../../bin/sh' }],
  ])('of npm that %s is left out', (_, bad) =>
    expect(distributions({ npx: bad, ...other })).toEqual(expect.not.objectContaining({ npm: expect.anything() })),
  );

  test.each(['agent==1.2.3', 'agent@1.2.3'])('of uv names its version as %s', (spec) =>
    expect(distributions({ uvx: { package: spec } })?.uv?.package).toBe('agent==1.2.3'),
  );
  test.each(['agent', 'agent@latest', 'agent>=1', 'git+https://x.example/agent'])(
    'of uv that is %s is left out',
    (spec) => expect(distributions({ npx, uvx: { package: spec } })).not.toHaveProperty('uv'),
  );

  test.each([
    ['a checksum that cannot be read', { sha256: 'abc' }],
    ['a checksum that is no text', { sha256: 1 }],
    ['no address', { archive: undefined }],
    ['no program', { cmd: undefined }],
    ['a program outside', { cmd: '../agent' }],
  ])('of an archive with %s is left out', (_, bad) => {
    const archive = { archive: 'https://files.example/a.zip', cmd: 'agent', ...bad };
    expect(distributions({ npx, binary: { 'linux-x86_64': archive } })?.binary).toEqual({});
  });
});

test.each([
  ['./agent', 'agent'],
  ['agent', 'agent'],
  ['bin/agent.exe', 'bin/agent.exe'],
  ['.\\bin\\agent.exe', 'bin/agent.exe'],
  ['a//b', 'a/b'],
  ['/bin/sh', undefined],
  ['../agent', undefined],
  ['a/../../b', undefined],
  ['C:\\agent.exe', undefined],
  ['\\\\host\\share', undefined],
  ['agent\0', undefined],
  ['agent.', undefined],
  ['.', undefined],
  ['', undefined],
])('the program %j is at %j', (text, expected) => expect(programPath(text)).toBe(expected));
