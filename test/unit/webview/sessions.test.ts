import { describe, expect, it } from 'vitest';
import type { SessionItemView } from '../../../src/protocol/sessionsView';
import { dateGroups } from '../../../webview/sessions/dateGroups';
import { ListSelection } from '../../../webview/sessions/listSelection';

const item = (key: string, updatedAt: number | undefined, isPinned = false): SessionItemView => ({
  key,
  title: key,
  agent: 'A',
  folder: 'f',
  state: 'stored',
  isCurrent: false,
  acts: [],
  ...(updatedAt === undefined ? {} : { updatedAt }),
  ...(isPinned ? { isPinned } : {}),
});
const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();

describe('groups by date', () => {
  it('begin at midnight of the user’s own time', () => {
    const items = [
      item('now', at(31, 12)),
      item('midnight', at(31, 0)),
      item('before', at(30, 23, 59)),
      item('yesterday', at(30, 0)),
      item('week', at(24, 0)),
      item('older', at(23, 23)),
      item('unknown', undefined),
      item('pinned', at(1, 1), true),
    ];
    expect(dateGroups(items, at(31, 12)).map(({ group, items: own }) => [group, own.map(({ key }) => key)])).toEqual([
      ['pinned', ['pinned']],
      ['today', ['now', 'midnight']],
      ['yesterday', ['before', 'yesterday']],
      ['week', ['week']],
      ['older', ['older', 'unknown']],
    ]);
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd'];

  it('goes from line to line and over ranges in both directions', () => {
    const selection = new ListSelection();
    selection.toggle('c');
    selection.extend('a', order);
    expect([...selection.keys]).toEqual(['a', 'b', 'c']);
    selection.extend('d', order);
    expect([...selection.keys]).toEqual(['c', 'd']);
    selection.toggle('c');
    expect([...selection.keys]).toEqual(['d']);
    expect([selection.clear(), selection.clear()]).toEqual([true, false]);
    selection.extend('d', order, 'c');
    expect([...selection.keys]).toEqual(['c', 'd']);
  });

  it('forgets lines that are gone', () => {
    const selection = new ListSelection();
    selection.all(order);
    selection.keep(['b', 'x']);
    expect([...selection.keys]).toEqual(['b']);
  });
});
