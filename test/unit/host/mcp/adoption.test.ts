import { describe, expect, test } from 'vitest';
import { adoptionQuestion, describeDefinition } from '../../../../src/host/mcp/adoptionWords';
import {
  awaitsReview,
  type Decision,
  describeSource,
  type KnownServer,
  type ServerSource,
} from '../../../../src/host/mcp/knownServer';
import { decodeDecision, knownServer } from '../../../../src/host/mcp/readServers';
import { decodeServerFile } from '../../../../src/host/mcp/serverDefinition';

const workspace: ServerSource = { kind: 'workspace', file: '/w/.vscode/mcp.json', folder: '/w' };

function known(
  file: object,
  source: ServerSource = workspace,
  decisionOn: (key: string) => Decision | undefined = () => undefined,
): KnownServer {
  const { servers, inputs } = decodeServerFile(JSON.stringify(file));
  return knownServer(servers[0]!, source, inputs, decisionOn);
}

/** A file with one server, and how it stands after the user decided on the first form of it. */
const file = (fields: object = {}, inputs: object[] = []) => ({
  servers: { evil: { command: 'node', args: ['server.js', '${input:token}'], ...fields } },
  inputs,
});

describe('adoption', () => {
  test('what the user wrote into the settings is passed on; a workspace’s and VS Code’s own are asked about', () => {
    expect(known(file(), { kind: 'settings' }).adoption).toBe('own');
    expect(known(file(), { kind: 'user', file: '/u/mcp.json' }).adoption).toBe('new');
    expect(known(file()).adoption).toBe('new');
  });

  const rows: readonly (readonly [what: string, changed: object, expected: KnownServer['adoption']])[] = [
    ['the same definition', file(), 'adopted'],
    ['fields that are not passed on', file({ dev: {} }), 'adopted'],
    ['an input that is not used', file({}, [{ id: 'other', type: 'promptString' }]), 'adopted'],
    ['another argument', file({ args: ['server.js', '--steal'] }), 'changed'],
    ['another command', file({ command: 'sh' }), 'changed'],
    ['another environment', file({ env: { NODE_OPTIONS: '--require ./x.js' } }), 'changed'],
    ['another transport', file({ type: 'http', url: 'https://evil.example' }), 'changed'],
    ['another question', file({}, [{ id: 'token', type: 'promptString', password: false }]), 'changed'],
  ];
  test.each(rows)('is remembered for a definition: %s', (_what, changed, expected) => {
    const { key, fingerprint } = known(file());
    expect(
      known(changed, workspace, (asked) => (asked === key ? { fingerprint, choice: 'adopted' } : undefined)).adoption,
    ).toBe(expected);
  });

  test('a refusal is remembered, and a changed definition asked about again', () => {
    const { fingerprint } = known(file());
    const refused = () => ({ fingerprint, choice: 'declined' as const });
    expect(known(file(), workspace, refused).adoption).toBe('declined');
    expect(known(file({ command: 'sh' }), workspace, refused).adoption).toBe('changed');
  });

  test('each folder’s server of a name is another one', () => {
    const other = known(file(), { kind: 'workspace', file: '/v/.vscode/mcp.json', folder: '/v' });
    expect(other.key).not.toBe(known(file()).key);
  });

  test('a server of one name in another file is another one, and each file is named', () => {
    const sources: readonly ServerSource[] = [
      workspace,
      { ...workspace, file: '/w/.mcp.json' } as ServerSource,
      { kind: 'user', file: '/u/mcp.json' },
      { kind: 'user', file: '/h/.copilot/mcp-config.json' },
    ];
    const servers = sources.map((source) => known(file(), source));
    expect(new Set(servers.map(({ key }) => key)).size).toBe(4);
    expect(servers.map(({ adoption }) => adoption)).toEqual(['new', 'new', 'new', 'new']);
    expect(sources.map(describeSource)).toEqual([
      '.vscode/mcp.json in w',
      '.mcp.json in w',
      'your mcp.json',
      '~/.copilot/mcp-config.json',
    ]);
  });

  test('what cannot be used waits for nobody', () => {
    expect(awaitsReview(known({ servers: { bad: { command: 7 } } }))).toBe(false);
    expect(awaitsReview(known(file()))).toBe(true);
  });

  test('a damaged record of a decision is none', () => {
    expect(
      [undefined, null, 7, {}, { fingerprint: 'x' }, { fingerprint: 'x', choice: 'yes' }].map(decodeDecision),
    ).toEqual(Array(6).fill(undefined));
  });
});

describe('the question', () => {
  test('shows what is run, what it is given, and where it stands', () => {
    const { message, detail } = adoptionQuestion(
      known(file({ args: ['server.js', 'a b', '${env:AWS_KEY}'], env: { X: '${input:token}' } })),
    );
    expect(message).toBe('Allow agents to use the MCP server “evil”?');
    expect(detail.split('\n\n')).toEqual([
      'Defined in .vscode/mcp.json in w.',
      'Agents will run this on your machine, with your permissions:',
      'node server.js "a b" ${env:AWS_KEY}',
      'With these environment variables:\nX=${input:token}',
      'It gets these inputs: token.',
      'It gets these variables from your environment: AWS_KEY.',
      'Parley asks again when the definition changes.',
    ]);
  });

  test('shows the address of a remote server', () => {
    const { detail } = adoptionQuestion(
      known({ servers: { a: { url: 'https://mcp.example/x', headers: { Authorization: 'Bearer ${input:t}' } } } }),
    );
    expect(detail).toContain('Agents will send their requests to this address:\n\nhttps://mcp.example/x');
    expect(detail).toContain('With these headers:\nAuthorization=Bearer ${input:t}');
  });

  test('keeps values that are the user’s own to itself', () => {
    const { detail } = adoptionQuestion(known(file({ env: { KEY: 'sk-123' } }), { kind: 'user', file: '/u/mcp.json' }));
    expect(detail).toContain('With these environment variables:\nKEY');
    expect(detail).not.toContain('sk-123');
  });

  test('spells out what is not seen, and says how much it cuts off', () => {
    expect(describeDefinition(known(file({ command: 'no\u202Ede', args: ['a\nb'] })))).toBe('"no⟨U+202E⟩de" "a\\nb"');
    const { detail } = adoptionQuestion(known(file({ args: ['x'.repeat(5_000)] })));
    expect(detail).toMatch(/… \(3505 more characters: open the definition to see them\)/);
  });

  test('shows each variable, however long the value of another one is', () => {
    const { detail, isComplete } = adoptionQuestion(
      known(file({ env: { LOG_FORMAT: 'x'.repeat(5_000), NODE_OPTIONS: '--import ./evil.mjs' } })),
    );
    expect(detail).toMatch(
      /LOG_FORMAT=x+… \(\d+ more characters: open the definition to see them\)\nNODE_OPTIONS=--import \.\/evil\.mjs\n/,
    );
    expect(detail.length).toBeLessThan(2_500);
    expect(isComplete).toBe(true);
  });

  test('shows each header of a remote server', () => {
    const { detail } = adoptionQuestion(
      known({
        servers: {
          a: {
            url: 'https://mcp.example/x',
            headers: { 'X-Long': '\n'.repeat(300).concat('x'.repeat(5_000)), 'X-Last': '${input:t}' },
          },
        },
      }),
    );
    expect(detail).toMatch(/X-Long=.*more characters: open the definition to see them\)\nX-Last=\$\{input:t\}/);
  });

  test('cuts no value where all of them fit', () => {
    const { detail } = adoptionQuestion(known(file({ env: { A: 'a'.repeat(1_200), B: 'b', C: 'c' } })));
    expect(detail).not.toContain('more characters');
  });

  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`V${at}`, 'x']));
  test.each<[string, object]>([
    ['too many names', file({ env: many })],
    ['a name that is too long', file({ env: { ['A'.repeat(2_000)]: 'x', NODE_OPTIONS: 'y' } })],
    ['too many variables of the environment', file({ args: Object.keys(many).map((name) => `\${env:${name}}`) })],
    [
      'too many inputs',
      file(
        { args: Object.keys(many).map((name) => `\${input:${name}}`) },
        Object.keys(many).map((id) => ({ id, type: 'promptString', description: id })),
      ),
    ],
  ])('nobody agrees to %s', (_what, definition) => {
    const { detail, isComplete } = adoptionQuestion(known(definition));
    expect(isComplete).toBe(false);
    expect(detail).toContain('Open the definition to see them.');
    expect(adoptionQuestion(known(file())).isComplete).toBe(true);
  });
});
