import * as vscode from 'vscode';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';
import { promptOf } from '../thread/lastTurn';
import { AutoKeep } from './autoKeep';
import { ChangeCommands } from './changeCommands';
import { ChangesTree } from './changesTree';
import { CommittedFiles } from './committedFiles';
import { autoKeepDelayMs, autoKeepMode } from './configuration';
import type { Guards } from './guards';
import type { Keeping } from './keeping';
import type { Review } from './review';
import { tellKept } from './reviewQuestions';
import type { SessionIndex } from './sessionIndex';
import type { SessionService } from './sessionService';
import { TurnChanges } from './turnChanges';

export interface ChangesAtOnceOptions {
  readonly review: Review;
  readonly keeping: Keeping;
  readonly guards: Guards;
  readonly sessions: SessionService;
  readonly index: SessionIndex;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  /** See `ReviewServiceOptions.turnOf`. */
  readonly turnOf: (sessionId: string) => string | undefined;
}

/** Joins what works on many changes at once: the tree, its commands, the lines of turns, and what is kept without a click. */
export class ChangesAtOnce extends Disposable {
  readonly turns: TurnChanges;
  readonly autoKeep: AutoKeep;
  private readonly changed = this.register(new Emitter<void>());

  /** The panel has something else to show. */
  readonly onDidChange = this.changed.event;

  constructor({ review, keeping, guards, sessions, index, state, clock, turnOf }: ChangesAtOnceOptions) {
    super();
    const shown = () => ({ sessionId: sessions.active.session.id, turn: turnOf(sessions.active.session.id) });
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
    const commands = this.register(new ChangeCommands({ review, tree, shown, undoLastKeep: () => keeping.undoLast() }));
    this.autoKeep = this.register(
      new AutoKeep({
        review,
        committed: this.register(new CommittedFiles()),
        isGuarded: guards.isGuarded,
        mode: autoKeepMode,
        delayMs: autoKeepDelayMs,
        threads: () => sessions.open.map(({ id, session }) => ({ id, thread: session.thread })),
        onDidChangeThreads: sessions.onDidChange,
        told: (files) => void tellKept(files, () => commands.undoLastKeep()),
        clock,
      }),
    );
    this.turns = this.register(
      new TurnChanges({
        review,
        shown: () => ({ sessionId: shown().sessionId, runningTurn: sessions.active.session.isRunning ? shown().turn : undefined }),
        onDidSwitch: sessions.onDidSwitch,
      }),
    );
    this.autoKeep.hold('hidden', true);
    this.register(review.onDidChange(() => this.changed.fire()));
    this.register(this.autoKeep.onDidChange(() => this.changed.fire()));
    this.register(guards.onDidChange(() => review.refresh()));
    this.register(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley.review') && this.autoKeep.update()));
  }

  /** What cannot be seen does not count down. */
  showPanel(isVisible: boolean): void {
    this.autoKeep.hold('person', false);
    this.autoKeep.hold('hidden', !isVisible);
  }
}
