import { beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { CurrentFile } from '../../../../src/host/attachments/currentFile';
import { MemoryState } from '../../../fakes/memoryState';

const shown = vi.hoisted(() => ({ active: undefined as unknown, changed: [] as (() => void)[] }));
vi.mock('vscode', async () => {
  const event = (listener: () => void) => {
    shown.changed.push(listener);
    return { dispose: () => undefined };
  };
  return {
    ...(await import('../../../fakes/fakeVscode')),
    window: {
      get activeTextEditor() {
        return shown.active;
      },
      visibleTextEditors: [],
      onDidChangeActiveTextEditor: event,
      onDidChangeVisibleTextEditors: event,
      onDidChangeTextEditorSelection: event,
    },
    workspace: { asRelativePath: ({ path }: { path: string }) => path.slice(3) },
  };
});

const state = new MemoryState();
const guards = new Emitter<void>();
const guarded = new Set<string>();
const open = () =>
  new CurrentFile({ state, isProtected: (path) => guarded.has(path), onDidChangeProtection: guards.event });

/** @param lines 1-based; none: only a cursor */
function show(path: string, lines?: readonly [first: number, last: number]): void {
  const position = (line: number) => ({ line, character: 1 });
  const selection = {
    isEmpty: !lines,
    start: position((lines?.[0] ?? 1) - 1),
    end: position((lines?.[1] ?? 1) - 1),
  };
  shown.active = {
    document: { uri: { scheme: 'file', path, fsPath: path }, isClosed: false },
    selection,
    selections: [selection],
  };
  for (const changed of shown.changed) changed();
}

beforeEach(() => {
  shown.active = undefined;
  shown.changed.length = 0;
  guarded.clear();
  void state.update('parley.followCurrentFile', undefined);
});

it('is only offered until the user wants it in each message, which the workspace remembers', () => {
  const current = open();
  show('/w/src/a.ts');
  expect(current.view).toEqual({ label: 'a.ts', detail: 'src/a.ts' });
  expect(current.shownAs('src/a.ts')).toBeUndefined();
  current.follow(true);
  expect(current.view).toMatchObject({ isFollowed: true });
  expect(open().view).toMatchObject({ detail: 'src/a.ts', isFollowed: true });
  current.follow(false);
  expect(current.view).toEqual({ label: 'a.ts', detail: 'src/a.ts' });
  expect(current.shownAs('src/a.ts')).toBeUndefined();
});

it('is what the panel showed, also where the user has gone on since', () => {
  const current = open();
  current.follow(true);
  show('/w/a.ts', [3, 9]);
  show('/w/b.ts');
  expect(current.shownAs('a.ts:3-9')).toMatchObject({
    document: { uri: { path: '/w/a.ts' } },
    selections: [{ isEmpty: false }],
  });
  expect(current.shownAs('b.ts')?.selections).toEqual([]);
  expect(current.shownAs('c.ts')).toBeUndefined();
});

it('is never a protected file', () => {
  guarded.add('/w/.env');
  const current = open();
  current.follow(true);
  show('/w/.env', [1, 2]);
  expect(current.view).toBeUndefined();
  expect(current.shownAs('.env:1-2')).toBeUndefined();
  show('/w/a.ts');
  expect(current.shownAs('a.ts')).toBeDefined();
  guarded.add('/w/a.ts');
  guards.fire();
  expect(current.view).toBeUndefined();
  expect(current.shownAs('a.ts')).toBeUndefined();
});
