import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';

/** VS Code lists the tools of an extension up to a second after it says that there is another extension. */
const settleMs = 2_000;

/**
 * Tells when agents may get other tools than before: the user chose others, or extensions came or went. VS Code has no
 * event for tools, so those that come and go without an extension are found when an agent lists its tools.
 */
export class ToolListWatch extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  constructor(clock: Clock) {
    super();
    const settled = this.register(new Coalescer(clock, settleMs, () => this.#changeEmitter.fire()));
    this.register(vscode.extensions.onDidChange(() => settled.schedule()));
    this.register(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('parley.editorTools')) this.#changeEmitter.fire();
      }),
    );
  }
}
