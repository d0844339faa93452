import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandDefinition, namesIn } from '../../../../src/host/mcp/variables';
import { decodeServerFile, decodeServers } from '../../../../src/host/mcp/serverDefinition';
import { workTime } from '../../../fakes/workTime';

describe('a list of servers', () => {
  const rows: readonly (readonly [what: string, raw: unknown, expected: object | string])[] = [
    [
      'a program',
      { command: 'npx', args: ['-y', 'x'], env: { A: 'b', N: 3, GONE: null } },
      { transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: 'b', N: '3' } },
    ],
    [
      'a program that says so',
      { type: 'stdio', command: '/bin/x' },
      { transport: 'stdio', command: '/bin/x', args: [], env: {} },
    ],
    [
      'an address',
      { url: 'https://example.com/mcp' },
      { transport: 'http', url: 'https://example.com/mcp', headers: {} },
    ],
    [
      'an address of the older transport',
      { type: 'sse', url: 'https://example.com/sse', headers: { Authorization: 'Bearer x' } },
      { transport: 'sse', url: 'https://example.com/sse', headers: { Authorization: 'Bearer x' } },
    ],
    [
      'what only VS Code needs',
      { command: 'x', dev: { watch: '**' }, gallery: true },
      { transport: 'stdio', command: 'x', args: [], env: {} },
    ],
    [
      'a program in Copilot’s words',
      { type: 'local', command: 'x', tools: ['*'] },
      { transport: 'stdio', command: 'x', args: [], env: {} },
    ],
    [
      'an address in other words',
      { type: 'streamable-http', url: 'https://x' },
      { transport: 'http', url: 'https://x', headers: {} },
    ],
    [
      'a command with its arguments in one list',
      { command: ['npx', '-y', 'x'], args: ['--port', 8080] },
      { transport: 'stdio', command: 'npx', args: ['-y', 'x', '--port', '8080'], env: {} },
    ],
    [
      'a switch in the environment',
      { command: 'x', env: { DEBUG: true } },
      { transport: 'stdio', command: 'x', args: [], env: { DEBUG: 'true' } },
    ],
    [
      'an address under another name',
      { httpUrl: 'https://x', headers: null },
      { transport: 'http', url: 'https://x', headers: {} },
    ],
    ['a transport', { transport: 'SSE', serverUrl: 'https://x' }, { transport: 'sse', url: 'https://x', headers: {} }],
    ['what is disabled', { command: 'x', disabled: true }, 'it is disabled in its definition'],
    ['what is not enabled', { url: 'https://x', enabled: false }, 'it is disabled in its definition'],
    ['a list in a command', { command: ['x', ['y']] }, 'args must be a list of strings'],
    ['no object', 'npx', 'it must be an object with a command or a url'],
    ['nothing', {}, 'it has no command'],
    ['an empty command', { command: ' ' }, 'it has no command'],
    ['another type', { type: 'ws', url: 'wss://x' }, 'type must be “stdio”, “http” or “sse”'],
    ['arguments in one text', { command: 'x', args: '-y x' }, 'args must be a list of strings'],
    ['an environment of objects', { command: 'x', env: { A: {} } }, 'env must map names to strings'],
    [
      'a file of variables',
      { command: 'x', envFile: '.env' },
      'Parley does not read envFile: put its variables into env, and use ${input:…} for secrets',
    ],
    ['no address', { type: 'http' }, 'it has no url'],
    ['headers as a list', { url: 'https://x', headers: ['a'] }, 'headers must map names to strings'],
  ];
  test.each(rows)('%s', (_what, raw, expected) => {
    const [entry] = decodeServers({ x: raw });
    expect(entry?.definition ?? entry?.problem).toEqual(expected);
  });

  test('null takes an entry out, and a bad one leaves the others', () => {
    expect(
      decodeServers({ a: null, b: 7, c: { command: 'x' } }).map(({ name, problem }) => [name, problem !== undefined]),
    ).toEqual([
      ['b', true],
      ['c', false],
    ]);
    expect([decodeServers(undefined), decodeServers([1]), decodeServers('x')]).toEqual([[], [], []]);
  });
});

describe('a file of servers', () => {
  test('is read as VS Code reads it, with comments and trailing commas', () => {
    const file = decodeServerFile(`\uFEFF{
      // "servers": {},
      "servers": { "a": { "url": "https://x//y", "headers": { "X": "/* no comment, */ }" }, }, /* and
      "b": 1 */ },
      "inputs": [
        { "type": "promptString", "id": "token", "description": "Your token", "password": true },
        { "type": "pickString", "id": "level", "options": ["low", { "label": "High", "value": "9" }, 3], "default": "low" },
        { "type": "command", "id": "run", "command": "do.it" },
        { "type": "promptString" }, 7,
      ],
    }`);
    expect(file.servers).toEqual([
      { name: 'a', definition: { transport: 'http', url: 'https://x//y', headers: { X: '/* no comment, */ }' } } },
    ]);
    expect(file.inputs).toEqual([
      { type: 'promptString', id: 'token', description: 'Your token', password: true },
      {
        type: 'pickString',
        id: 'level',
        options: [
          { label: 'low', value: 'low' },
          { label: 'High', value: '9' },
        ],
        default: 'low',
      },
      { type: 'refused', id: 'run', kind: 'command' },
    ]);
  });

  test('that agents share has other names', () => {
    const shared = {
      mcpServers: {
        a: { command: '${HOME}/x', args: ['${PORT:-80}', '${workspaceFolder}', '${env:A}', '${input:b}', '$C', '${}'] },
        b: { type: 'http', url: 'https://x', headers: { Authorization: 'Bearer ${TOKEN}' } },
      },
      servers: { c: { command: '${D}' } },
    };
    const { servers } = decodeServerFile(JSON.stringify(shared));
    expect(servers.map(({ name, definition }) => [name, definition])).toEqual([
      ['c', { transport: 'stdio', command: '${D}', args: [], env: {} }],
      [
        'a',
        {
          transport: 'stdio',
          command: '${env:HOME}/x',
          args: ['${env:PORT:-80}', '${workspaceFolder}', '${env:A}', '${input:b}', '$C', '${}'],
          env: {},
        },
      ],
      ['b', { transport: 'http', url: 'https://x', headers: { Authorization: 'Bearer ${env:TOKEN}' } }],
    ]);
    const [, a] = servers;
    expect(namesIn(a!.definition!, 'env')).toEqual(['HOME', 'PORT', 'A']);
    const values = {
      input: () => 'in',
      env: (name: string) => ({ HOME: '/h', A: 'a' })[name],
      folder: '/w',
      folderNamed: () => undefined,
      userHome: '/h',
    };
    expect(
      expandDefinition({ ...a!.definition!, args: ['${env:PORT:-80}', '${env:A:-b}', '${env:NONE}'] } as never, values),
    ).toMatchObject({ command: '/h/x', args: ['80', 'a', ''] });
  });

  test.each([
    ['${userHomeDir}', '${env:userHomeDir}'],
    ['${workspaceFolder_2:-x}', '${env:workspaceFolder_2:-x}'],
    ['${pathSeparators}', '${env:pathSeparators}'],
    ['${workspaceFolderBasename}${userHome}${pathSeparator}', '${workspaceFolderBasename}${userHome}${pathSeparator}'],
  ])('that agents share may name an environment variable like one of VS Code: %s', (written, read) => {
    const { servers } = decodeServerFile(JSON.stringify({ mcpServers: { a: { command: written } } }));
    expect(servers[0]!.definition).toMatchObject({ command: read });
  });

  test('that is no JSON says so, and quotes nothing of it', () => {
    const file = decodeServerFile('{ "servers": { "a": { "env": { "KEY": sk-secret } } } }');
    expect(file).toEqual({ servers: [], inputs: [], problem: 'it is not valid JSON' });
    expect(decodeServerFile('"\\').problem).toBe('it is not valid JSON');
    expect(decodeServerFile('[]').problem).toBe('it must be an object with “servers”');
  });

  test('has servers of any name', () => {
    const { servers } = decodeServerFile('{ "servers": { "__proto__": { "command": "x" } } }');
    expect(servers.map(({ name }) => name)).toEqual(['__proto__']);
  });

  test('takes any JSON without a word, and gives back what was plain JSON', () => {
    const some = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.string(),
        fc.record(
          {
            command: fc.jsonValue(),
            args: fc.jsonValue(),
            env: fc.jsonValue(),
            url: fc.jsonValue(),
            type: fc.constantFrom('stdio', 'http', 'sse', 7, undefined),
          },
          { requiredKeys: [] },
        ),
      ),
    );
    fc.assert(
      fc.property(some, fc.jsonValue(), (servers, inputs) => {
        const plain = JSON.parse(JSON.stringify({ servers, inputs })) as object;
        const file = decodeServerFile(JSON.stringify(plain));
        expect(file.problem).toBeUndefined();
        for (const { definition, problem } of file.servers)
          expect((definition === undefined) !== (problem === undefined)).toBe(true);
        // Comments and commas at every place where they may stand change nothing.
        expect(
          decodeServerFile(
            `// "\n${JSON.stringify(plain, undefined, 2).replaceAll('\n', ' /* " */\n').replace(/\}$/, ',}')}`,
          ),
        ).toEqual(file);
      }),
    );
  });

  test.each(['"', '\\"', '/*', '"\\\n', ', ', '['])('is read in good time, however many %j stand in it', (piece) => {
    const started = workTime();
    decodeServerFile(`{"servers": "${piece.repeat(Math.floor(250_000 / piece.length))}`);
    decodeServerFile(piece.repeat(Math.floor(250_000 / piece.length)));
    expect(workTime() - started).toBeLessThan(10_000);
  });
});
