import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { visibleText } from '../../base/visibleText';
import { plainText } from './plainText';

/** Remarks of one owner, and of all, that are shown at once. */
const maxOfOwner = 50;
const maxOfAll = 500;
/** Characters of one remark. */
const maxText = 10_000;

/** Something to say about lines of a file. The text is an agent's, so it is shown as it is, without links. */
export interface Remark {
  /** Whose remarks are counted and cleared together: a session's id, or the name of a review. */
  readonly owner: string;
  /** Shown as the author. */
  readonly author: string;
  readonly uri: vscode.Uri;
  /** 0-based, both included. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/**
 * Remarks of agents as comment threads of VS Code. They end with the window. The user deletes or resolves them on the
 * thread; there is no reply.
 */
export class Remarks extends Disposable {
  readonly #controller = this.register(vscode.comments.createCommentController('parley.remarks', 'Parley'));
  readonly #shown = new Map<vscode.CommentThread, string>();

  constructor() {
    super();
    this.register(
      vscode.commands.registerCommand('parley.deleteRemark', (thread: vscode.CommentThread) => this.#delete(thread)),
    );
    this.register(
      vscode.commands.registerCommand('parley.resolveRemark', (thread: vscode.CommentThread) => {
        thread.state = vscode.CommentThreadState.Resolved;
        thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
        thread.contextValue = 'resolved';
      }),
    );
  }

  /** @returns false if there are too many, or the text is empty or too long; nothing is shown then */
  add({ owner, author, uri, first, last, text }: Remark): boolean {
    const own = [...this.#shown.values()].filter((other) => other === owner).length;
    if (own >= maxOfOwner || this.#shown.size >= maxOfAll) return false;
    if (text.trim() === '' || text.length > maxText) return false;
    const body = new vscode.MarkdownString();
    // As text: an agent's links, pictures and HTML do nothing.
    body.appendText(visibleText(text));
    const thread = this.#controller.createCommentThread(uri, new vscode.Range(first, 0, last, 0), [
      { author: { name: plainText(author, 60) }, body, mode: vscode.CommentMode.Preview },
    ]);
    thread.canReply = false;
    thread.label = l10n.t('Agent remark');
    thread.state = vscode.CommentThreadState.Unresolved;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.#shown.set(thread, owner);
    return true;
  }

  /** Removes all remarks of an owner. */
  clear(owner: string): void {
    for (const [thread, other] of [...this.#shown]) if (other === owner) this.#delete(thread);
  }

  #delete(thread: vscode.CommentThread): void {
    this.#shown.delete(thread);
    thread.dispose();
  }
}
