import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import { visibleText } from '../../base/visibleText';
import { newProblems, type Problem, type ProblemState } from '../../changes/newProblems';
import { turnsIn } from '../../changes/pending';
import type { NewProblemsView } from '../../protocol/changeView';
import { labelOfPath } from '../../view/labels';
import { reportedProblems } from '../platform/reportedProblems';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { Review } from './review';

/** How long language servers may need until they say the first thing of the last edit. */
const firstMs = 3_000;
/** No change of any problem for so long means that the servers are done. */
const quietMs = 1_000;
const longestMs = 15_000;
/** Problems that a prompt lists, and the characters of each message. */
const maxListed = 20;
const maxMessage = 300;

/** When Parley looks for new problems, and whether it asks the agent by itself. */
export type NewProblemsMode = 'off' | 'show' | 'ask';

export interface ProblemWatchOptions {
  readonly sessions: Pick<SessionService, 'onDidEndTurn' | 'onDidClose' | 'turnOf' | 'find' | 'submit'>;
  readonly review: Pick<Review, 'withMoves'>;
  readonly clock: Clock;
  readonly mode: () => NewProblemsMode;
  /** The session's agent may ask by itself what its edits did. */
  readonly isAskedBy: (id: string) => boolean;
}

/** What is known of a running turn and the errors before it. */
export interface TurnProblems {
  readonly before: ProblemState;
  /** Paths of the files that the turn has edited so far. */
  readonly edited: ReadonlySet<string>;
}

/** The last turn of a session. */
interface Watched {
  before: ProblemState;
  /** Parley itself asked for it, so nothing is asked for after it. */
  readonly isFollowUp: boolean;
  /** Paths of the files that the turn edited. */
  readonly edited: Set<string>;
  /** Its first entry, once it has ended. */
  turn?: string;
  isSettled?: boolean;
  found: readonly Problem[];
  waits: IDisposable[];
}

/**
 * The errors that were not there before the last turn of a session, if that edited files. Looks at what VS Code's
 * language servers report, and waits until they have been quiet for a moment.
 */
export class ProblemWatch extends Disposable {
  readonly #watched = new Map<string, Watched>();
  /** Sessions whose next prompt is Parley's own. */
  readonly #asking = new Set<string>();
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: ProblemWatchOptions) {
    super();
    const { sessions } = options;
    this.register(sessions.onDidEndTurn(({ session, stopReason }) => this.#end(session, stopReason)));
    this.register(sessions.onDidClose(({ id }) => this.#forget(id)));
  }

  /** A prompt is about to leave: notes what is wrong already. */
  begin(session: Pick<LiveSession, 'id' | 'roots'>): void {
    const { id, roots } = session;
    this.#forget(id);
    const isFollowUp = this.#asking.delete(id);
    if (this.options.mode() === 'off' && !this.options.isAskedBy(id)) return;
    const before = reportedProblems(roots);
    if (before) this.#watched.set(id, { before, isFollowUp, edited: new Set(), found: [], waits: [] });
  }

  /** The last turn; undefined if nothing is known of what was before it. */
  turn(id: string): TurnProblems | undefined {
    const watched = this.#watched.get(id);
    const turn = watched && (watched.turn ?? this.options.sessions.turnOf(id));
    if (!watched || turn === undefined) return undefined;
    return { before: watched.before, edited: new Set([...watched.edited, ...this.#editedIn(id, turn)]) };
  }

  /** Adds problems of files that VS Code does not report. Until the turn's first edit, they are older than the turn. */
  noteLook(id: string, looked: ProblemState): void {
    const { before, edited } = this.turn(id) ?? {};
    if (!before || !edited || edited.size > 0) return;
    const more = looked.problems.filter(({ path }) => !before.open.has(path));
    const known = before.problems.filter(({ path }) => before.open.has(path) || !looked.open.has(path));
    this.#watched.get(id)!.before = {
      problems: [...known, ...more],
      open: new Set([...before.open, ...looked.open]),
    };
  }

  /** @returns undefined if there is nothing to show */
  view(id: string): NewProblemsView | undefined {
    const { turn, found } = this.#watched.get(id) ?? {};
    return turn === undefined || !found?.length ? undefined : { turn, count: found.length };
  }

  /** Opens the only problem, or the list of all. */
  async show(id: string): Promise<void> {
    const [first, ...others] = this.#watched.get(id)?.found ?? [];
    if (!first) return;
    if (others.length > 0) return void (await vscode.commands.executeCommand('workbench.actions.view.problems'));
    const selection = new vscode.Range(first.line, 0, first.line, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(first.path), { selection });
  }

  /** Sends the problems to the agent as a prompt of the user's. */
  async ask(id: string): Promise<void> {
    const session = this.options.sessions.find(id);
    const found = this.#watched.get(id)?.found ?? [];
    if (!session || found.length === 0) return;
    const text = promptOf(found, session.cwd);
    await this.options.sessions.submit({ text, mentions: [], attachments: [] }, session);
  }

  #end(session: LiveSession, stopReason: string): void {
    const { id } = session;
    const watched = this.#watched.get(id);
    const turn = this.options.sessions.turnOf(id);
    // The next turn runs already, and has its own.
    if (!watched || watched.turn !== undefined || turn === undefined || session.session.isRunning) return;
    watched.turn = turn;
    if (this.options.mode() === 'off') return;
    const { clock } = this.options;
    let isHeard = false;
    let quiet: IDisposable | undefined;
    const settle = () => this.#settle(session, watched, stopReason);
    watched.waits = [
      clock.setTimeout(() => !isHeard && settle(), firstMs),
      clock.setTimeout(() => !watched.isSettled && settle(), longestMs),
      vscode.languages.onDidChangeDiagnostics(() => {
        isHeard = true;
        quiet?.dispose();
        quiet = clock.setTimeout(settle, quietMs);
      }),
      { dispose: () => quiet?.dispose() },
    ];
  }

  /** Compares. From then on it follows the servers, so that a repaired problem disappears. */
  #settle(session: LiveSession, watched: Watched, stopReason: string): void {
    // Kept changes are not pending any more.
    for (const path of this.#editedIn(session.id, watched.turn!)) watched.edited.add(path);
    if (watched.edited.size === 0) return this.#forget(session.id);
    const isFirst = !watched.isSettled;
    watched.isSettled = true;
    const after = reportedProblems(session.roots);
    watched.found = after ? newProblems(watched.before, after, watched.edited) : [];
    this.#changeEmitter.fire();
    const mayAsk = isFirst && !watched.isFollowUp && stopReason === 'end_turn' && session.session.takesPrompt;
    if (!mayAsk || watched.found.length === 0 || this.options.mode() !== 'ask') return;
    this.#asking.add(session.id);
    void this.ask(session.id);
  }

  /** Paths of the files that a turn edited, as far as its changes are pending. */
  #editedIn(id: string, turn: string): ReadonlySet<string> {
    const mine = this.options.review.withMoves.filter(({ sessionId }) => sessionId === id);
    const changes = mine.flatMap((session) => session.changes.filter((change) => turnsIn(change).has(turn)));
    return new Set(changes.map(({ path }) => path));
  }

  #forget(id: string): void {
    const watched = this.#watched.get(id);
    if (!watched) return;
    for (const wait of watched.waits) wait.dispose();
    this.#watched.delete(id);
    if (watched.found.length > 0) this.#changeEmitter.fire();
  }

  override dispose(): void {
    for (const id of [...this.#watched.keys()]) this.#forget(id);
    super.dispose();
  }
}

/** Language servers choose the words, so no character of them may be hidden and each problem is one line. */
function promptOf(found: readonly Problem[], cwd: string): string {
  const lines = found.slice(0, maxListed).map(({ path, line, message, code, source }) => {
    const words = visibleText(message).replaceAll(/\s+/g, ' ').trim().slice(0, maxMessage);
    const origin = [source, code].filter(Boolean).join(' ');
    return `- ${labelOfPath(path, cwd)}:${line + 1}: ${words}${origin === '' ? '' : ` (${visibleText(origin)})`}`;
  });
  const more = found.length - lines.length;
  if (more > 0) lines.push(l10n.t('and {0} more', more));
  const title =
    found.length === 1
      ? l10n.t('Your last changes left 1 new problem. Fix it:')
      : l10n.t('Your last changes left {0} new problems. Fix them:', found.length);
  return [title, '', ...lines].join('\n');
}
