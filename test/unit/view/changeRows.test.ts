import { expect, it } from 'vitest';
import type { ChangeView } from '../../../src/protocol/changeView';
import { joinedChange } from '../../../src/view/changeRows';

const row = (kind: ChangeView['kind'], more: Partial<ChangeView> = {}): ChangeView => ({
  path: '/a',
  label: 'a',
  kind,
  added: 0,
  removed: 0,
  hunks: 0,
  conflicts: 0,
  ...more,
});

it.each<[what: string, older: ChangeView, newer: ChangeView, joined: ChangeView]>([
  [
    'changed by both',
    row('modified', { added: 1, hunks: 1 }),
    row('modified', { removed: 2, hunks: 1, conflicts: 1 }),
    row('modified', { added: 1, removed: 2, hunks: 2, conflicts: 1 }),
  ],
  [
    'created by the one',
    row('created', { added: 3, hunks: 1 }),
    row('modified', { added: 1, hunks: 1 }),
    row('created', { added: 4, hunks: 2 }),
  ],
  [
    'deleted by the other: its lines are gone once',
    row('deleted', { removed: 3 }),
    row('deleted', { removed: 4 }),
    row('deleted', { removed: 3 }),
  ],
  [
    'deleted and created again',
    row('deleted', { note: 'binary file' }),
    row('created', { added: 1, hunks: 1 }),
    row('modified', { added: 1, hunks: 1 }),
  ],
  [
    'no lines of either',
    row('modified', { note: 'permissions' }),
    row('modified', { note: 'binary file' }),
    row('modified', { note: 'binary file' }),
  ],
  [
    'only one of both can be undone',
    row('modified', { note: 'binary file', cannotUndo: true }),
    row('modified', { note: 'permissions' }),
    row('modified', { note: 'permissions' }),
  ],
  [
    'none of both can be undone',
    row('modified', { note: 'binary file', cannotUndo: true }),
    row('modified', { note: 'binary file', cannotUndo: true }),
    row('modified', { note: 'binary file', cannotUndo: true }),
  ],
])('a file that two sessions have changed is one row: %s', (_what, older, newer, joined) => {
  expect(joinedChange(older, newer)).toEqual(joined);
});
