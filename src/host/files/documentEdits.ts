import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { linesOf, textEdits } from '../../changes/lineEdits';
import { withLineFeeds } from '../../changes/lineFeeds';
import { pathKey } from './pathPolicy';

/** With more edits at once, the editor of the document makes them, if there is one. */
const MANY = 500;

/** How long a simultaneous automatic save may take. */
const SAVE_MS = 1_000;

/**
 * Sets the text of a document, changing only the differences, without showing it: cursors, folds and markers stay,
 * Ctrl+Z undoes it. The document's line endings stay. Does not save.
 * @throws Error if VS Code refuses the edit, or the document changed meanwhile.
 */
export async function editDocument(document: vscode.TextDocument, text: string): Promise<void> {
  // The user may type between computing positions and applying them; then compute them again.
  for (let attempt = 0; ; attempt++) {
    const before = withLineFeeds(document.getText());
    const target = withLineFeeds(text);
    if (before === target) return;
    const edits = editsOf(document, before, target);
    const { version } = document;
    // The user may have typed on before the event: then the target was reached for a moment.
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

/**
 * VS Code did not save a document: the file could not be written, or VS Code believes that it is newer than the
 * document.
 */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';

  constructor() {
    super('VS Code could not save the file');
  }
}

/** Saves a changed document. @throws NotSavedError */
export async function saveDocument(document: vscode.TextDocument): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (!document.isDirty || (await document.save())) return;
    // An automatic save that came first makes ours fail; its end is reported a little later.
    if (await becomesClean(document)) return;
  }
  throw new NotSavedError();
}

async function becomesClean(document: vscode.TextDocument): Promise<boolean> {
  const clean = new Deferred<void>();
  // VS Code reports a changed dirty state by a change event without changes.
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

/** How long the target of a document's name is cached; a save checks it again. Milliseconds. */
const NAMES_MS = 500;

const names = new WeakMap<vscode.TextDocument, { readonly real: string | undefined; readonly at: number }>();

/** The open document of a file, even if it was opened through a link. @param real the file's path without links. */
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
 * Makes edits in a document. In the active editor's document, VS Code compares each workspace edit with the text first,
 * for up to a second, after passing the whole text to another thread. It does not do so with the editor's own edits.
 * @returns whether they were made
 */
async function apply(document: vscode.TextDocument, edits: readonly DocumentEdit[]): Promise<boolean> {
  const { version } = document;
  const editor =
    edits.length > MANY ? vscode.window.visibleTextEditors.find((shown) => shown.document === document) : undefined;
  if (await editor?.edit((builder) => edits.forEach(({ range, text }) => builder.replace(range, text)))) return true;
  // The user may have typed meanwhile; an editor may also be read-only.
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
    // A text that ends with a line feed has one more, empty line; it is the last of `starts`.
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
