import { beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event';
import { Ledger } from '../../../../src/changes/ledger';
import type { Place } from '../../../../src/changes/places';
import { HunkDecorations } from '../../../../src/host/review/hunkDecorations';
import { HunkLenses } from '../../../../src/host/review/hunkLenses';

/* What costs VS Code much for each hunk exists only near the view. */

const window = vi.hoisted(() => ({ editors: [] as object[], scrolled: (_event: object): void => {} }));

vi.mock('vscode', async () => {
  const fake = await import('../../../fakes/fakeVscode');
  const { Emitter: EventEmitter } = await import('../../../../src/base/event');
  const event = () => ({ dispose: () => undefined });
  let types = 0;
  return {
    ...fake,
    Range: class {
      readonly start: object;
      readonly end: object;
      constructor(first: unknown, second: unknown, line?: number, character?: number) {
        [this.start, this.end] =
          line === undefined
            ? [first as object, second as object]
            : [
                { line: first, character: second },
                { line, character },
              ];
      }
    },
    TabInputTextDiff: fake.TabInputText,
    CodeLens: class {
      constructor(
        readonly range: object,
        readonly command: object,
      ) {}
    },
    MarkdownString: class {
      appendText() {}
      appendCodeblock() {}
    },
    EventEmitter,
    OverviewRulerLane: {},
    DecorationRangeBehavior: {},
    Uri: { parse: () => ({}) },
    window: {
      get visibleTextEditors() {
        return window.editors;
      },
      tabGroups: { all: [] },
      createTextEditorDecorationType: (options: object) => ({ key: types++, options, dispose: () => undefined }),
      onDidChangeVisibleTextEditors: event,
      onDidChangeTextEditorViewColumn: event,
      onDidChangeActiveTextEditor: () => ({ dispose: () => undefined }),
      onDidChangeTextEditorVisibleRanges: (listener: (change: object) => void) => (
        (window.scrolled = listener),
        event()
      ),
    },
    workspace: { getConfiguration: () => ({ get: () => true }), onDidChangeConfiguration: event },
    languages: { registerCodeLensProvider: event },
  };
});

const lines = (changed: boolean) =>
  Array.from({ length: 20_000 }, (_, i) => (changed && i % 10 === 3 ? `changed ${i}` : `line ${i}`));
const texts = lines(true);
const document = {
  lineCount: 20_000,
  languageId: 'x',
  lineAt: (line: number) => ({ text: texts[line]!, range: { end: { line, character: 5 } } }),
} as unknown as vscode.TextDocument;
const drawn = new Map<
  { options: { overviewRulerColor?: object } },
  readonly (vscode.Range | vscode.DecorationOptions)[]
>();
const editor = {
  document,
  viewColumn: 1,
  visibleRanges: [] as object[],
  setDecorations: (type: never, items: never) => void drawn.set(type, items),
};
const view = (first: number) => {
  editor.visibleRanges = [{ start: { line: first }, end: { line: first + 50 } }];
  window.scrolled({ textEditor: editor });
};
const changed = new Emitter<void>();
let places: Place[];
const review = { places: () => places, formIn: () => undefined, isGuarded: () => false, placesOf: () => places };
const documents = { onDidChange: changed.event, of: () => places, whenRead: async () => places };
beforeEach(() => {
  const ledger = new Ledger();
  ledger.agentWrote('/p/a', lines(false).join('\n'), texts.join('\n'));
  places = ledger.get('/p/a')!.hunks.map((hunk) => ({ sessionId: 's', path: '/p/a', hunk }));
  window.editors = [editor];
  drawn.clear();
  view(0);
});

/** Lines of decorations that have more than a place. */
const detailed = () =>
  [...drawn.values()].flatMap((items) => items.flatMap((item) => ('range' in item ? item.range.start.line : [])));

it('marks are on all hunks, hovers and original lines on those near the view', () => {
  const decorations = new HunkDecorations(documents);
  expect([...drawn].filter(([{ options }]) => options.overviewRulerColor).map(([, items]) => items.length)).toEqual([
    0, 2_000, 0, 0,
  ]);
  expect(detailed()).toContain(3);
  expect([detailed().length < 300, Math.max(...detailed()) < 1_000]).toEqual([true, true]);
  drawn.clear();
  view(10_000);
  expect([detailed().includes(10_003), detailed().length < 300]).toEqual([true, true]);
  // A few lines further everything is there already.
  drawn.clear();
  view(10_010);
  expect(drawn.size).toBe(0);
  decorations.dispose();
});

it('nothing is left in an editor once its last hunk is decided', () => {
  const decorations = new HunkDecorations(documents);
  expect(detailed().length).toBeGreaterThan(0);
  places = [];
  changed.fire();
  expect([...drawn.values()].flat()).toEqual([]);
  // An editor without marks is not told so again.
  drawn.clear();
  changed.fire();
  view(10_000);
  expect(drawn.size).toBe(0);
  decorations.dispose();
});

it('lenses are over those near the view, with the number among all', () => {
  const lenses = new HunkLenses(review, documents, () => '');
  const inView = () => lenses.provideCodeLenses(document) as vscode.CodeLens[];
  let asked = 0;
  lenses.onDidChangeCodeLenses(() => asked++);
  expect(inView().length).toBeLessThan(600);
  view(10_000);
  expect(asked).toBe(1);
  const found = inView()
    .filter(({ range }) => range.start.line === 10_003)
    .map(({ command }) => command!.title);
  expect(found).toContain('1001 of 2000');
  view(10_010);
  expect(asked).toBe(1);
  places = places.slice(0, 100);
  expect(inView().length).toBe(500);
  lenses.dispose();
});
