import { expect, test, vi } from 'vitest';
import { decodeAgent } from '../../../../src/host/configuration';

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
  ['both', { npm: 'a@1.0.0', command: 'a' }, /only one of them/],
  ...['a', 'a@latest', 'a@^1.0.0', 'a@1', '../a@1.0.0', '@s/../a@1.0.0', 'a@1.0.0/../..', 'git+ssh://x@1.0.0', '-a b@1.0.0'].map((npm): [string, unknown, RegExp] => [`the package ${npm}`, { npm }, /exact version/]),
])('an entry that has %s', (_, entry, expected) => {
  const decoded = decodeAgent('Gemini CLI', entry, builtIn);
  if (expected instanceof RegExp) expect(decoded).toMatch(expected);
  else expect({ source: undefined, ...(decoded as object) }).toMatchObject(expected);
});

test('an entry of another name must say what to start', () => {
  expect(decodeAgent('Mine', {})).toBe('“Mine” has no command');
});
