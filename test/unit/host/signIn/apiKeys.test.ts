import { expect, it } from 'vitest';
import { ApiKeys } from '../../../../src/host/signIn/apiKeys';
import { signInCommand } from '../../../../src/host/signIn/signInCommand';
import { secretlessLog } from '../../../../src/host/platform/secretlessLog';
import { silentLogger } from '../../../../src/base/log';

function storage(values: Record<string, string> = {}) {
  const map = new Map(Object.entries(values));
  return {
    map,
    get: async (key: string) => map.get(key),
    store: async (key: string, value: string) => void map.set(key, value),
    delete: async (key: string) => void map.delete(key),
  };
}

it('51: keys are kept by agent and method, and forgotten together', async () => {
  const secrets = storage();
  const keys = new ApiKeys(secrets);
  await keys.set('A', 'm', 'one');
  await keys.set('A', '__proto__', 'two');
  await keys.set('B', 'm', 'three');
  expect([
    await keys.get('A', 'm'),
    await keys.get('A', '__proto__'),
    await keys.get('A', 'constructor'),
    await keys.get('B', 'm'),
  ]).toEqual(['one', 'two', undefined, 'three']);
  await keys.delete('B', 'm');
  await keys.delete('B', 'm');
  expect(await keys.forget('B')).toBe(false);
  expect(await keys.forget('A')).toBe(true);
  expect(secrets.map.size).toBe(0);
});

it('51: no key that an agent was given stands in the log, whoever repeats it', async () => {
  const keys = new ApiKeys(storage());
  const logged: string[] = [];
  const log = secretlessLog(
    { ...silentLogger, debug: (message) => void logged.push(message), trace: (message) => void logged.push(message) },
    () => keys.used,
  );
  await keys.set('A', 'm', 'kept-1');
  keys.use('typed-2');
  keys.use(await keys.get('A', 'm'));
  log.debug('A stderr: the key typed-2 is wrong');
  log.trace('A ← {"error":{"message":"kept-1"}}');
  expect(logged).toEqual(['A stderr: the key ••• is wrong', 'A ← {"error":{"message":"•••"}}']);
});

it.each(['', '{', '7', '{"m":"x"}', '[["m"],["n",4],null]'])('51: a secret that is %j holds no key', async (value) => {
  expect(await new ApiKeys(storage({ 'parley.apiKeys.A': value })).get('A', 'm')).toBeUndefined();
});

it('44, 46: a command shows all that comes from the agent, and nothing of what the user configured', () => {
  const configuration = {
    name: 'A',
    command: '/opt/a/bin/agent',
    args: ['--acp'],
    env: { TOKEN: 'hush', X: '1' },
    cwd: '/home/me',
    capabilities: {},
  };
  const method = (how: object) => ({ id: 'm', name: 'Log in', how }) as never;
  expect(signInCommand(method({ type: 'ownCommand', args: ['log in'], env: { X: '2' } }), configuration, '/w')).toEqual(
    {
      title: 'Log in',
      command: '/opt/a/bin/agent',
      args: ['--acp', 'log in'],
      env: { TOKEN: 'hush', X: '2' },
      cwd: '/home/me',
      programFolders: '/opt/a/bin',
      line: "/opt/a/bin/agent --acp 'log in'",
      variables: ['X=2'],
    },
  );
  const { cwd: _, ...elsewhere } = configuration;
  expect(
    signInCommand(
      method({ type: 'command', command: 'other', args: [], env: {} }),
      { ...elsewhere, command: 'agent' },
      '/w',
    ),
  ).toEqual({
    title: 'Log in',
    command: 'other',
    args: [],
    env: { TOKEN: 'hush', X: '1' },
    cwd: '/w',
    line: 'other',
    variables: [],
  });
  expect(signInCommand(method({ type: 'agent' }), configuration, '/w')).toBeUndefined();
});
