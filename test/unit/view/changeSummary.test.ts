import { expect, it } from 'vitest';
import type { ChangeView } from '../../../src/protocol/changeView';
import { MAX_LISTED_CHANGES, summarise } from '../../../src/view/changeRows';

const change = (i: number, conflicts = 0): ChangeView => ({
  path: `/w/${i}`,
  label: String(i),
  kind: 'modified',
  added: 2,
  removed: 1,
  hunks: 1,
  conflicts,
});

it('what a formatter changed is told in a bounded list, and the rest as numbers; conflicts are never in the rest', () => {
  const all = Array.from({ length: 5_000 }, (_, i) => change(i, i === 4_000 ? 1 : 0));
  const { changes, moreChanges } = summarise(all);
  expect(changes.length).toBe(MAX_LISTED_CHANGES);
  expect(changes.at(-1)).toBe(all[4_000]);
  expect(changes[0]).toBe(all[0]);
  expect(moreChanges).toEqual({ files: 4_800, added: 9_600, removed: 4_800 });
  expect(summarise(all)).toBe(summarise(all));
});

it('a list that a user can read is told as it is', () => {
  const few = [change(1), change(2)];
  expect(summarise(few)).toEqual({ changes: few });
});
