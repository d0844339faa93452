import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
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

/** The panel's one-click context: the current file, or the lines selected in it. */
export class CurrentFile extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  #shown: CurrentFileView | undefined;

  readonly onDidChange = this.#changeEmitter.event;

  constructor() {
    super();
    const { window } = vscode;
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

  #update(): void {
    const now = viewOf(currentEditor());
    if (now?.label === this.#shown?.label && now?.detail === this.#shown?.detail) return;
    this.#shown = now;
    this.#changeEmitter.fire();
  }
}

function viewOf(editor: vscode.TextEditor | undefined): CurrentFileView | undefined {
  if (!editor) return undefined;
  const { document, selection } = editor;
  const [name, path] = [nodePath.basename(document.uri.fsPath), vscode.workspace.asRelativePath(document.uri)];
  if (selection.isEmpty) return { label: name, detail: path };
  const [first, last] = selectedLines(selection);
  return { label: lineLabel(name, first, last), detail: lineLabel(path, first, last), isSelection: true };
}
