import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { LineRange } from '../../changes/hunk';
import { blocksAround } from '../../changes/places';

/** Reports the lines in view or near it, because decorations of thousands of hunks are made only there. */
export class LinesInView extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<vscode.TextEditor>());
  readonly #known = new WeakMap<vscode.TextEditor, LineRange | undefined>();

  /** Fires when other lines are near the view of an editor. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor() {
    super();
    this.register(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        const before = this.#known.get(textEditor);
        const now = this.in(textEditor);
        if (before?.start !== now.start || before.end !== now.end) this.#changeEmitter.fire(textEditor);
      }),
    );
  }

  in(editor: vscode.TextEditor): LineRange {
    const range = blocksAround(
      editor.visibleRanges.map(({ start, end }) => ({ start: start.line, end: end.line + 1 })),
    );
    this.#known.set(editor, range);
    return range;
  }

  /** One range for each editor that shows a document. */
  of(document: vscode.TextDocument): LineRange[] {
    return vscode.window.visibleTextEditors
      .filter((editor) => editor.document === document)
      .map((editor) => this.in(editor));
  }
}
