import { expect, it } from 'vitest';
import type { ChangeView } from '../../../src/protocol/changeView';
import { joinRenames } from '../../../src/view/changeRows';

const row = (kind: ChangeView['kind'], path: string, added = 0, removed = 0): ChangeView => ({
  kind,
  path,
  label: path.slice(1),
  added,
  removed,
  hunks: 0,
  conflicts: 0,
});
const moved = (moves: Record<string, string>) => (path: string) => moves[path];

it.each<[rule: string, changes: ChangeView[], moves: Record<string, string>, rows: string[]]>([
  [
    'one row for a file that was moved',
    [row('deleted', '/a', 0, 3), row('created', '/b', 3)],
    { '/b': '/a' },
    ['renamed b +0 -0 from a'],
  ],
  [
    'with what was added since',
    [row('created', '/b', 5), row('deleted', '/a', 0, 3)],
    { '/b': '/a' },
    ['renamed b +2 -0 from a'],
  ],
  ['nothing to join once one side is decided', [row('created', '/b', 3)], { '/b': '/a' }, ['created b +3 -0']],
  [
    'nothing to join where the old place was filled again',
    [row('modified', '/a', 1, 1), row('created', '/b', 3)],
    { '/b': '/a' },
    ['modified a +1 -1', 'created b +3 -0'],
  ],
  [
    'others stay as they are, in their order',
    [row('modified', '/x', 1), row('deleted', '/a', 0, 1), row('created', '/b', 1), row('deleted', '/c', 0, 1)],
    { '/b': '/a' },
    ['modified x +1 -0', 'renamed b +0 -0 from a', 'deleted c +0 -1'],
  ],
])('%s', (_, changes, moves, rows) => {
  expect(
    joinRenames(changes, moved(moves)).map(
      ({ kind, label, added, removed, from }) => `${kind} ${label} +${added} -${removed}${from ? ` from ${from}` : ''}`,
    ),
  ).toEqual(rows);
});
