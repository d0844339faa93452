import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import { userEnvironment } from '../../node/environment';
import type { KeepCountdownView } from '../../protocol/changeView';
import { promptOf } from '../../thread/lastTurn';
import { autoKeepDelayMs, autoKeepMode } from '../agents/agentSettings';
import type { Guards } from '../changes/guards';
import type { KeepHistory } from '../changes/keepHistory';
import type { AutoKeep } from './autoKeep';
import type { Review } from './review';
import { tellKept } from './reviewQuestions';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { SessionService } from '../sessions/sessionService';
import { TurnChanges } from './turnChanges';

export interface BulkReviewOptions {
  readonly review: Review;
  readonly keeping: KeepHistory;
  readonly guards: Guards;
  readonly sessions: SessionService;
  readonly index: SessionIndex;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  /** See `ReviewServiceOptions.turnOf`. */
  readonly turnOf: (sessionId: string) => string | undefined;
}

/**
 * Joins what works on many changes at once: the tree, its commands, the lines of turns, and what is kept without a click.
 * The tree is loaded with the first change, and the last of these when the user wants it.
 */
export class BulkReview extends Disposable {
  readonly turns: TurnChanges;
  private readonly changeEmitter = this.register(new Emitter<void>());
  private isTreeLoading = false;
  private isAutoKeepLoading = false;
  private autoKeep: AutoKeep | undefined;
  private isPanelVisible = false;

  /** The panel has something else to show. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: BulkReviewOptions) {
    super();
    const { review, guards, sessions } = options;
    this.turns = this.register(
      new TurnChanges({
        review,
        runningTurn: (id) => (sessions.find(id)?.session.isRunning ? options.turnOf(id) : undefined),
      }),
    );
    const load = () => {
      if (review.sessions.length > 0) void this.loadTree();
      if (autoKeepMode() !== 'never') void this.loadAutoKeep();
    };
    this.register(review.onDidChange(load));
    this.register(review.onDidChange(() => this.changeEmitter.fire()));
    this.register(guards.onDidChange(() => review.refresh()));
    this.register(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley.review') && (load(), this.autoKeep?.update())));
    load();
  }

  /** Present while changes will be kept without a click. */
  get keepsIn(): KeepCountdownView | undefined {
    return this.autoKeep?.view;
  }

  /** The user looks at the countdown, which stands still meanwhile. */
  hold(isHeld: boolean): void {
    this.autoKeep?.hold('person', isHeld);
  }

  /** The user wants to decide. */
  stop(): void {
    this.autoKeep?.stop();
  }

  /** What cannot be seen does not count down. */
  showPanel(isVisible: boolean): void {
    this.isPanelVisible = isVisible;
    if (isVisible) void this.options.review.look();
    this.hold(false);
    this.autoKeep?.hold('hidden', !isVisible);
  }

  private get shown() {
    const { id } = this.options.sessions.active.session;
    return { sessionId: id, turn: this.options.turnOf(id) };
  }

  private async loadTree(): Promise<void> {
    if (this.isTreeLoading) return;
    this.isTreeLoading = true;
    const [{ ChangesTree }, { ChangeCommands }] = await Promise.all([import('./changesTree'), import('./changeCommands')]);
    const { review, keeping, guards, sessions, index, state } = this.options;
    const tree = this.register(
      new ChangesTree({
        review,
        state,
        isGuarded: guards.isGuarded,
        cwd: (id) => sessions.find(id)?.cwd ?? index.get(id)?.cwd ?? sessions.active.cwd,
        sessionTitle: (id) => index.get(id)?.ownTitle ?? index.get(id)?.title,
        turnTitle: (id, turn) => promptOf(sessions.find(id)?.session.thread, turn),
      }),
    );
    this.register(new ChangeCommands({ review, tree, shown: () => this.shown, undoLastKeep: () => keeping.undoLast() }));
  }

  private async loadAutoKeep(): Promise<void> {
    if (this.isAutoKeepLoading) return;
    this.isAutoKeepLoading = true;
    const [{ AutoKeep }, { CommittedFiles }] = await Promise.all([import('./autoKeep'), import('./committedFiles')]);
    const { review, guards, sessions, clock } = this.options;
    this.autoKeep = this.register(
      new AutoKeep({
        review,
        committed: this.register(new CommittedFiles(userEnvironment)),
        isGuarded: guards.isGuarded,
        mode: autoKeepMode,
        delayMs: autoKeepDelayMs,
        threads: () => sessions.open.map(({ id, session }) => ({ id, thread: session.thread })),
        onDidChangeThreads: sessions.onDidChange,
        told: (files) => void tellKept(files, async () => void (await vscode.commands.executeCommand('parley.undoLastKeep'))),
        clock,
      }),
    );
    this.autoKeep.hold('hidden', !this.isPanelVisible);
    this.register(this.autoKeep.onDidChange(() => this.changeEmitter.fire()));
    this.changeEmitter.fire();
  }
}
