import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, Coalescer } from '../../base/scheduler';
import { isWithin } from '../../node/isWithin';
import type { ThreadAction } from '../../thread/actions';
import { type FollowTarget, hasScrolledAway, isSameTarget, lineOf, targetOf } from '../../view/follow';
import { markedWindow } from '../platform/markedWindow';
import { FollowTab } from './followTab';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';

/** The shortest time between two places; the newest one is shown. */
const intervalMs = 300;
/** The number of latest entries that are searched for the first place. */
const lookBack = 50;

/**
 * Follows the agent of the shown session, if the user has turned it on: opens the files that it reads and edits in one
 * tab, at the line, without the focus. Ends when the user types, scrolls away or opens something else there.
 */
export class FollowAgent extends Disposable {
  readonly #following = new Map<string, IDisposable>();
  readonly #tab: FollowTab;
  readonly #pace: Coalescer;
  #next: { readonly live: LiveSession; readonly target: FollowTarget } | undefined;
  #last: FollowTarget | undefined;
  #busy = false;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Following began or ended in a session. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly sessions: SessionService,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    super();
    this.#tab = this.register(new FollowTab(clock));
    this.#pace = this.register(new Coalescer(clock, intervalMs, () => void this.#flush()));
    this.register(sessions.views.onDidSwitch(() => this.#announce()));
    this.register(sessions.views.onDidUse(() => this.#announce()));
    this.register(sessions.onDidClose(({ id }) => this.#stop(id)));
    this.register(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => this.#handleSelection(textEditor, kind)),
    );
    this.register(vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#handleScroll(textEditor)));
    this.register(
      vscode.window.onDidChangeActiveTextEditor(
        (editor) =>
          editor &&
          this.#tab.isOverlaid(editor) &&
          this.#giveUp(() => l10n.t('Parley no longer follows the agent because you opened another file')),
      ),
    );
    this.#announce();
  }

  /** In the active session. */
  get isFollowing(): boolean {
    return this.follows(this.sessions.active.id);
  }

  follows(sessionId: string): boolean {
    return this.#following.has(sessionId);
  }

  toggle(): void {
    const { active } = this.sessions;
    if (this.isFollowing) this.#stop(active.id);
    else this.#start(active);
  }

  override dispose(): void {
    for (const subscription of this.#following.values()) subscription.dispose();
    super.dispose();
  }

  #start(live: LiveSession): void {
    this.#following.set(
      live.id,
      live.session.onDidAct((action) => this.#handleAction(live, action)),
    );
    this.#last = undefined;
    this.#tab.forget();
    const { entries } = live.session.thread;
    for (let i = entries.length - 1; i >= Math.max(0, entries.length - lookBack); i--) {
      const entry = entries.at(i);
      const target = entry?.kind === 'toolCall' ? targetOf(entry, live.cwd) : undefined;
      if (!target) continue;
      this.#propose(live, target);
      break;
    }
    this.#announce();
  }

  #stop(id: string): void {
    this.#following.get(id)?.dispose();
    if (!this.#following.delete(id)) return;
    if (this.#next?.live.id === id) this.#next = undefined;
    this.#announce();
  }

  /**
   * @param words the text of the status bar; only called while a file is followed, because this runs at every key.
   */
  #giveUp(words: () => string): void {
    if (!this.isFollowing) return;
    this.#stop(this.sessions.active.id);
    markedWindow.setStatusBarMessage(`$(eye-closed) ${words()}`, 6_000);
  }

  #handleAction(live: LiveSession, action: ThreadAction): void {
    if (action.type !== 'toolCall/patched' && action.type !== 'permission/requested') return;
    // Updates of only the status have no new place.
    if (!action.fields.locations && !action.fields.content) return;
    const { thread } = live.session;
    const index = thread.toolCalls.get(action.fields.toolCallId);
    const call = index === undefined ? undefined : thread.entries.at(index);
    const target = call?.kind === 'toolCall' ? targetOf(call, live.cwd) : undefined;
    if (target) this.#propose(live, target);
  }

  #propose(live: LiveSession, target: FollowTarget): void {
    if (live !== this.sessions.active || isSameTarget(this.#last, target)) return;
    this.#next = { live, target };
    this.#pace.schedule();
  }

  async #flush(): Promise<void> {
    const next = this.#next;
    if (!next || this.#busy) return;
    this.#next = undefined;
    this.#busy = true;
    try {
      await this.#show(next.live, next.target);
    } catch (error) {
      this.log.debug(`${next.target.path} was not followed: ${String(error)}`);
    } finally {
      this.#busy = false;
      if (this.#next) this.#pace.schedule();
    }
  }

  /** Only files of the workspace and of the session's folders: others are opened when the user asks for them. */
  async #show(live: LiveSession, target: FollowTarget): Promise<void> {
    const file = path.normalize(target.path);
    const uri = vscode.Uri.file(file);
    const isOwn = live.roots.some((root) => isWithin(file, root)) || vscode.workspace.getWorkspaceFolder(uri);
    if (!isOwn || !((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File)) return;
    const document = await vscode.workspace.openTextDocument(uri);
    if (!this.isFollowing || this.sessions.active !== live) return;
    this.#last = target;
    await this.#tab.show(document, lineOf(target, document.getText()));
  }

  #handleSelection(editor: vscode.TextEditor, kind: vscode.TextEditorSelectionChangeKind | undefined): void {
    if (kind === vscode.TextEditorSelectionChangeKind.Keyboard)
      this.#giveUp(() => l10n.t('Parley no longer follows the agent because you are typing'));
    else if (kind === vscode.TextEditorSelectionChangeKind.Mouse && this.#tab.isIn(editor))
      this.#giveUp(() => l10n.t('Parley no longer follows the agent because you clicked into the editor'));
  }

  #handleScroll(editor: vscode.TextEditor): void {
    const { shown } = this.#tab;
    if (!shown || this.#busy || !this.#tab.isIn(editor) || !this.#tab.shows(editor.document)) return;
    const visible = editor.visibleRanges.map(({ start, end }) => [start.line + 1, end.line + 1] as const);
    if (
      hasScrolledAway({
        now: this.clock.now(),
        shownAt: shown.at,
        changedAt: this.#tab.changedAt,
        line: shown.line,
        visible,
      })
    )
      this.#giveUp(() => l10n.t('Parley no longer follows the agent because you scrolled away'));
  }

  #announce(): void {
    void vscode.commands.executeCommand('setContext', 'parley.following', this.isFollowing);
    this.#changeEmitter.fire();
  }
}
