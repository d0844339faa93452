import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { visibleLine, visibleText } from '../../base/visibleText';
import type { Remark } from './remarks';

/** A remark that the user wants to be fixed. */
export interface RemarkReference {
  readonly uri: vscode.Uri;
  /** 0-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * The remarks of an agent's review, in VS Code's comment widgets: in the file and on the right side of its diff. They
 * belong to the window and are gone with it. A new review of a repository replaces the one before.
 */
export class RemarkThreads extends Disposable {
  readonly #controller = this.register(vscode.comments.createCommentController('parley.remarks', 'Parley'));
  readonly #threads = new Map<vscode.CommentThread, string>();

  /** @param top of the repository @param agent its name */
  show(top: string, agent: string, remarks: readonly Remark[]): void {
    for (const [thread, other] of this.#threads) if (other === top) this.dismiss(thread);
    // Text of an agent is no Markdown here: VS Code would draw links and pictures.
    const author = { name: visibleLine(agent, 60) };
    for (const { path, line, text } of remarks) {
      const uri = vscode.Uri.file(nodePath.join(top, ...path.split('/')));
      const thread = this.#controller.createCommentThread(uri, new vscode.Range(line - 1, 0, line - 1, 0), [
        { author, body: visibleText(text), mode: vscode.CommentMode.Preview },
      ]);
      thread.canReply = false;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      thread.label = l10n.t('Remark');
      this.#threads.set(thread, top);
    }
    this.#tellContext();
  }

  /** Opens the file of the first remark at its line. */
  async openFirst(): Promise<void> {
    const [first] = this.#threads.keys();
    if (!first?.range) return;
    const { start } = first.range;
    await vscode.window.showTextDocument(first.uri, { selection: new vscode.Range(start, start) });
  }

  /** Where a thread is now and what it says. @param argument of the menu */
  referenceOf(argument: unknown): RemarkReference | undefined {
    const thread = [...this.#threads.keys()].find((known) => known === argument);
    const [comment] = thread?.comments ?? [];
    if (!thread?.range || !comment) return undefined;
    const text = typeof comment.body === 'string' ? comment.body : comment.body.value;
    return { uri: thread.uri, line: thread.range.start.line, text };
  }

  /** @param argument of the menu */
  dismiss(argument: unknown): void {
    const thread = [...this.#threads.keys()].find((known) => known === argument);
    if (!thread) return;
    this.#threads.delete(thread);
    thread.dispose();
    this.#tellContext();
  }

  #tellContext(): void {
    void vscode.commands.executeCommand('setContext', 'parley.hasRemarks', this.#threads.size > 0);
  }

  dismissAll(): void {
    for (const thread of [...this.#threads.keys()]) this.dismiss(thread);
  }

  override dispose(): void {
    this.dismissAll();
    super.dispose();
  }
}
