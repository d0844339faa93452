import { expect, it } from 'vitest';
import type { ToolCallFields } from '../../../src/acp/decodeUpdate';
import { Renames } from '../../../src/changes/movedFiles';
import { TurnEvidence } from '../../../src/thread/turnEvidence';

const now = { since: 1, at: 1 };
const diff = (path: string, oldText: string | null, newText: string) => ({ type: 'diff' as const, path, oldText, newText });

it.each<[agent: string, updates: Partial<ToolCallFields>[], paths: string[], edited: boolean]>([
  ['Claude Code: the path comes after the call', [{ kind: 'edit' }, { rawInput: { file_path: '/a' }, locations: [{ path: '/a' }] }], ['/a'], true],
  ['Codex: a diff and no locations', [{ kind: 'edit', content: [diff('/a', 'x', 'y')] }], ['/a'], true],
  ['OpenCode: only the input names it', [{ kind: 'edit', rawInput: { filePath: '/a' } }], ['/a'], true],
  ['a read names a file and changes none', [{ kind: 'read', locations: [{ path: '/a' }] }], ['/a'], false],
  ['a command: words that could be files', [{ kind: 'execute', rawInput: { command: 'sed -i \'s/x/y/\' "/a" && cat b.txt' } }], ['sed', 's/x/y/', '/a', 'cat', 'b.txt'], false],
  ['a command as a list', [{ kind: 'execute', rawInput: { command: ['rm', '/a'] } }], ['rm', '/a'], false],
  ['a call that failed changes nothing', [{ kind: 'edit', content: [diff('/a', 'x', 'y')] }, { status: 'failed' }], ['/a'], false],
  ['input that is no object', [{ kind: 'other', rawInput: 5 }], [], false],
])('%s', (_, updates, paths, edited) => {
  const files = new TurnEvidence(0);
  let named: readonly string[] = [];
  for (const fields of updates) named = files.take({ toolCallId: 'c', ...fields }, now);
  expect(named).toEqual(paths);
  expect(files.names((path) => path === '/a', 1)).toBe(edited);
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

it.each<[rule: string, notes: [path: string, before: string | undefined, after: string | undefined][], expected: Record<string, string>]>([
  ['gone and then come', [['/a', 'x', undefined], ['/b', undefined, 'x']], { '/b': '/a' }],
  ['come and then gone', [['/b', undefined, 'x'], ['/a', 'x', undefined]], { '/b': '/a' }],
  ['of two with this content the one of the same name', [['/1/a', 'x', undefined], ['/1/b', 'x', undefined], ['/2/b', undefined, 'x']], { '/2/b': '/1/b' }],
  ['each only once', [['/a', 'x', undefined], ['/b', undefined, 'x'], ['/c', undefined, 'x']], { '/b': '/a' }],
  ['other content', [['/a', 'x', undefined], ['/b', undefined, 'y']], {}],
  ['empty files', [['/a', '', undefined], ['/b', undefined, '']], {}],
  ['a change is no move', [['/a', 'x', 'y'], ['/b', undefined, 'x']], {}],
])('a file that was moved: %s', (_, notes, expected) => {
  const renames = new Renames();
  for (const note of notes) renames.note(...note);
  expect(Object.fromEntries(notes.flatMap(([path]) => renames.fromOf(path) ?? []).map((from) => [notes.map(([path]) => path).find((path) => renames.fromOf(path) === from), from]))).toEqual(expected);
});
