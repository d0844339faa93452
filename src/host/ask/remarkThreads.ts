import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { visibleLine, visibleText } from '../../base/visibleText';
import type { Remark } from './remarks';

/** Remarks of one session, and of all. */
const maxOfOwner = 50;
const maxOfAll = 500;
/** Characters of one remark. */
const maxText = 10_000;

/** 0-based, both included. */
export interface RemarkLines {
  readonly first: number;
  readonly last: number;
}

/** A remark that the user wants to be fixed. */
export interface RemarkReference {
  readonly uri: vscode.Uri;
  /** 0-based. */
  readonly line: number;
  readonly text: string;
  /** The session whose pending changes it is about, and the agent whose remark it is. */
  readonly about?: { readonly sessionId: string; readonly agent: string };
}

/** Whose remark a thread is. */
interface RemarkOwner {
  /** What is replaced together: a repository, a session. */
  readonly key: string;
  readonly about?: NonNullable<RemarkReference['about']>;
}

/**
 * The remarks of agents, in VS Code's comment widgets: in the file and on the right side of its diff. They belong to the
 * window and are gone with it. A new review of a repository replaces the one before.
 */
export class RemarkThreads extends Disposable {
  readonly #controller = this.register(vscode.comments.createCommentController('parley.remarks', 'Parley'));
  readonly #threads = new Map<vscode.CommentThread, RemarkOwner>();

  /** @param top of the repository @param agent its name */
  show(top: string, agent: string, remarks: readonly Remark[]): void {
    this.#replace(top);
    for (const { path, line, text } of remarks) {
      const uri = vscode.Uri.file(nodePath.join(top, ...path.split('/')));
      this.#open({ key: top }, agent, uri, new vscode.Range(line - 1, 0, line - 1, 0), text);
    }
    this.#tellContext();
  }

  /** Shows a review of a session's pending changes. A new review of them replaces the one before. */
  showOf(sessionId: string, agent: string, remarks: readonly Pick<RemarkReference, 'uri' | 'line' | 'text'>[]): void {
    const key = `review:${sessionId}`;
    this.#replace(key);
    for (const { uri, line, text } of remarks)
      this.#open({ key, about: { sessionId, agent } }, agent, uri, new vscode.Range(line, 0, line, 0), text);
    this.#tellContext();
  }

  /**
   * Shows one remark of a session's agent.
   * @param lines 0-based, both included
   * @returns false if there are too many, or the text is empty or too long; nothing is shown then
   */
  add(owner: string, agent: string, uri: vscode.Uri, lines: RemarkLines, text: string): boolean {
    const own = [...this.#threads.values()].filter(({ key }) => key === owner).length;
    if (own >= maxOfOwner || this.#threads.size >= maxOfAll) return false;
    if (text.trim() === '' || text.length > maxText) return false;
    this.#open({ key: owner }, agent, uri, new vscode.Range(lines.first, 0, lines.last, 0), text);
    this.#tellContext();
    return true;
  }

  #replace(owner: string): void {
    for (const [thread, { key }] of this.#threads) if (key === owner) this.dismiss(thread);
  }

  #open(owner: RemarkOwner, agent: string, uri: vscode.Uri, range: vscode.Range, text: string): void {
    // Text of an agent is no Markdown here: VS Code would draw links and pictures.
    const author = { name: visibleLine(agent, 60) };
    const thread = this.#controller.createCommentThread(uri, range, [
      { author, body: visibleText(text), mode: vscode.CommentMode.Preview },
    ]);
    thread.canReply = false;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    thread.label = l10n.t('Remark');
    // For the menu of the thread.
    if (owner.about) thread.contextValue = 'ofSession';
    this.#threads.set(thread, owner);
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
    return thread && this.#referenceTo(thread);
  }

  /** All remarks of reviews of pending changes, the oldest first. */
  referencesOfSessions(): RemarkReference[] {
    return [...this.#threads.keys()].flatMap((thread) => this.#referenceTo(thread) ?? []).filter(({ about }) => about);
  }

  #referenceTo(thread: vscode.CommentThread): RemarkReference | undefined {
    const [comment] = thread.comments;
    if (!thread.range || !comment) return undefined;
    const text = typeof comment.body === 'string' ? comment.body : comment.body.value;
    const about = this.#threads.get(thread)?.about;
    return { uri: thread.uri, line: thread.range.start.line, text, ...(about ? { about } : {}) };
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
    const ofSessions = [...this.#threads.values()].some(({ about }) => about !== undefined);
    void vscode.commands.executeCommand('setContext', 'parley.hasRemarks', this.#threads.size > 0);
    void vscode.commands.executeCommand('setContext', 'parley.hasSessionRemarks', ofSessions);
  }

  dismissAll(): void {
    for (const thread of [...this.#threads.keys()]) this.dismiss(thread);
  }

  override dispose(): void {
    this.dismissAll();
    super.dispose();
  }
}
