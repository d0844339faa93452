import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { WriteSteps } from '../../changes/writeSteps';

/** Observes a document during an agent's write, and separates the user's typing. */
export class WriteWitness extends Disposable {
  readonly told: WriteSteps;

  /** @param text the agent's new text. */
  constructor(document: vscode.TextDocument, text: string) {
    super();
    this.told = new WriteSteps(document.getText(), text);
    const { workspace } = vscode;
    this.register(
      workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || event.contentChanges.length === 0) return;
        const editor = vscode.window.activeTextEditor;
        this.told.changed(
          document.getText(),
          event.contentChanges,
          editor?.document === document ? editor.selections : [],
        );
      }),
    );
    this.register(workspace.onWillSaveTextDocument((event) => event.document === document && this.told.saving()));
    this.register(workspace.onDidSaveTextDocument((saved) => saved === document && this.told.saved()));
  }
}
