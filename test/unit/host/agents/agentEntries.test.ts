import { expect, test, vi } from 'vitest';
import { decodeAgent } from '../../../../src/host/agents/agentSettings';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const builtIn = { id: 'gemini', name: 'Gemini CLI', package: '@google/gemini-cli', version: '0.61.0', args: ['--acp'], env: { A: '1' }, locked: true, lock: '/x/gemini.lock.json' };
const own = { key: 'gemini', name: '@google/gemini-cli', version: '0.61.0', lock: '/x/gemini.lock.json', pinned: false };

test.each<[string, unknown, object | RegExp]>([
  ['a built-in agent by itself', {}, { command: '@google/gemini-cli@0.61.0', source: own, args: ['--acp'], env: { A: '1' } }],
  ['its variables', { env: { B: '2' } }, { source: own, env: { A: '1', B: '2' } }],
  ['other arguments', { args: ['--acp', '--debug'] }, { source: own, args: ['--acp', '--debug'] }],
  ['a program in its place', { command: '/opt/gemini' }, { command: '/opt/gemini', source: undefined, args: [], env: {} }],
  ['another version', { npm: '@google/gemini-cli@0.60.0', args: ['--acp'] }, { command: '@google/gemini-cli@0.60.0', source: { key: 'npm+@google+gemini-cli', name: '@google/gemini-cli', version: '0.60.0', pinned: true } }],
  ['a version before a release', { npm: 'a@1.0.0-rc.1+5' }, { source: { key: 'npm+a', name: 'a', version: '1.0.0-rc.1+5', pinned: true } }],
  ['a Python package', { uv: 'My-Agent==1.2.3', args: ['acp'] }, { command: 'My-Agent==1.2.3', args: ['acp'], env: {}, source: { manager: 'uv', key: 'uv+my-agent', name: 'My-Agent', version: '1.2.3', pinned: true } }],
  ['a program of a Python package', { uv: 'a[acp]==1.2rc1', program: 'b' }, { command: 'a[acp]==1.2rc1', source: { manager: 'uv', key: 'uv+a[acp]', name: 'a[acp]', version: '1.2rc1', program: 'b', pinned: true } }],
  ['two packages', { npm: 'a@1.0.0', uv: 'a==1.0.0' }, /has npm, uv\. Keep only one of them/],
  ['a command and a Python package', { command: 'a', uv: 'a==1.0.0' }, /has command, uv\. Keep only one of them/],
  ['a program of an npm package', { npm: 'a@1.0.0', program: 'b' }, { source: { manager: 'npm', key: 'npm+a', name: 'a', version: '1.0.0', program: 'b', pinned: true } }],
  ['a program without a package', { program: 'b' }, /program must name a command of the package/],
  ['a path as its program', { uv: 'a==1.0.0', program: '../b' }, /program must name a command of the package/],
  ['an archive', { archive: 'https://files.example/a.zip', version: '1.2.3', program: './bin/a', sha256: 'A'.repeat(64), registry: 'my-agent' }, { command: 'Gemini CLI 1.2.3', registry: 'my-agent', source: { manager: 'archive', key: 'archive+my-agent', name: 'Gemini CLI', version: '1.2.3', program: 'bin/a', archive: { address: 'https://files.example/a.zip', sha256: 'a'.repeat(64) }, pinned: true } }],
  ['an archive of no index', { archive: 'https://files.example/a.zip', version: '1.2.3', program: 'a' }, { source: { key: expect.stringMatching(/^archive\+gemini-cli~[0-9a-z]+$/) } }],
  ['an archive and a package', { archive: 'https://files.example/a.zip', npm: 'a@1.0.0' }, /has npm, archive\. Keep only one of them/],
  ['an archive without a version', { archive: 'https://files.example/a.zip', program: 'a' }, /version must be the version of the archive/],
  ['an archive without a program', { archive: 'https://files.example/a.zip', version: '1.0.0' }, /program must be a path inside the archive/],
  ['an archive with a program outside', { archive: 'https://files.example/a.zip', version: '1.0.0', program: '../a' }, /program must be a path inside the archive/],
  ['an archive with half a checksum', { archive: 'https://files.example/a.zip', version: '1.0.0', program: 'a', sha256: 'abc' }, /sha256 must have 64 hexadecimal digits/],
  ['an id that is a path', { npm: 'a@1.0.0', registry: '../x' }, /registry must be an id/],
  ...['a', 'a==1.*', 'a>=1.0', 'a@1.0', '../a==1.0', 'git+https://x==1.0', '-r==1.0'].map((uv): [string, unknown, RegExp] => [`the Python package ${uv}`, { uv }, /uv must be a package with its exact version/]),
  ['both', { npm: 'a@1.0.0', command: 'a' }, /only one of them/],
  ...['a', 'a@latest', 'a@^1.0.0', 'a@1', '../a@1.0.0', '@s/../a@1.0.0', 'a@1.0.0/../..', 'git+ssh://x@1.0.0', '-a b@1.0.0'].map((npm): [string, unknown, RegExp] => [`the package ${npm}`, { npm }, /exact version/]),
])('an entry that has %s', (_, entry, expected) => {
  const decoded = decodeAgent('Gemini CLI', entry, builtIn);
  if (expected instanceof RegExp) expect(decoded).toMatch(expected);
  else expect({ source: undefined, ...(decoded as object) }).toMatchObject(expected);
});

test('an entry of another name must say what to start', () => {
  expect(decodeAgent('Mine', {})).toBe('“Mine” has no command.');
});
