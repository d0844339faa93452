import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Deferred } from '../../../base/deferred';
import { Emitter } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import { type Clock, waitAtMost } from '../../../base/scheduler';
import {
  type CommentThread,
  decodeThread,
  type LineComment,
  relocated,
  shiftedLines,
} from '../../../changes/commentThreads';
import { isUnder, movedPath } from '../../../changes/movedFiles';
import { excerptOf, hunkDiff, type ReviewNote } from '../../../changes/notes';
import { hunksAt, type Place } from '../../../changes/places';
import { BASELINE_SCHEME } from '../../changes/baselineDocuments';
import { shownWait } from '../../platform/longWork';
import { markedWindow } from '../../platform/markedWindow';
import { CommentingRanges, type UnderReview } from './commentingRanges';
import { commentsKey } from './stateKeys';

/** The longest time in which VS Code opens a comment box. */
const BOX_MS = 3_000;

/** A comment in VS Code's widget; menus pass it to their commands. */
class WidgetComment implements vscode.Comment {
  mode = vscode.CommentMode.Preview;
  readonly author: vscode.CommentAuthorInformation;
  readonly label: string;
  readonly contextValue: string;

  constructor(
    readonly threadId: string,
    readonly id: string,
    public body: string,
    isSent: boolean,
  ) {
    this.author = { name: l10n.t('You') };
    this.label = isSent ? l10n.t('Sent') : l10n.t('Pending');
    this.contextValue = isSent ? 'parley.sent' : 'parley.draft';
  }
}

export interface LineCommentsOptions {
  readonly review: UnderReview;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  readonly labelOf: (path: string) => string;
}

/**
 * Comments on lines of files under review, in VS Code's own comment widgets: in the file itself, and on both sides of
 * its diff. They are collected until they are sent, move with their lines, and survive a reload.
 */
export class LineComments extends Disposable {
  readonly #controller = this.register(vscode.comments.createCommentController('parley.review', 'Parley'));
  #threads: readonly CommentThread[] = [];
  readonly #widgets = new Map<string, vscode.CommentThread>();
  /** The list that each widget was given. A new list closes an open box in the widget. */
  readonly #given = new WeakMap<vscode.CommentThread, readonly LineComment[]>();
  readonly #ranges: CommentingRanges;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Fires when the unsent comments have changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: LineCommentsOptions) {
    super();
    const { review, state, clock } = options;
    this.#controller.options = {
      prompt: l10n.t('Comment for the agent'),
      placeHolder: l10n.t('Comment for the agent, sent with your next message'),
    };
    this.#ranges = this.register(new CommentingRanges(this.#controller, review, clock));
    this.register(vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)));
    this.register(vscode.workspace.onDidOpenTextDocument((document) => this.#find(document)));
    this.register(
      vscode.workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => this.#renamed(oldUri, newUri)),
      ),
    );
    const saved = state.get<unknown>(commentsKey);
    // Comments that were sent in an earlier window are no longer needed.
    this.#threads = (Array.isArray(saved) ? saved : [])
      .flatMap((raw) => decodeThread(raw) ?? [])
      .filter((thread) => thread.comments.some(({ isSent }) => !isSent));
    for (const thread of this.#threads) this.#show(thread);
    for (const document of vscode.workspace.textDocuments) this.#find(document);
  }

  /** The unsent comments, by thread. */
  drafts(): ReviewNote[] {
    return this.#threads.flatMap((thread) => {
      const drafts = thread.comments.filter(({ isSent }) => !isSent);
      if (drafts.length === 0) return [];
      const { path, isBefore } = fileOf(thread);
      const place = {
        kind: 'comment' as const,
        path,
        label: this.options.labelOf(path),
        first: thread.first + 1,
        last: thread.last + 1,
        ...(isBefore ? { isBefore } : {}),
      };
      return drafts.map(({ id, text }) => ({ ...place, id, text, diff: this.#diffAt(thread) }));
    });
  }

  /** Marks comments as sent, or as not sent if the message was withdrawn. */
  setSent(ids: ReadonlySet<string>, isSent: boolean): void {
    this.#ofThese(ids, (comments) =>
      comments.map((comment) => (ids.has(comment.id) ? { ...comment, isSent } : comment)),
    );
  }

  /** Removes comments, and threads that have no others. */
  remove(ids: ReadonlySet<string>): void {
    this.#ofThese(ids, (comments) => comments.filter(({ id }) => !ids.has(id)));
  }

  /** Adds a comment from a widget: on new lines, or as a reply. */
  add({ thread: widget, text }: vscode.CommentReply): void {
    if (text.trim() === '') return;
    const comment = { id: randomUUID(), text, isSent: false };
    const known = this.#threadOf(widget);
    if (known)
      return this.#each((thread) =>
        thread === known ? { ...thread, comments: [...thread.comments, comment] } : thread,
      );
    const { start, end } = widget.range ?? new vscode.Range(0, 0, 0, 0);
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === widget.uri.toString());
    const thread: CommentThread = {
      id: randomUUID(),
      uri: widget.uri.toString(),
      first: start.line,
      // A selection of whole lines ends before the first character of the next line.
      last: end.character === 0 && end.line > start.line ? end.line - 1 : end.line,
      anchor: document && start.line < document.lineCount ? document.lineAt(start.line).text : '',
      diff: '',
      comments: [comment],
    };
    this.#widgets.set(thread.id, widget);
    this.#update([...this.#threads, { ...thread, diff: this.#diffAt(thread) }]);
  }

  /** Opens the box of a comment for editing. */
  edit(comment: vscode.Comment): void {
    const widget = comment instanceof WidgetComment ? this.#widgets.get(comment.threadId) : undefined;
    if (!widget) return;
    comment.mode = vscode.CommentMode.Editing;
    // VS Code reads the comments again only if the list is another object.
    widget.comments = [...widget.comments];
  }

  /** Closes the box of a comment. @param takes true to save the new text */
  endEdit(comment: vscode.Comment, takes: boolean): void {
    if (!(comment instanceof WidgetComment)) return;
    const { id, body, threadId } = comment;
    const isNew = takes && body.trim() !== '';
    // A new list closes the box, even if the text is the same.
    this.#each((thread) =>
      thread.id === threadId
        ? { ...thread, comments: thread.comments.map((old) => (old.id === id && isNew ? { ...old, text: body } : old)) }
        : thread,
    );
  }

  deleteComment(comment: vscode.Comment): void {
    if (comment instanceof WidgetComment) this.remove(new Set([comment.id]));
  }

  deleteThread(widget: vscode.CommentThread): void {
    const known = this.#threadOf(widget);
    if (known) this.#update(this.#threads.filter((thread) => thread !== known));
    else widget.dispose();
  }

  /** Shows an unsent comment. */
  async open(commentId: string): Promise<void> {
    const thread = this.#threads.find(({ comments }) => comments.some(({ id }) => id === commentId));
    if (!thread) return;
    const uri = vscode.Uri.parse(thread.uri);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(thread.first, 0, thread.first, 0) });
    const widget = this.#widgets.get(thread.id);
    if (widget) widget.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }

  /** Opens a box for a comment on a hunk, or on the lines of the cursor. */
  async begin(place: Place | undefined): Promise<void> {
    if (place && vscode.window.activeTextEditor?.document.uri.fsPath !== place.path)
      await vscode.window.showTextDocument(vscode.Uri.file(place.path));
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { lineCount } = editor.document;
    const { start, end } = editor.selection;
    const [first, last] = place?.hunk ? [place.hunk.current.start, place.hunk.current.end - 1] : [start.line, end.line];
    const from = Math.min(first, lineCount - 1);
    const to = Math.min(Math.max(from, last), lineCount - 1);
    await this.#openBox(editor.document, from, to);
  }

  /**
   * Opens a box. If VS Code opens none, offers to show comments, because VS Code itself gives no message, also in Zen
   * mode.
   */
  async #openBox(document: vscode.TextDocument, from: number, to: number): Promise<void> {
    const stopped = new Deferred<void>();
    if (
      await shownWait(l10n.t('Opening a comment box'), this.#opensBox(document, from, to, stopped.promise), {
        stop: () => stopped.resolve(),
      })
    )
      return;
    if (stopped.isSettled) return;
    const show = l10n.t('Show Comments');
    const chosen = await markedWindow.showWarningMessage(
      l10n.t('VS Code did not open a comment box. Comments may be hidden in this window.'),
      show,
    );
    if (chosen !== show) return;
    await vscode.commands.executeCommand('workbench.action.toggleCommenting');
    this.#ranges.offer();
    await this.#openBox(document, from, to);
  }

  async #opensBox(document: vscode.TextDocument, from: number, to: number, stopped: Promise<void>): Promise<boolean> {
    if (!(await this.#ranges.whenKnown(document.uri, stopped))) return false;
    const opened = new Deferred<void>();
    const listener = vscode.workspace.onDidOpenTextDocument((opening) => isBox(opening) && opened.resolve());
    try {
      await vscode.commands.executeCommand('workbench.action.addComment', {
        range: {
          startLineNumber: from + 1,
          startColumn: 1,
          endLineNumber: to + 1,
          endColumn: document.lineAt(to).text.length + 1,
        },
        fileComment: false,
      });
      // A comment on the same lines may have an open box already. VS Code hides comments together with their boxes.
      const isThere = this.#threads.some(({ uri, last }) => uri === document.uri.toString() && last === to);
      if (isThere && vscode.workspace.textDocuments.some(isBox)) return true;
      await waitAtMost(this.options.clock, BOX_MS, Promise.race([opened.promise, stopped]));
      return opened.isSettled;
    } finally {
      listener.dispose();
    }
  }

  #diffAt(thread: CommentThread): string {
    const { path, isBefore } = fileOf(thread);
    const hunks = this.options.review.placesIn(path).flatMap(({ hunk }) => hunk ?? []);
    const { first, last } = thread;
    const touched = isBefore
      ? hunks.filter(({ baseline }) => baseline.start <= last && first < baseline.end)
      : hunksAt(hunks, first, last, Infinity);
    if (touched.length > 0) return touched.map(hunkDiff).join('\n');
    if (thread.diff !== '') return thread.diff;
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === thread.uri);
    return document
      ? excerptOf(
          Array.from(
            { length: Math.max(0, Math.min(last + 1, document.lineCount) - first) },
            (_, i) => document.lineAt(first + i).text,
          ),
        )
      : '';
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const uri = document.uri.toString();
    if (contentChanges.length === 0 || !this.#threads.some((thread) => thread.uri === uri)) return;
    // The last edit goes first, so that the positions of earlier edits stay valid.
    const edits = contentChanges
      .map(({ range, text }) => ({
        startLine: range.start.line,
        startCharacter: range.start.character,
        endLine: range.end.line,
        endCharacter: range.end.character,
        added: text.split('\n').length - 1,
      }))
      .sort((a, b) => b.startLine - a.startLine || b.startCharacter - a.startCharacter);
    this.#each((thread) => {
      if (thread.uri !== uri) return thread;
      const { first, last } = edits.reduce(shiftedLines, thread as { first: number; last: number });
      const at = Math.min(first, document.lineCount - 1);
      const anchor = document.lineAt(at).text;
      return at === thread.first && last === thread.last && anchor === thread.anchor
        ? thread
        : { ...thread, first: at, last: Math.max(at, last), anchor };
    });
  }

  /** Finds the threads of an opened document again, because the file may have changed while it was closed. */
  #find(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    this.#each((thread) =>
      thread.uri === uri ? relocated(thread, document.lineCount, (line) => document.lineAt(line).text) : thread,
    );
  }

  #renamed(from: vscode.Uri, to: vscode.Uri): void {
    this.#each((thread) => {
      if (!isUnder(thread.uri, from.toString())) return thread;
      // A widget cannot move to another document.
      this.#widgets.get(thread.id)?.dispose();
      this.#widgets.delete(thread.id);
      return { ...thread, uri: movedPath(thread.uri, from.toString(), to.toString()) };
    });
  }

  /** Changes the threads with these comments. Open boxes in the others stay open. */
  #ofThese(ids: ReadonlySet<string>, change: (comments: readonly LineComment[]) => readonly LineComment[]): void {
    this.#each((thread) =>
      thread.comments.some(({ id }) => ids.has(id)) ? { ...thread, comments: change(thread.comments) } : thread,
    );
  }

  /** @param change returns the same thread if nothing changes */
  #each(change: (thread: CommentThread) => CommentThread): void {
    this.#update(this.#threads.map(change));
  }

  #update(next: readonly CommentThread[]): void {
    const before = new Set(this.#threads);
    const threads = next.filter(({ comments }) => comments.length > 0);
    if (threads.length === before.size && threads.every((thread) => before.has(thread))) return;
    this.#threads = threads;
    for (const thread of threads) if (!before.has(thread)) this.#show(thread);
    const ids = new Set(threads.map(({ id }) => id));
    for (const [id, widget] of this.#widgets) {
      if (ids.has(id)) continue;
      widget.dispose();
      this.#widgets.delete(id);
    }
    void this.options.state.update(commentsKey, threads.length === 0 ? undefined : threads);
    this.#changeEmitter.fire();
  }

  #show(thread: CommentThread): void {
    const { id, first, last } = thread;
    const range = new vscode.Range(first, 0, last, 0);
    const isSent = thread.comments.every((comment) => comment.isSent);
    let widget = this.#widgets.get(id);
    // A draft has no state, and VS Code cannot reset a state, so a new widget is made.
    const isDraftAgain = !isSent && widget?.state !== undefined;
    if (isDraftAgain) widget?.dispose();
    if (!widget || isDraftAgain)
      this.#widgets.set(id, (widget = this.#controller.createCommentThread(vscode.Uri.parse(thread.uri), range, [])));
    if (isDraftAgain) widget.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    if (!widget.range || widget.range.start.line !== first || widget.range.end.line !== last) widget.range = range;
    if (this.#given.get(widget) !== thread.comments)
      widget.comments = thread.comments.map(
        (comment) => new WidgetComment(id, comment.id, comment.text, comment.isSent),
      );
    this.#given.set(widget, thread.comments);
    // Sent comments are collapsed once; the user may expand them again.
    if (isSent && widget.state === undefined) widget.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    // An unresolved thread would open the Comments panel (`comments.openView` in package.json).
    if (isSent) widget.state = vscode.CommentThreadState.Resolved;
    widget.label = isSent ? l10n.t('Sent to the agent') : l10n.t('Will be sent with your next message');
    widget.contextValue = isSent ? 'parley.sent' : 'parley.draft';
  }

  #threadOf(widget: vscode.CommentThread): CommentThread | undefined {
    return this.#threads.find(({ id }) => this.#widgets.get(id) === widget);
  }
}

/** VS Code has a document for each box. */
function isBox({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'comment';
}

function fileOf({ uri }: CommentThread): { path: string; isBefore: boolean } {
  const { fsPath, scheme } = vscode.Uri.parse(uri);
  return { path: fsPath, isBefore: scheme === BASELINE_SCHEME };
}
