import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { CurrentFileView } from '../../protocol/attachments';
import { lineLabel } from './attachment';

/**
 * The editor of the current file, saved or not. A chat in a tab is not a text editor; the editor beside it counts then.
 */
export function currentEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor && ['file', 'untitled'].includes(editor.document.uri.scheme),
  );
}

/** Input boxes of VS Code that are text editors, too: of a comment, a commit message, a chat. */
const boxes = new Set(['comment', 'vscode-scm', 'chatSessionInput', 'vscode-interactive-input']);

/** The active editor, or the one beside it if the user types into a box of VS Code. */
export function editorInFront(): vscode.TextEditor | undefined {
  const { activeTextEditor } = vscode.window;
  return activeTextEditor && boxes.has(activeTextEditor.document.uri.scheme) ? currentEditor() : activeTextEditor;
}

/** The lines of a selection, one-based. A selection of whole lines ends before the first character of the next line. */
export function selectedLines({ start, end }: vscode.Range): [first: number, last: number] {
  return [start.line + 1, end.character === 0 && end.line > start.line ? end.line : end.line + 1];
}

/** The current file at one moment. */
export interface CurrentPlace {
  readonly view: CurrentFileView;
  readonly document: vscode.TextDocument;
  /** Empty: the whole file. */
  readonly selections: readonly vscode.Selection[];
}

export interface CurrentFileOptions {
  /** Remembers for the workspace whether messages bring the file along. */
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** @param path absolute */
  readonly isProtected: (path: string) => boolean;
  readonly onDidChangeProtection: Event<unknown>;
}

const followKey = 'parley.followCurrentFile';
/** Places that a panel may still show while a newer one is on its way to it. */
const maxPlaces = 8;

/** The panel's one-click context: the current file, or the lines selected in it, for one message or for each. */
export class CurrentFile extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  #shown: CurrentFileView | undefined;
  /** Newest first. */
  #places: readonly CurrentPlace[] = [];

  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: CurrentFileOptions) {
    super();
    const { window } = vscode;
    this.register(options.onDidChangeProtection(() => this.#update()));
    for (const event of [
      window.onDidChangeActiveTextEditor,
      window.onDidChangeVisibleTextEditors,
      window.onDidChangeTextEditorSelection,
    ]) {
      this.register((event as vscode.Event<unknown>)(() => this.#update()));
    }
    this.#update();
  }

  /** The same object until its content changes. */
  get view(): CurrentFileView | undefined {
    return this.#shown;
  }

  /** Each message brings the current file along from now on, or no longer. Remembered. */
  follow(on: boolean): void {
    void this.options.state.update(followKey, on || undefined);
    this.#update();
  }

  /**
   * What a panel showed as part of a message.
   * @param detail of the view
   * @returns undefined if messages bring nothing along
   */
  shownAs(detail: string): CurrentPlace | undefined {
    return this.#places.find(
      ({ view, document }) =>
        view.isFollowed && view.detail === detail && !document.isClosed && !this.#isProtected(document.uri),
    );
  }

  #update(): void {
    const editor = currentEditor();
    const now = editor && this.#viewOf(editor);
    // The same lines may be other characters of them.
    if (editor && now) {
      const { document, selections } = editor;
      const place = { view: now, document, selections: now.isSelection ? selections : [] };
      this.#places = [place, ...this.#places.filter(({ view }) => view.detail !== now.detail)].slice(0, maxPlaces);
    }
    const { label, detail, isFollowed } = this.#shown ?? {};
    if (now?.label === label && now?.detail === detail && now?.isFollowed === isFollowed) return;
    this.#shown = now;
    this.#changeEmitter.fire();
  }

  #isProtected({ scheme, fsPath }: vscode.Uri): boolean {
    return scheme === 'file' && this.options.isProtected(fsPath);
  }

  #viewOf(editor: vscode.TextEditor): CurrentFileView | undefined {
    if (this.#isProtected(editor.document.uri)) return undefined;
    return { ...viewOf(editor), ...(this.options.state.get<boolean>(followKey) ? { isFollowed: true } : {}) };
  }
}

function viewOf({ document, selection }: vscode.TextEditor): CurrentFileView {
  const [name, path] = [nodePath.basename(document.uri.fsPath), vscode.workspace.asRelativePath(document.uri)];
  if (selection.isEmpty) return { label: name, detail: path };
  const [first, last] = selectedLines(selection);
  return { label: lineLabel(name, first, last), detail: lineLabel(path, first, last), isSelection: true };
}
