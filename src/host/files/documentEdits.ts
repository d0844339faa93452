import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { linesOf, textEdits } from '../../changes/lineEdits';
import { withLineFeeds } from '../../changes/lineFeeds';
import { pathKey } from './pathPolicy';

/** With more edits at once the editor that shows the document makes them, if there is one. */
const MANY = 500;

/** How long an automatic save may take that runs at the same moment as ours. */
const SAVE_MS = 1_000;

/**
 * Makes a document hold `text`, changing only what differs, without showing it: cursors, folds and markers stay, Ctrl+Z
 * takes it back. The document's line ends stay as they are. Does not save.
 * @throws Error where VS Code refuses the edit, or the document changed meanwhile.
 */
export async function editDocument(document: vscode.TextDocument, text: string): Promise<void> {
  // Between computing positions and applying them the user may type; then the positions are computed anew.
  for (let attempt = 0; ; attempt++) {
    const before = withLineFeeds(document.getText());
    const target = withLineFeeds(text);
    if (before === target) return;
    const edits = editsOf(document, before, target);
    const { version } = document;
    // The user may have typed on before we hear of it: then the target stood there for a moment.
    let isReached = false;
    const registration = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && withLineFeeds(document.getText()) === target) isReached = true;
    });
    const isApplied = await apply(document, edits).catch(() => false);
    registration.dispose();
    if (isApplied && isReached) return;
    if (document.version === version || attempt === 2) throw new Error('VS Code did not apply the edit');
    if (withLineFeeds(document.getText()) !== before) throw new Error('the file was being edited at the same moment');
  }
}

/** VS Code did not save a document: the file could not be written, or VS Code takes it for newer than the document. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';

  constructor() {
    super('VS Code could not save the file');
  }
}

/** Saves, unless there is nothing to save. @throws NotSavedError */
export async function saveDocument(document: vscode.TextDocument): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (!document.isDirty || (await document.save())) return;
    // An automatic save that came first makes ours fail; we hear of its end a little later.
    if (await becomesClean(document)) return;
  }
  throw new NotSavedError();
}

async function becomesClean(document: vscode.TextDocument): Promise<boolean> {
  const clean = new Deferred<void>();
  // VS Code tells of a changed dirty state by a change without changes.
  const registration = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document && !document.isDirty) clean.resolve();
  });
  const timer = setTimeout(() => clean.resolve(), SAVE_MS);
  if (document.isDirty) await clean.promise;
  clearTimeout(timer);
  registration.dispose();
  return !document.isDirty;
}

/** The open document of a file, in whatever spelling of its path. */
export function openDocument(...paths: readonly string[]): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) =>
      document.uri.scheme === 'file' && !document.isClosed && paths.some((path) => samePath(document.uri.fsPath, path)),
  );
}

/** How long it is known where the name of a document leads; a save checks it anew. Milliseconds. */
const NAMES_MS = 500;

const names = new WeakMap<vscode.TextDocument, { readonly real: string | undefined; readonly at: number }>();

/** The open document of a file, also where it was opened through a link. @param real the file's path without links. */
export async function documentAt(path: string, real: string): Promise<vscode.TextDocument | undefined> {
  const named = openDocument(path, real);
  if (named) return named;
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme !== 'file' || document.isClosed) continue;
    let name = names.get(document);
    if (!name || Date.now() - name.at > NAMES_MS)
      names.set(
        document,
        (name = { real: await realpath(document.uri.fsPath).catch(() => undefined), at: Date.now() }),
      );
    if (name.real !== undefined && samePath(name.real, real)) return document;
  }
  return undefined;
}

/** Whether two paths name one file, as VS Code sees it. A volume may see it otherwise (`refuseElsewhere`). */
export function samePath(a: string, b: string, platform: NodeJS.Platform = process.platform): boolean {
  return a === b || pathKey(a, platform) === pathKey(b, platform);
}

interface DocumentEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/**
 * Makes edits in a document. In the document of the editor in front VS Code compares each edit of a workspace with the
 * text first, for as long as a second, after it has handed the whole text to another thread. It does not do so with
 * edits of the editor itself.
 * @returns whether they were made
 */
async function apply(document: vscode.TextDocument, edits: readonly DocumentEdit[]): Promise<boolean> {
  const { version } = document;
  const editor =
    edits.length > MANY ? vscode.window.visibleTextEditors.find((shown) => shown.document === document) : undefined;
  if (await editor?.edit((builder) => edits.forEach(({ range, text }) => builder.replace(range, text)))) return true;
  // In the meantime the user may have typed; an editor may also be one that cannot be typed in.
  if (document.version !== version) return false;
  const workspaceEdit = new vscode.WorkspaceEdit();
  for (const { range, text } of edits) workspaceEdit.replace(document.uri, range, text);
  return vscode.workspace.applyEdit(workspaceEdit);
}

function editsOf(document: vscode.TextDocument, before: string, after: string): DocumentEdit[] {
  const starts = [0];
  for (const line of linesOf(before)) starts.push(starts[starts.length - 1]! + line.length);
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const position = (offset: number) => {
    const line = lineAt(starts, offset);
    // The end of a text that ends with a line feed is the start of one more, empty line; `starts` has that as its last.
    return new vscode.Position(line, offset - starts[line]!);
  };
  return textEdits(before, after).map(({ start, end, text }) => ({
    range: new vscode.Range(position(start), position(end)),
    text: eol === '\n' ? text : text.replaceAll('\n', eol),
  }));
}

/**
 * The last line that starts at or before `offset`; at the end of a text without final line feed that is the last line.
 */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
