import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { differInBranchBases, EditorWrites } from '../../changes/diskRules';
import { withLineFeeds } from '../../changes/lineFeeds';
import { openDocument, samePath } from './documentEdits';
import { isUnsavedElsewhere } from './unsavedWork';

/** Notified at once about texts in documents of files; texts have line feeds as line ends. */
export interface EditorListener {
  /** The file was read again, or the user has begun to type: then `typed` follows for the same version. */
  changed(path: string, text: string, version: number): void;
  typed(path: string, version: number): void;
  saved(path: string, text: string): void;
  opened(path: string): void;
}

const gitConfig = nodePath.join(nodePath.sep, '.git', 'config');
/** Keystrokes that one save may include. */
const MAX_HELD = 16;

/** Follows writes by the editor itself and for the user, so that none of them is attributed to an agent. */
export class EditorWatch extends Disposable {
  readonly writes = new EditorWrites();
  /** Version of each document after the user's last typing; reading the file again changes it. */
  readonly #typed = new WeakMap<vscode.TextDocument, number>();
  /** The latest texts of documents that are being saved. */
  readonly #saving = new WeakMap<vscode.TextDocument, string[]>();

  constructor(heard: EditorListener) {
    super();
    const { workspace } = vscode;
    this.register(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme !== 'file') return;
        const path = document.uri.fsPath;
        const held = this.#saving.get(document);
        if (held && contentChanges.length > 0)
          this.#saving.set(document, [...held, document.getText()].slice(-MAX_HELD));
        // An event without changes reports that the document has become dirty, which the first event did not know yet.
        if (document.isDirty) {
          this.#typed.set(document, document.version);
          heard.typed(path, document.version);
        } else if (contentChanges.length > 0) heard.changed(path, withLineFeeds(document.getText()), document.version);
      }),
    );
    this.register(
      workspace.onWillSaveTextDocument(
        ({ document }) => document.uri.scheme === 'file' && this.#saving.set(document, [document.getText()]),
      ),
    );
    this.register(
      workspace.onDidSaveTextDocument((document) => {
        if (document.uri.scheme !== 'file') return;
        const text = withLineFeeds(document.getText());
        this.writes.saved(document.uri.fsPath, text, this.#saving.get(document));
        this.#saving.delete(document);
        heard.saved(document.uri.fsPath, text);
      }),
    );
    this.register(workspace.onDidOpenTextDocument(({ uri }) => uri.scheme === 'file' && heard.opened(uri.fsPath)));
    this.register(workspace.onDidSaveNotebookDocument(({ uri }) => this.writes.created(uri.fsPath, Date.now())));
    this.register(
      workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => this.writes.created(uri.fsPath, Date.now()))),
    );
    this.register(workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.writes.deleted(uri.fsPath))));
    this.register(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          this.writes.deleted(oldUri.fsPath);
          this.writes.created(newUri.fsPath, Date.now());
        }
      }),
    );
  }

  /**
   * Whether the editor wrote a file's current content.
   * @param text on disk, undefined if the file is gone or not a text.
   * @param before the earlier text, if known.
   * @param changedAt see `EditorWrites.explains`
   */
  explains(path: string, text: string | undefined, before?: string, changedAt?: number): boolean {
    if (before !== undefined && text !== undefined && path.endsWith(gitConfig) && differInBranchBases(before, text))
      return true;
    const document = openDocument(path);
    return this.writes.explains(
      path,
      text,
      document && {
        text: document.getText(),
        isDirty: document.isDirty,
        isTyped: this.#typed.get(document) === document.version,
      },
      parentsOf(path),
      changedAt,
    );
  }
}

/** Whether the user has unsaved work in a file that differs from the disk. */
export function isUnsavedOver(path: string, text: string | undefined): boolean {
  const document = vscode.workspace.textDocuments.find(
    (item) => item.uri.scheme === 'file' && item.isDirty && samePath(item.uri.fsPath, path),
  );
  // A notebook's cells cannot be compared with the text of its file.
  return (
    isUnsavedElsewhere(path) ||
    (document !== undefined && (text === undefined || withLineFeeds(document.getText()) !== text))
  );
}

function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let folder = nodePath.dirname(path); folder !== nodePath.dirname(folder); folder = nodePath.dirname(folder))
    parents.push(folder);
  return parents;
}
