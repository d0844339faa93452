import { describe, expect, test } from 'vitest';
import type { KnownServer, ServerSource } from '../../../../src/host/mcp/knownServer';
import { knownServer } from '../../../../src/host/mcp/readServers';
import { passServers, type PassRequest } from '../../../../src/host/mcp/passServers';
import { decodeServerFile } from '../../../../src/host/mcp/serverDefinition';

const workspace: ServerSource = { kind: 'workspace', file: '/w/.vscode/mcp.json', folder: '/w' };

function servers(file: object, source: ServerSource = { kind: 'settings' }): KnownServer[] {
  const { servers: entries, inputs } = decodeServerFile(JSON.stringify(file));
  return entries.map((entry) => knownServer(entry, source, inputs, () => undefined));
}

function pass(known: readonly KnownServer[], request: Partial<PassRequest> = {}) {
  return passServers({
    known,
    agent: 'Fake',
    takes: { stdio: true, http: true, sse: true },
    valuesFor: (source) => ({
      env: (name) => ({ HOST: 'example.com' })[name],
      folder: source.kind === 'workspace' ? source.folder : '/cwd',
      folderNamed: (name) => ({ docs: '/docs' })[name],
      userHome: '/home/me',
    }),
    answer: (_server, { id }) => Promise.resolve(`answer-${id}`),
    findProgram: (command, folder) =>
      Promise.resolve(
        command === 'nowhere'
          ? undefined
          : command.startsWith('/')
            ? command
            : command.includes('/')
              ? `${folder}/${command}`
              : `/bin/${command}`,
      ),
    ...request,
  });
}

describe('what goes to the agent', () => {
  test('66 a program with its absolute path, without a type, with lists of args and env', async () => {
    const { mcpServers } = await pass(
      servers({
        servers: { a: { command: 'npx', args: ['-y'], env: { KEY: 'v' } }, b: { type: 'stdio', command: 'x' } },
      }),
    );
    expect(mcpServers).toEqual([
      { name: 'a', command: '/bin/npx', args: ['-y'], env: [{ name: 'KEY', value: 'v' }] },
      { name: 'b', command: '/bin/x', args: [], env: [] },
    ]);
  });

  test('65 HTTP and SSE only where the agent takes them, and why not is said', async () => {
    const known = servers({
      servers: {
        h: { url: 'https://x/h', headers: { A: 'b' } },
        s: { type: 'sse', url: 'https://x/s' },
        p: { command: 'p' },
      },
    });
    const both = await pass(known);
    expect(both.mcpServers.map((server) => ('type' in server ? server.type : 'stdio'))).toEqual([
      'http',
      'sse',
      'stdio',
    ]);
    expect(both.mcpServers[0]).toEqual({
      type: 'http',
      name: 'h',
      url: 'https://x/h',
      headers: [{ name: 'A', value: 'b' }],
    });
    const none = await pass(known, { takes: { stdio: true, http: false, sse: false } });
    expect(none.mcpServers.map(({ name }) => name)).toEqual(['p']);
    expect(none.outcomes.map(({ name, state, why }) => [name, state, why])).toEqual([
      ['h', 'left', 'Fake does not support HTTP servers'],
      ['s', 'left', 'Fake does not support SSE servers'],
      ['p', 'passed', undefined],
    ]);
  });

  test('an agent gets only the servers that its entry names, where it names any', async () => {
    const known = servers({ servers: { a: { command: 'x' }, b: { command: 'x' } } });
    const one = await pass(known, { only: ['b', 'unknown'] });
    expect(one.mcpServers.map(({ name }) => name)).toEqual(['b']);
    expect(one.outcomes.map(({ name, state }) => [name, state])).toEqual([
      ['a', 'left'],
      ['b', 'passed'],
    ]);
    expect((await pass(known, { only: [] })).mcpServers).toEqual([]);
    expect((await pass(known, { only: undefined })).mcpServers).toHaveLength(2);
  });

  test('variables are replaced in every text', async () => {
    const { mcpServers } = await pass(
      servers({
        servers: {
          a: {
            command: '${workspaceFolder}/run',
            args: ['${userHome}', '${workspaceFolder:docs}', '${workspaceFolderBasename}', '${env:NONE}'],
            env: { A: '${input:t}-${input:t}' },
          },
          b: { url: 'https://${env:HOST}/x', headers: { Authorization: 'Bearer ${input:t}' } },
        },
      }),
    );
    expect(mcpServers).toEqual([
      {
        name: 'a',
        command: '/cwd/run',
        args: ['/home/me', '/docs', 'cwd', ''],
        env: [{ name: 'A', value: 'answer-t-answer-t' }],
      },
      {
        type: 'http',
        name: 'b',
        url: 'https://example.com/x',
        headers: [{ name: 'Authorization', value: 'Bearer answer-t' }],
      },
    ]);
  });

  test('a workspace’s own paths begin in its folder', async () => {
    const { mcpServers } = await pass(
      servers({ servers: { a: { command: './server', args: ['${workspaceFolder}'] } } }, workspace).map((server) => ({
        ...server,
        adoption: 'adopted' as const,
      })),
    );
    expect(mcpServers).toMatchObject([{ command: '/w/./server', args: ['/w'] }]);
  });

  test.each(['new', 'changed', 'declined'] as const)(
    'nothing that the user has not agreed to: %s',
    async (adoption) => {
      let asked = 0;
      const known = servers({ servers: { evil: { command: 'sh', args: ['${input:token}'] } } }, workspace).map(
        (server) => ({ ...server, adoption }),
      );
      const { mcpServers, outcomes } = await pass(known, { answer: () => Promise.resolve(String(asked++)) });
      expect([mcpServers, outcomes[0]?.state, asked]).toEqual([[], 'undecided', 0]);
    },
  );

  test('a name belongs to the first who has a say in it', async () => {
    const mine = servers({ servers: { github: { command: 'mine' } } });
    const theirs = servers({ servers: { github: { command: 'theirs' } } }, workspace).map((server) => ({
      ...server,
      adoption: 'adopted' as const,
    }));
    const { mcpServers, outcomes } = await pass([...mine, ...theirs]);
    expect(mcpServers).toMatchObject([{ command: '/bin/mine' }]);
    expect(outcomes[1]?.why).toBe('a server with the same name takes precedence');
    const undecided = servers({ servers: { github: { command: 'x' } } }, { kind: 'user', file: '/u' });
    expect((await pass([...undecided, ...theirs])).mcpServers).toMatchObject([{ command: '/bin/theirs' }]);
  });
});

describe('a server is left out, with the reason, and the others are passed on', () => {
  const rows: readonly (readonly [what: string, definition: object, why: string])[] = [
    [
      'a question that was not answered',
      { command: 'x', args: ['${input:cancelled}'] },
      '“cancelled” was not answered',
    ],
    [
      'an input that runs a command',
      { command: 'x', args: ['${input:run}'] },
      'Parley does not support its input “run” of type “command”',
    ],
    ['an unknown variable', { command: 'x', args: ['${config:x}'] }, 'the variable ${config:x} is unknown'],
    [
      'a variable without an end before one that is unknown',
      { command: 'x', args: ['${a${config:x}'] },
      'the variable ${a${config:x} is unknown',
    ],
    ['very many variables without an end', { url: '${'.repeat(400_000) }, 'its url is not an http or https address'],
    [
      'a folder that is not there',
      { command: 'x', args: ['${workspaceFolder:gone}'] },
      'there is no workspace folder “gone”',
    ],
    ['a program that is not there', { command: 'nowhere' }, 'its program “nowhere” was not found'],
    ['a local file as address', { url: 'file:///etc/passwd' }, 'its url is not an http or https address'],
    ['an address that is none', { url: '${env:NONE}' }, 'its url is not an http or https address'],
    [
      'a header with a line break',
      { url: 'https://x', headers: { A: 'b\r\nC: d' } },
      'one of its headers is not valid',
    ],
    ['a header whose name is none', { url: 'https://x', headers: { 'A: b': 'c' } }, 'one of its headers is not valid'],
    ['an entry that is none', { command: 7 }, 'it has no command'],
  ];
  test.each(rows)('%s', async (_what, definition, why) => {
    const known = servers({
      servers: { bad: definition, good: { command: 'g' } },
      inputs: [{ type: 'command', id: 'run', command: 'evil' }],
    });
    const { mcpServers, outcomes } = await pass(known, {
      answer: (_server, { id }) => Promise.resolve(id === 'cancelled' ? undefined : 'x'),
    });
    expect(mcpServers.map(({ name }) => name)).toEqual(['good']);
    expect(outcomes[0]).toMatchObject({ name: 'bad', state: 'left', why });
  });

  test('no reason has a secret in it', async () => {
    const known = servers({
      servers: {
        a: { command: '${input:t}/nowhere' },
        b: { url: '${input:t}' },
        c: { url: 'https://x', headers: { 'a b': '${input:t}' } },
      },
    });
    const { outcomes } = await pass(known, {
      answer: () => Promise.resolve('sk-secret'),
      findProgram: () => Promise.resolve(undefined),
    });
    expect(outcomes.every(({ why }) => why !== undefined)).toBe(true);
    expect(JSON.stringify(outcomes)).not.toContain('sk-secret');
  });
});
