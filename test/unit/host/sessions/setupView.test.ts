import { describe, expect, test } from 'vitest';
import { additionalDirectories, sessionRoots } from '../../../../src/host/sessions/additionalDirectories';
import type { Adoption, KnownServer } from '../../../../src/host/mcp/knownServer';
import { knownServer } from '../../../../src/host/mcp/readServers';
import type { ServerOutcome } from '../../../../src/host/mcp/passServers';
import { type OpenedSetup, setupView } from '../../../../src/host/sessions/openedSetup';

function server(name: string, adoption: Adoption, command = 'x'): KnownServer {
  return {
    ...knownServer(
      { name, definition: { transport: 'stdio', command, args: ['--key', 'sk-secret'], env: {} } },
      { kind: 'workspace', file: '/w/.vscode/mcp.json', folder: '/w' },
      [],
      () => undefined,
    ),
    adoption,
  };
}

function outcome({ key, name, fingerprint }: KnownServer, state: ServerOutcome['state'], why?: string): ServerOutcome {
  return { key, name, fingerprint, state, ...(why === undefined ? {} : { why }) };
}

const opened = (fields: Partial<OpenedSetup> = {}): OpenedSetup => ({
  servers: [],
  folders: [],
  foldersLeft: [],
  ...fields,
});
const view = (setup: OpenedSetup | undefined, known: readonly KnownServer[], rootsNow: readonly string[] = ['/w']) =>
  setupView({ opened: setup, known, agent: 'Fake', cwd: '/w', rootsNow });
const states = (setup: OpenedSetup | undefined, known: readonly KnownServer[]) => {
  const seen = view(setup, known);
  return [
    ...(seen?.servers ?? []).map(({ name, state, why }) => `${name} ${state}${why === undefined ? '' : `: ${why}`}`),
    ...(seen?.changed ? ['changed'] : []),
  ];
};

test('the panel says where a session works that is in none of the workspace’s folders', () => {
  expect(
    setupView({ opened: undefined, known: [], agent: 'Fake', cwd: '/', rootsNow: ['/w'], isElsewhere: true }),
  ).toEqual({ servers: [], folders: [], elsewhere: '/', changed: false });
  expect(view(opened(), [])).toBeUndefined();
});

describe('what the panel says of MCP servers', () => {
  const own = server('a', 'own');
  const rows: readonly (readonly [
    what: string,
    setup: OpenedSetup | undefined,
    known: readonly KnownServer[],
    expected: readonly string[],
  ])[] = [
    ['nothing where there is nothing', opened(), [], []],
    [
      'nothing before the session is open, of those that will be passed on',
      undefined,
      [own, server('b', 'adopted')],
      [],
    ],
    [
      'before the session is open, what waits for review',
      undefined,
      [server('b', 'new')],
      ['b review: it needs your review'],
    ],
    ['what was passed', opened({ servers: [outcome(own, 'passed')] }), [own], ['a passed']],
    [
      'why another was not',
      opened({ servers: [outcome(own, 'left', 'Fake does not support HTTP servers')] }),
      [own],
      ['a left: Fake does not support HTTP servers'],
    ],
    [
      'what the user declined',
      opened({ servers: [outcome(own, 'undecided', 'x')] }),
      [{ ...own, adoption: 'declined' }],
      ['a off: your choice'],
    ],
    [
      'what was agreed to since',
      opened({ servers: [outcome(own, 'undecided', 'x')] }),
      [{ ...own, adoption: 'adopted' }],
      ['a left: starts with the next session', 'changed'],
    ],
    [
      'what was declined since',
      opened({ servers: [outcome(own, 'passed')] }),
      [{ ...own, adoption: 'declined' }],
      ['a passed', 'changed'],
    ],
    [
      'what was added since',
      opened({ servers: [outcome(own, 'passed')] }),
      [own, server('b', 'own')],
      ['a passed', 'b left: starts with the next session', 'changed'],
    ],
    ['what was removed since', opened({ servers: [outcome(own, 'passed')] }), [], ['a passed', 'changed']],
    [
      'what was changed in the settings since',
      opened({ servers: [outcome(own, 'passed')] }),
      [server('a', 'own', 'y')],
      ['a left: starts with the next session', 'changed'],
    ],
    [
      'what a repository changed since',
      opened({ servers: [outcome(own, 'passed')] }),
      [server('a', 'changed', 'y')],
      ['a review: its definition has changed; this session uses the earlier one', 'changed'],
    ],
    [
      'what cannot be used',
      opened({ servers: [] }),
      [{ ...own, definition: undefined, problem: 'it has no command' }],
      ['a left: it has no command'],
    ],
  ];
  test.each(rows)('%s', (_what, setup, known, expected) => {
    expect(states(setup, known)).toEqual(expected);
  });

  test('no command, address or secret is among it', () => {
    const known = [server('a', 'new'), server('b', 'adopted')];
    expect(JSON.stringify(view(opened({ servers: known.map((item) => outcome(item, 'passed')) }), known))).not.toMatch(
      /sk-secret|--key|\/w/,
    );
  });
});

describe('what the panel says of folders', () => {
  test('nothing where there is one only', () => {
    expect(view(opened(), [])).toBeUndefined();
  });

  test('which are in reach, and that the agent does not take them', () => {
    expect(view(opened({ folders: ['/docs'] }), [], ['/w', '/docs'])).toEqual({
      servers: [],
      folders: [
        { name: 'w', state: 'cwd' },
        { name: 'docs', state: 'passed' },
      ],
      changed: false,
    });
    expect(view(opened({ foldersLeft: ['/docs'] }), [], ['/w', '/docs'])).toEqual({
      servers: [],
      folders: [
        { name: 'w', state: 'cwd' },
        { name: 'docs', state: 'left' },
      ],
      foldersWhy: 'Fake works in one folder only.',
      changed: false,
    });
  });

  test('that the next session has others', () => {
    expect(view(opened({ folders: ['/docs'] }), [], ['/w'])).toMatchObject({ changed: true });
    expect(view(opened(), [], ['/w', '/docs'])).toMatchObject({
      folders: [{ state: 'cwd' }, { name: 'docs', state: 'next' }],
      changed: true,
    });
  });
});

describe('item 67: the folders of a session', () => {
  test('are absolute, complete, each once, and without the cwd', () => {
    expect(additionalDirectories(['/w', '/docs', '/docs/', '/lib/../lib', 'relative', '/w/'], '/w')).toEqual([
      '/docs',
      '/lib',
    ]);
    expect(additionalDirectories([], '/home/me')).toEqual([]);
  });

  test('are those of the workspace, but for what the user took out; the working folder stays', () => {
    expect(sessionRoots(undefined, ['/w', '/docs', '/lib'], ['/docs', '/w'], '/scratch')).toEqual({
      cwd: '/w',
      roots: ['/w', '/lib'],
    });
    expect(sessionRoots('/fixed', ['/w', '/docs'], ['/w'], '/scratch')).toEqual({
      cwd: '/fixed',
      roots: ['/fixed', '/docs'],
    });
    expect(sessionRoots(undefined, [], [], '/scratch')).toEqual({ cwd: '/scratch', roots: ['/scratch'] });
  });
});
