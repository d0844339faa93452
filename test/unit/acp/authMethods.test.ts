import { describe, expect, it } from 'vitest';
import { decodeAuthMethods, offeredMethods } from '../../../src/acp/authMethods';
import { allFeatures } from '../../../src/acp/clientFeatures';
import { apiKeyMeta, noQuirks, quirksOf } from '../../../src/acp/quirks';

const how = (fields: object) => decodeAuthMethods([{ id: 'm', name: 'M', ...fields }])[0]?.how;
const spelledOut = { command: 'fake', args: ['auth', 'login'], env: { A: 'b' }, label: 'Fake Login' };

/* `authMethods` as the schema has them, and as agents were seen to send them. */
describe('methods of signing in', () => {
  it.each<[string, object, unknown]>([
    ['38: without a type, of the agent’s own', {}, { type: 'agent' }],
    ['38: with the type agent', { type: 'agent' }, { type: 'agent' }],
    ['47: of the type that the schema had once', { type: 'env_var', vars: [{ name: 'X' }] }, { type: 'agent' }],
    ['47: of a type that nobody knows', { type: { future: 1 } }, { type: 'agent' }],
    [
      '44: in a terminal',
      { type: 'terminal', args: ['--cli'], env: { A: 'b' } },
      { type: 'ownCommand', args: ['--cli'], env: { A: 'b' } },
    ],
    [
      '44: in a terminal, with nothing added',
      { type: 'terminal', args: null },
      { type: 'ownCommand', args: [], env: {} },
    ],
    [
      '44: in a terminal, with rubbish among what is added',
      { type: 'terminal', args: ['a', 1, null], env: { A: 'b', C: 3 } },
      { type: 'ownCommand', args: ['a'], env: { A: 'b' } },
    ],
    [
      '44: in a terminal both ways: the schema’s counts',
      { type: 'terminal', args: ['--cli'], _meta: { 'terminal-auth': spelledOut } },
      { type: 'ownCommand', args: ['--cli'], env: {} },
    ],
    [
      '46: by a command that is spelled out',
      { _meta: { 'terminal-auth': spelledOut } },
      { type: 'command', command: 'fake', args: ['auth', 'login'], env: { A: 'b' } },
    ],
    [
      '46: by a command alone',
      { type: 'other', _meta: { 'terminal-auth': { command: 'fake' } } },
      { type: 'command', command: 'fake', args: [], env: {} },
    ],
    ['46: by a command that is not told', { _meta: { 'terminal-auth': { args: ['x'] } } }, { type: 'agent' }],
    ['51: with a key', { _meta: { 'api-key': { provider: 'fake' } } }, { type: 'apiKey' }],
    ['with another key of _meta', { _meta: { gateway: { protocol: 'fake' } } }, { type: 'agent' }],
  ])('%s', (_, fields, expected) => expect(how(fields)).toEqual(expected));

  it('47: malformed ones and the second of one id are skipped, what is missing is made up for', () => {
    const raw = [
      null,
      3,
      [],
      { name: 'no id' },
      { id: 4 },
      { id: 'a', name: 7, description: null },
      { id: 'a', name: 'again' },
      { id: 'b', name: '', description: 'B' },
    ];
    expect(decodeAuthMethods(raw)).toEqual([
      { id: 'a', name: 'a', how: { type: 'agent' } },
      { id: 'b', name: 'b', description: 'B', how: { type: 'agent' } },
    ]);
    for (const rubbish of [undefined, null, {}, 'a', 1]) expect(decodeAuthMethods(rubbish)).toEqual([]);
  });

  it.each([
    ['auth.terminal', ['a', 'command']],
    ['_meta.terminal-auth', ['a', 'own']],
  ] as const)('26: without %s only %j are offered', (feature, expected) => {
    const methods = decodeAuthMethods([
      { id: 'a' },
      { id: 'own', type: 'terminal' },
      { id: 'command', _meta: { 'terminal-auth': spelledOut } },
    ]);
    expect(offeredMethods(methods, { ...allFeatures, [feature]: false }).map(({ id }) => id)).toEqual(expected);
    expect(offeredMethods(methods, allFeatures)).toEqual(methods);
  });

  it('a key goes out in the shape that the agent wants', () => {
    expect(apiKeyMeta('k', noQuirks)).toEqual({ 'api-key': 'k' });
    expect(
      apiKeyMeta('k', quirksOf({ info: { name: '@agentclientprotocol/codex-acp', version: '' } } as never)),
    ).toEqual({ 'api-key': { apiKey: 'k' } });
  });
});
