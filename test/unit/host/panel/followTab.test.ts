import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { FollowTab } from '../../../../src/host/panel/followTab';
import { FakeClock } from '../../../fakes/fakeClock';
import {
  changeTab,
  changeText,
  type FakeGroup,
  type FakeTab,
  resetVscode,
  TabInputText,
  tabGroups,
  told,
} from '../../../fakes/fakeVscode';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const documents = new Map<string, vscode.TextDocument>();
function document(name: string, lineCount = 100): vscode.TextDocument {
  const known =
    documents.get(name) ??
    ({ uri: { toString: () => `file:///${name}` }, lineCount } as unknown as vscode.TextDocument);
  documents.set(name, known);
  return known;
}

const names = (column: number) =>
  tabGroups.all
    .find(({ viewColumn }) => viewColumn === column)!
    .tabs.map(({ input }) => (input as TabInputText).uri.toString().replace('file:///', ''));
const tab = (name: string): FakeTab =>
  tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => (input as TabInputText).uri.toString() === `file:///${name}`)!;
const open = (name: string, column = 1) =>
  tabGroups.all[column - 1]!.tabs.push({
    input: new TabInputText(document(name).uri),
    isPreview: false,
    isPinned: false,
    isDirty: false,
  });

describe('FollowTab', () => {
  let clock: FakeClock;
  let follow: FollowTab;
  beforeEach(() => {
    resetVscode();
    documents.clear();
    clock = new FakeClock();
    follow = new FollowTab(clock);
  });
  afterEach(() => follow.dispose());

  it('shows a file at its line, in a preview tab, without the focus', async () => {
    await follow.show(document('a.ts'), 12);
    expect(told.shown).toMatchObject([
      { viewColumn: 1, preview: true, preserveFocus: true, selection: { start: { line: 11 }, end: { line: 11 } } },
    ]);
    expect(follow.shown).toMatchObject({ uri: 'file:///a.ts', line: 12 });
  });

  it('beyond the end is the end, and before the beginning the beginning', async () => {
    await follow.show(document('short.ts', 3), 99);
    expect(follow.shown?.line).toBe(3);
    await follow.show(document('short.ts', 3), 0);
    expect(follow.shown?.line).toBe(1);
  });

  it('keeps to the group in which it began, and goes to the active one once that is closed', async () => {
    await follow.show(document('a.ts'), 1);
    tabGroups.activeTabGroup = tabGroups.all[1]!;
    await follow.show(document('b.ts'), 1);
    expect([names(1), names(2)]).toEqual([['b.ts'], []]);
    tabGroups.all = [tabGroups.all[1]!];
    await follow.show(document('c.ts'), 1);
    expect(names(2)).toEqual(['c.ts']);
  });

  it('covers no session in an editor tab', async () => {
    const [first, second] = tabGroups.all as [FakeGroup, FakeGroup];
    first.activeTab = { input: { viewType: 'mainThreadWebview-parley.session' } };
    await follow.show(document('a.ts'), 1);
    expect([names(1), names(2)]).toEqual([[], ['a.ts']]);
    second.activeTab = first.activeTab;
    await follow.show(document('b.ts'), 1).catch(() => undefined);
    expect(told.shown.at(-1)).toMatchObject({ viewColumn: -2, preserveFocus: true });
  });

  it('closes a tab of its own that stayed, because its file was edited', async () => {
    await follow.show(document('a.ts'), 1);
    changeText(document('a.ts'));
    changeTab(tab('a.ts'), { isPreview: false });
    await clock.advance(10_000);
    await follow.show(document('b.ts'), 1);
    expect(names(1)).toEqual(['b.ts']);
  });

  it('closes a tab of its own that an edit made stay, however long it took to save', async () => {
    await follow.show(document('a.ts'), 1);
    changeText(document('a.ts'));
    changeTab(tab('a.ts'), { isPreview: false, isDirty: true });
    await clock.advance(10_000);
    changeTab(tab('a.ts'), { isDirty: false });
    await follow.show(document('b.ts'), 1);
    expect(names(1)).toEqual(['b.ts']);
  });

  it.each<[string, Partial<FakeTab>]>([
    ['pinned', { isPinned: true, isPreview: false }],
    ['made to stay', { isPreview: false }],
    ['left with unsaved text in', { isDirty: true, isPreview: false }],
  ])('leaves a tab that the user has %s', async (_how, fields) => {
    await follow.show(document('a.ts'), 1);
    await clock.advance(10_000);
    changeTab(tab('a.ts'), fields);
    await follow.show(document('b.ts'), 1);
    expect(names(1)).toEqual(['a.ts', 'b.ts']);
  });

  it('leaves a tab that was open before', async () => {
    open('a.ts');
    await follow.show(document('a.ts'), 1);
    await follow.show(document('b.ts'), 1);
    expect(names(1)).toEqual(['a.ts', 'b.ts']);
  });

  it('what was shown for another session is a tab like any other', async () => {
    await follow.show(document('a.ts'), 1);
    changeText(document('a.ts'));
    changeTab(tab('a.ts'), { isPreview: false });
    follow.forget();
    expect(follow.shown).toBeUndefined();
    await follow.show(document('b.ts'), 1);
    expect(names(1)).toEqual(['a.ts', 'b.ts']);
  });

  it('knows when the shown text changed, what stands in its place, and what lies over it', async () => {
    const editor = (name: string, viewColumn: number) =>
      ({ document: document(name), viewColumn }) as unknown as vscode.TextEditor;
    expect(follow.isIn(editor('a.ts', 1))).toBe(false);
    await follow.show(document('a.ts'), 1);
    await clock.advance(500);
    changeText(document('b.ts'));
    expect(follow.changedAt).toBe(0);
    changeText(document('a.ts'));
    expect(follow.changedAt).toBe(clock.now());
    expect([follow.isIn(editor('a.ts', 1)), follow.isIn(editor('a.ts', 2))]).toEqual([true, false]);
    expect([
      follow.isOverlaid(editor('a.ts', 1)),
      follow.isOverlaid(editor('b.ts', 1)),
      follow.isOverlaid(editor('b.ts', 2)),
    ]).toEqual([false, true, false]);
  });
});
