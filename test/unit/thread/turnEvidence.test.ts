import { expect, it } from 'vitest';
import type { ToolCallFields } from '../../../src/acp/decodeUpdate';
import { Renames } from '../../../src/changes/movedFiles';
import { TurnEvidence } from '../../../src/thread/turnEvidence';

const now = { since: 1, at: 1 };
const diff = (path: string, oldText: string | null, newText: string) => ({
  type: 'diff' as const,
  path,
  oldText,
  newText,
});

it.each<[agent: string, updates: Partial<ToolCallFields>[], paths: string[], edited: boolean]>([
  [
    'Claude Code: the path comes after the call',
    [{ kind: 'edit' }, { rawInput: { file_path: '/a' }, locations: [{ path: '/a' }] }],
    ['/a'],
    true,
  ],
  ['Codex: a diff and no locations', [{ kind: 'edit', content: [diff('/a', 'x', 'y')] }], ['/a'], true],
  ['OpenCode: only the input names it', [{ kind: 'edit', rawInput: { filePath: '/a' } }], ['/a'], true],
  ['a read names a file and changes none', [{ kind: 'read', locations: [{ path: '/a' }] }], ['/a'], false],
  [
    'a command: words that could be files',
    [{ kind: 'execute', rawInput: { command: 'sed -i \'s/x/y/\' "/a" && cat b.txt' } }],
    ['sed', 's/x/y/', '/a', 'cat', 'b.txt'],
    false,
  ],
  ['a command as a list', [{ kind: 'execute', rawInput: { command: ['rm', '/a'] } }], ['rm', '/a'], false],
  [
    'a call that failed changes nothing',
    [{ kind: 'edit', content: [diff('/a', 'x', 'y')] }, { status: 'failed' }],
    ['/a'],
    false,
  ],
  ['input that is no object', [{ kind: 'other', rawInput: 5 }], [], false],
])('%s', (_, updates, paths, edited) => {
  const files = new TurnEvidence(0);
  let named: readonly string[] = [];
  for (const fields of updates) named = files.take({ toolCallId: 'c', ...fields }, now);
  expect(named).toEqual(paths);
  expect(files.names((path) => path === '/a', 1)).toBe(edited);
});

type Said = [at: number, what: 'ask' | 'allow' | 'reject' | 'say' | 'run' | 'exit' | 'end' | Partial<ToolCallFields>];

it.each<[story: string, said: Said[], expected: string]>([
  [
    'a command that runs',
    [
      [10, { kind: 'execute', status: 'in_progress' }],
      [20, { status: 'completed' }],
    ],
    '10-20',
  ],
  [
    'a call that fails has run',
    [
      [10, { status: 'in_progress' }],
      [20, { status: 'failed' }],
    ],
    '10-20',
  ],
  [
    'an agent that never says that a call is in progress',
    [
      [10, { status: 'pending' }],
      [20, { status: 'completed' }],
    ],
    '10-20',
  ],
  [
    'a call that was only announced first',
    [
      [10, { status: 'pending' }],
      [20, { status: 'in_progress' }],
      [30, { status: 'completed' }],
    ],
    '20-30',
  ],
  [
    'a call that is first told of when it is over',
    [
      [10, 'say'],
      [20, { status: 'completed' }],
    ],
    '10-20',
  ],
  [
    'the same told twice',
    [
      [10, { status: 'in_progress' }],
      [20, { status: 'completed' }],
      [30, { status: 'completed' }],
      [40, {}],
    ],
    '10-20',
  ],
  [
    'a call that comes back',
    [
      [10, { status: 'in_progress' }],
      [20, { status: 'completed' }],
      [30, { status: 'in_progress' }],
      [40, { status: 'completed' }],
    ],
    '10-20 30-40',
  ],
  [
    'a call whose id is used again',
    [
      [10, {}],
      [20, { status: 'completed' }],
      [30, { status: 'pending' }],
      [40, { status: 'completed' }],
    ],
    '10-20 30-40',
  ],
  [
    'nothing runs while the user is asked',
    [
      [10, { status: 'pending' }],
      [20, 'ask'],
      [30, 'allow'],
      [40, { status: 'completed' }],
    ],
    '10-20 30-40',
  ],
  [
    'a call that is known only from its request',
    [
      [20, 'ask'],
      [30, 'allow'],
      [40, { status: 'completed' }],
    ],
    '30-40',
  ],
  [
    'what the user rejected has not run',
    [
      [20, 'ask'],
      [30, 'reject'],
      [40, { status: 'failed' }],
    ],
    '',
  ],
  [
    'what runs all the same has run',
    [
      [20, 'ask'],
      [30, 'reject'],
      [40, { status: 'in_progress' }],
      [50, { status: 'completed' }],
    ],
    '40-50',
  ],
  [
    'what is done without the answer',
    [
      [10, 'say'],
      [20, 'ask'],
      [40, { status: 'completed' }],
    ],
    '10-40',
  ],
  [
    'the end of the turn ends what the agent does not',
    [
      [10, { status: 'in_progress' }],
      [20, 'end'],
    ],
    '10-20',
  ],
  [
    'a command in a terminal of the client',
    [
      [10, 'run'],
      [20, 'exit'],
      [30, 'exit'],
    ],
    '10-20',
  ],
  [
    'a command that runs on after the turn',
    [
      [10, 'run'],
      [20, 'end'],
      [30, 'exit'],
    ],
    '10-20',
  ],
])('calls run from one time to another: %s', (_, said, expected) => {
  const evidence = new TurnEvidence(0);
  for (const [at, what] of said) {
    if (what === 'ask') evidence.asks('r', { toolCallId: 'c' }, { since: at, at });
    else if (what === 'allow' || what === 'reject') evidence.answered('r', what === 'allow', at);
    else if (what === 'say') evidence.heard(at);
    else if (what === 'run' || what === 'exit') evidence.command('t', what === 'run', at);
    else if (what === 'end') evidence.end(at);
    else evidence.take({ toolCallId: 'c', ...what }, { since: at, at });
  }
  const times = Array.from({ length: 60 }, (__, i) => i).filter((at) => evidence.ran(at, at));
  const spans = times
    .filter((at) => !times.includes(at - 1))
    .map((from) => `${from}-${times.find((at) => at >= from && !times.includes(at + 1))}`);
  expect(spans.join(' ')).toBe(expected);
});

it.each<[story: string, said: Partial<ToolCallFields>, before: string | undefined, after: string, expected: boolean]>([
  ['the whole file', { content: [diff('/a', 'x\n', 'y\n')] }, 'x\n', 'y\n', true],
  ['the whole file with other line ends', { content: [diff('/a', 'x\r\n', 'y\r\n')] }, 'x\n', 'y\n', true],
  ['a region', { content: [diff('/a', 'x', 'y')] }, '1\nx\n2\n', '1\ny\n2\n', true],
  ['and something else', { content: [diff('/a', 'x', 'y')] }, '1\nx\n2\n', '1\ny\n2\n3\n', false],
  ['another file', { content: [diff('/b', 'x\n', 'y\n')] }, 'x\n', 'y\n', false],
  ['a call that failed', { status: 'failed', content: [diff('/a', 'x\n', 'y\n')] }, 'x\n', 'y\n', false],
  ['nothing that could be told from an empty file', { content: [diff('/a', 'x\n', '')] }, 'x\n', '', false],
])('a diff shows what a file holds: %s', (_, fields, before, after, expected) => {
  const evidence = new TurnEvidence(0);
  evidence.take({ toolCallId: 'c', status: 'in_progress' }, now);
  evidence.take({ toolCallId: 'c', ...fields }, now);
  expect(evidence.shows((path) => path === '/a', before, after)).toBe(expected);
});

it('a later diff of the same call takes the place of the former; other content does not', () => {
  const files = new TurnEvidence(0);
  files.take({ toolCallId: 'c', kind: 'edit', content: [diff('/a', 'x', 'y')] }, now);
  files.take({ toolCallId: 'c', content: [diff('/a', '1\nx', '1\ny')] }, now);
  files.take({ toolCallId: 'c', content: [{ type: 'terminal', terminalId: 't' }] }, now);
  files.take({ toolCallId: 'd', content: [diff('/a', 'p', 'q'), diff('/b', 'p', 'q')] }, now);
  expect(files.diffsOf((path) => path === '/a').map(({ newText }) => newText)).toEqual(['1\ny', 'q']);
});

it('what one call changed is told without the others', () => {
  const files = new TurnEvidence(0);
  files.take({ toolCallId: 'c', kind: 'edit', locations: [{ path: '/a' }] }, now);
  files.take({ toolCallId: 'd', content: [diff('/b', 'p', 'q')] }, now);
  files.take({ toolCallId: 'e', kind: 'read', locations: [{ path: '/c' }] }, now);
  expect(['c', 'd', 'e', 'none'].map((id) => files.editedBy(id))).toEqual([['/a'], ['/b'], [], []]);
  expect(files.edited).toEqual(['/a', '/b']);
});

it.each<
  [
    rule: string,
    notes: [path: string, before: string | undefined, after: string | undefined][],
    expected: Record<string, string>,
  ]
>([
  [
    'gone and then come',
    [
      ['/a', 'x', undefined],
      ['/b', undefined, 'x'],
    ],
    { '/b': '/a' },
  ],
  [
    'come and then gone',
    [
      ['/b', undefined, 'x'],
      ['/a', 'x', undefined],
    ],
    { '/b': '/a' },
  ],
  [
    'of two with this content the one of the same name',
    [
      ['/1/a', 'x', undefined],
      ['/1/b', 'x', undefined],
      ['/2/b', undefined, 'x'],
    ],
    { '/2/b': '/1/b' },
  ],
  [
    'each only once',
    [
      ['/a', 'x', undefined],
      ['/b', undefined, 'x'],
      ['/c', undefined, 'x'],
    ],
    { '/b': '/a' },
  ],
  [
    'other content',
    [
      ['/a', 'x', undefined],
      ['/b', undefined, 'y'],
    ],
    {},
  ],
  [
    'empty files',
    [
      ['/a', '', undefined],
      ['/b', undefined, ''],
    ],
    {},
  ],
  [
    'a change is no move',
    [
      ['/a', 'x', 'y'],
      ['/b', undefined, 'x'],
    ],
    {},
  ],
])('a file that was moved: %s', (_, notes, expected) => {
  const renames = new Renames();
  for (const note of notes) renames.note(...note);
  expect(
    Object.fromEntries(
      notes
        .flatMap(([path]) => renames.fromOf(path) ?? [])
        .map((from) => [notes.map(([path]) => path).find((path) => renames.fromOf(path) === from), from]),
    ),
  ).toEqual(expected);
});
