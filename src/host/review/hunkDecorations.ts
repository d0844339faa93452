import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { visibleCode } from '../../base/visibleText';
import { type Hunk, markOf } from '../../changes/hunk';
import { anchorOf, isNear, type Place } from '../../changes/places';
import { BASELINE_SCHEME } from '../changes/baselineDocuments';
import type { DocumentPlaces } from './documentPlaces';
import { LinesInView } from './linesInView';
import { originalLines } from './originalLines';

/**
 * The defaults of VS Code's own `editorGutter.*Background` and of its warnings, for dark and light themes, including
 * high contrast: an image in the gutter cannot use theme colours.
 */
const GUTTER_COLORS = {
  added: { dark: '#2ea043', light: '#2ea043' },
  changed: { dark: '#0078d4', light: '#005fb8' },
  deleted: { dark: '#f85149', light: '#e51400' },
  conflicted: { dark: '#cca700', light: '#bf8803' },
} as const;

const SHAPES = {
  /** A bar of the line's height, so that the bars of several lines join. */
  bar: '<rect x="11" width="3" height="16" fill="COLOR"/>',
  /** Lines above this one are deleted. */
  gap: '<path d="M14 0 L14 5 L8 0 Z" fill="COLOR"/>',
} as const;

/** The most removed lines in a hover; the diff shows the rest. */
const HOVER_LINES = 40;

type Link = readonly [label: string, command: string];

type Kind = keyof typeof GUTTER_COLORS;

/**
 * Decorates the agent's changes in editors of real files. All hunks are marked on their lines, in the gutter and in the
 * overview ruler. Only hunks near the view show original lines and a hover, because these cost VS Code much more.
 */
export class HunkDecorations extends Disposable {
  readonly #types: Readonly<Record<Kind, vscode.TextEditorDecorationType>> = {
    added: this.register(decoration('bar', 'added', 'editorOverviewRuler.addedForeground', changedLines)),
    changed: this.register(decoration('bar', 'changed', 'editorOverviewRuler.modifiedForeground', changedLines)),
    conflicted: this.register(decoration('bar', 'conflicted', 'editorOverviewRuler.warningForeground', changedLines)),
    deleted: this.register(decoration('gap', 'deleted', 'editorOverviewRuler.deletedForeground', lineAbove)),
  };
  readonly #details = this.register(vscode.window.createTextEditorDecorationType({ isWholeLine: true }));
  readonly #originals = this.register(vscode.window.createTextEditorDecorationType({}));
  readonly #inView = this.register(new LinesInView());
  /** Editors with marks; others need no update if they have no hunks. */
  #marked = new WeakSet<vscode.TextEditor>();

  constructor(private readonly documents: Pick<DocumentPlaces, 'of' | 'onDidChange'>) {
    super();
    this.register(documents.onDidChange(() => this.#update()));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.#update()));
    this.register(vscode.window.onDidChangeTextEditorViewColumn(() => this.#update()));
    this.register(this.#inView.onDidChange((editor) => this.#marked.has(editor) && this.#showDetails(editor)));
    this.#update();
  }

  #update(): void {
    for (const editor of vscode.window.visibleTextEditors) this.#mark(editor);
  }

  #mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    const places = this.#placesIn(editor);
    if (!places) return;
    if (places.length === 0 && !this.#marked.has(editor)) return;
    if (places.length === 0) this.#marked.delete(editor);
    else this.#marked.add(editor);
    const ranges: Record<Kind, vscode.Range[]> = { added: [], changed: [], deleted: [], conflicted: [] };
    for (const { hunk } of places) if (hunk) ranges[markOf(hunk)].push(rangeOf(hunk, document));
    for (const kind of Object.keys(ranges) as Kind[]) editor.setDecorations(this.#types[kind], ranges[kind]);
    this.#showDetails(editor);
  }

  /** The pending changes in an editor; none in a diff, which shows them itself. Undefined: see `DocumentPlaces.of`. */
  #placesIn(editor: vscode.TextEditor): readonly Place[] | undefined {
    return isInOurDiff(editor) ? [] : this.documents.of(editor.document);
  }

  #showDetails(editor: vscode.TextEditor): void {
    const { document } = editor;
    const places = this.#placesIn(editor);
    if (!places) return;
    const lines = this.#inView.in(editor);
    const near = places.filter(({ hunk }) => hunk && isNear(hunk, lines));
    editor.setDecorations(
      this.#details,
      near.map((place) => ({
        range: rangeOf(place.hunk!, document),
        hoverMessage: hunkHover(place, place.hunk!, document.languageId),
      })),
    );
    editor.setDecorations(
      this.#originals,
      near.flatMap(({ hunk }) => originalLines(hunk!, document, lines)),
    );
  }
}

function changedLines(): vscode.DecorationRenderOptions {
  return {
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  };
}

function lineAbove(): vscode.DecorationRenderOptions {
  return {
    borderStyle: 'solid',
    borderWidth: '1px 0 0 0',
    borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
  };
}

/**
 * A mark to the left of the line numbers (git uses the right side), one in the overview ruler, and the style of the
 * lines.
 */
function decoration(
  shape: keyof typeof SHAPES,
  kind: Kind,
  ruler: string,
  lines: () => vscode.DecorationRenderOptions,
): vscode.TextEditorDecorationType {
  const picture = (color: string) => ({
    gutterIconPath: vscode.Uri.parse(
      `data:image/svg+xml,${encodeURIComponent(svg(SHAPES[shape].replace('COLOR', color)))}`,
    ),
    gutterIconSize: '100% 100%',
  });
  const { dark, light } = GUTTER_COLORS[kind];
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    ...lines(),
    dark: picture(dark),
    light: picture(light),
    overviewRulerColor: new vscode.ThemeColor(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

function rangeOf(hunk: Hunk, document: vscode.TextDocument): vscode.Range {
  const first = anchorOf(hunk, document.lineCount);
  const last = Math.max(first, Math.min(hunk.current.end, document.lineCount) - 1);
  return new vscode.Range(first, 0, last, document.lineAt(last).text.length);
}

function isInOurDiff(editor: vscode.TextEditor): boolean {
  // An editor within a multi-file diff, or in a peek view.
  if (editor.viewColumn === undefined) return true;
  const group = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === editor.viewColumn);
  const input = group?.activeTab?.input;
  return (
    input instanceof vscode.TabInputTextDiff &&
    input.original.scheme === BASELINE_SCHEME &&
    input.modified.toString() === editor.document.uri.toString()
  );
}

function svg(shape: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" preserveAspectRatio="none">${shape}</svg>`;
}

/**
 * The hover over a hunk: the original lines, and the actions for users who turned CodeLens off. The lines are in a
 * separate string that is not trusted, so that only Parley's own links can run commands.
 */
function hunkHover(place: Place, hunk: Hunk, languageId: string): vscode.MarkdownString[] {
  return [...(hunk.baselineLines.length > 0 ? [linesBefore(hunk, languageId)] : []), actions(place, hunk)];
}

function linesBefore({ baselineLines, currentLines }: Hunk, languageId: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const shown = baselineLines.slice(0, HOVER_LINES);
  text.appendText(currentLines.length === 0 ? l10n.t('Removed by the agent:') : l10n.t('Original lines:'));
  text.appendCodeblock(visibleCode(shown.join('\n')), languageId);
  const more = baselineLines.length - shown.length;
  if (more > 0) text.appendText(`… ${more === 1 ? l10n.t('1 more line') : l10n.t('{0} more lines', more)}`);
  return text;
}

function linksFor(hunk: Hunk): readonly Link[] {
  if (hunk.state === 'conflicted') {
    return [
      [`$(check) ${l10n.t('Keep Mine')}`, 'parley.keepMine'],
      [l10n.t('Keep Agent’s Version'), 'parley.keepAgents'],
      [`$(discard) ${l10n.t('Undo Both')}`, 'parley.undoBoth'],
      [`$(diff) ${l10n.t('Show Both')}`, 'parley.showBoth'],
    ];
  }
  const links: Link[] = [
    [`$(check) ${l10n.t('Keep')}`, 'parley.keepChange'],
    [`$(discard) ${l10n.t('Undo')}`, 'parley.undoChange'],
    [`$(comment) ${l10n.t('Comment')}`, 'parley.commentOnChange'],
  ];
  return hunk.baselineLines.length > 0 ? [...links, [`$(eye) ${l10n.t('Show Original')}`, 'parley.peekBefore']] : links;
}

function actions({ sessionId, path }: Place, hunk: Hunk): vscode.MarkdownString {
  const links = linksFor(hunk);
  // Parentheses would end the link.
  const argument = encodeURIComponent(JSON.stringify([{ sessionId, path, id: hunk.id }]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  const text = new vscode.MarkdownString(
    links.map(([label, command]) => `[${label}](command:${command}?${argument})`).join('&nbsp;&nbsp;|&nbsp;&nbsp;'),
    true,
  );
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  return text;
}
