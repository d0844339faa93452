import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { visibleLine } from '../../base/visibleText';
import type { Hunk } from '../../changes/hunk';
import { anchorOf, type Place } from '../../changes/places';
import { BASELINE_SCHEME } from '../changes/baselineDocuments';
import { GUTTER_COLORS, type GutterColor, gutterMark } from './gutterMark';
import { hunkHover } from './hunkHover';

type Kind = 'added' | 'changed' | 'deleted' | 'conflicted';

/** Characters of a removed line that stand at the place where it was. */
const GHOST_CHARS = 100;

/** Marks what the agent changed in editors of real files: the lines, the gutter, the overview ruler, and what was there before. */
export class HunkDecorations extends Disposable {
  private readonly types: Readonly<Record<Kind, vscode.TextEditorDecorationType>> = {
    added: this.register(lineDecoration(GUTTER_COLORS.added, 'editorOverviewRuler.addedForeground')),
    changed: this.register(lineDecoration(GUTTER_COLORS.changed, 'editorOverviewRuler.modifiedForeground')),
    conflicted: this.register(lineDecoration(GUTTER_COLORS.conflicted, 'editorOverviewRuler.warningForeground')),
    deleted: this.register(
      vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        borderStyle: 'solid',
        borderWidth: '1px 0 0 0',
        borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
        ...gutterMark('gap', GUTTER_COLORS.deleted),
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      }),
    ),
  };
  /** Editors that have marks now; the others need not be told that they have none. */
  private marked = new WeakSet<vscode.TextEditor>();

  /** @param placesOf what waits for a decision in a document. */
  constructor(
    private readonly placesOf: (document: vscode.TextDocument) => readonly Place[],
    onDidChange: vscode.Event<unknown>,
  ) {
    super();
    this.register(onDidChange(() => this.update()));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.update()));
    this.register(vscode.window.onDidChangeTextEditorViewColumn(() => this.update()));
    this.update();
  }

  private update(): void {
    for (const editor of vscode.window.visibleTextEditors) this.mark(editor);
  }

  private mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    // A diff shows the same in its own way.
    const places = isInOurDiff(editor) ? [] : this.placesOf(document);
    if (places.length === 0 && !this.marked.has(editor)) return;
    if (places.length === 0) this.marked.delete(editor);
    else this.marked.add(editor);
    const options: Record<Kind, vscode.DecorationOptions[]> = { added: [], changed: [], deleted: [], conflicted: [] };
    for (const place of places) if (place.hunk) options[kindOf(place.hunk)].push(optionsFor(place, place.hunk, document));
    for (const kind of Object.keys(options) as Kind[]) editor.setDecorations(this.types[kind], options[kind]);
  }
}

function lineDecoration(bar: GutterColor, ruler: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    ...gutterMark('bar', bar),
    overviewRulerColor: new vscode.ThemeColor(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function kindOf(hunk: Hunk): Kind {
  if (hunk.state === 'conflicted') return 'conflicted';
  if (hunk.currentLines.length === 0) return 'deleted';
  return hunk.baselineLines.length === 0 ? 'added' : 'changed';
}

function optionsFor(place: Place, hunk: Hunk, document: vscode.TextDocument): vscode.DecorationOptions {
  const first = anchorOf(hunk, document.lineCount);
  const last = Math.max(first, Math.min(hunk.current.end, document.lineCount) - 1);
  const range = new vscode.Range(first, 0, last, document.lineAt(last).text.length);
  const hoverMessage = hunkHover(place, hunk, document.languageId);
  return hunk.currentLines.length === 0 ? { range, hoverMessage, renderOptions: { after: ghost(hunk.baselineLines) } } : { range, hoverMessage };
}

/** What was deleted, at the end of the line that came to stand in its place; the hover and the peek have all of it. */
function ghost(lines: readonly string[]): vscode.ThemableDecorationAttachmentRenderOptions {
  const text = lines.find((line) => line.trim() !== '')?.trim() ?? (lines.length === 1 ? l10n.t('empty line') : l10n.t('empty lines'));
  const more = lines.length > 1 ? ` … ${lines.length === 2 ? l10n.t('1 more line') : l10n.t('{0} more lines', lines.length - 1)}` : '';
  return {
    contentText: visibleLine(text, GHOST_CHARS) + more,
    margin: '0 0 0 2em',
    textDecoration: 'line-through',
    color: new vscode.ThemeColor('descriptionForeground'),
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    // A colour of high contrast themes; the others have none, and no border.
    border: '1px solid',
    borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
  };
}

function isInOurDiff(editor: vscode.TextEditor): boolean {
  // One of several in a multi-file diff, or a peek.
  if (editor.viewColumn === undefined) return true;
  const group = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === editor.viewColumn);
  const input = group?.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.original.scheme === BASELINE_SCHEME && input.modified.toString() === editor.document.uri.toString();
}
