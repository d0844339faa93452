import * as vscode from 'vscode';
import { asObject, integerOf, stringOf } from '../../base/decode';
import { Deferred } from '../../base/deferred';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import { type Clock, waitAtMost } from '../../base/scheduler';
import { ToolError } from '../../editor/toolInput';

/** Building the program before it runs takes its time. */
const startMs = 120_000;
/** Requests after which a stopped program runs. Adapters need not tell that they follow them. */
const resuming = /^(?:continue|next|stepIn|stepOut|stepBack|reverseContinue|restartFrame|goto)$/;

/** A run that an agent started. Others are the user's, and no agent sees them. */
export interface DebugRun {
  readonly owner: string;
  readonly session: vscode.DebugSession;
  /** The thread that has stopped; undefined while the program runs. */
  stopped: { readonly threadId: number; readonly reason: string } | undefined;
  /** Resolves with the next stop, and with the end. */
  next: Deferred<void>;
  isOver: boolean;
  /** Where the program had stopped before requests that the adapter may refuse, by their number. */
  readonly resumed: Map<number, DebugRun['stopped']>;
}

/** The programs that agents debug. Listens from the first one on, until the window ends. */
export class DebugRuns {
  #runs: readonly DebugRun[] = [];
  /** One at a time, so that what begins meanwhile has an owner. */
  #starting: { readonly owner: string; readonly name: string; isSeen: boolean } | undefined;
  #isWatching = false;

  /** The running ones of a session, in the order of their start. */
  of(owner: string): readonly DebugRun[] {
    return this.#runs.filter((run) => run.owner === owner);
  }

  /**
   * Starts a configuration. The program may have ended by then.
   * @throws ToolError if VS Code does not start it, or not in time; while another one starts; if the call is withdrawn
   */
  async start(
    owner: string,
    { folder, name }: { readonly folder: vscode.WorkspaceFolder; readonly name: string },
    clock: Clock,
    token: CancellationToken,
  ): Promise<void> {
    if (this.#starting) throw new ToolError('Another program is just being started. Try again.');
    const starting = (this.#starting = { owner, name, isSeen: false });
    this.#watch();
    try {
      let isStarted = false;
      const begun = Promise.resolve(vscode.debug.startDebugging(folder, name)).then((is) => void (isStarted = is));
      if (!(await waitAtMost(clock, startMs, begun)) || !isStarted)
        throw new ToolError('VS Code did not start it. The user may see why in VS Code.');
    } finally {
      this.#starting = undefined;
    }
    if (token.isCancellationRequested) {
      await this.end(owner);
      throw new ToolError('The call was withdrawn, and the program was stopped.');
    }
    if (!starting.isSeen) throw new ToolError('It was started, but under another name, so you cannot look at it.');
  }

  /** Stops the programs of a session. */
  async end(owner: string): Promise<void> {
    await Promise.all(this.of(owner).map(({ session }) => vscode.debug.stopDebugging(session)));
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    vscode.debug.onDidStartDebugSession((session) => void this.#adopted(session));
    vscode.debug.onDidTerminateDebugSession((session) => {
      const run = this.#find(session.id);
      if (!run) return;
      this.#runs = this.#runs.filter((other) => other !== run);
      run.isOver = true;
      run.next.resolve();
    });
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) =>
        this.#adopted(session) && {
          onWillReceiveMessage: (message: unknown) => this.#asked(session, asObject(message)),
          onDidSendMessage: (message: unknown) => this.#heard(session, asObject(message)),
        },
    });
  }

  /** A program may be debugged by several sessions: children belong to whom the parent belongs to. */
  #adopted(session: vscode.DebugSession): DebugRun | undefined {
    const known = this.#find(session.id);
    if (known) return known;
    const parent = session.parentSession && this.#find(session.parentSession.id);
    const isStarted = this.#starting !== undefined && session.configuration.name === this.#starting.name;
    const owner = parent?.owner ?? (isStarted ? this.#starting?.owner : undefined);
    if (owner === undefined) return undefined;
    if (isStarted) this.#starting!.isSeen = true;
    const run: DebugRun = {
      owner,
      session,
      stopped: undefined,
      next: new Deferred(),
      isOver: false,
      resumed: new Map(),
    };
    this.#runs = [...this.#runs, run];
    return run;
  }

  #find(id: string): DebugRun | undefined {
    return this.#runs.find((run) => run.session.id === id);
  }

  /** The user may continue and step, too. */
  #asked({ id }: vscode.DebugSession, { type, command, seq }: JsonObject): void {
    const run = type === 'request' && resuming.test(stringOf(command) ?? '') ? this.#find(id) : undefined;
    if (!run?.stopped) return;
    run.resumed.set(integerOf(seq) ?? -1, run.stopped);
    resume(run);
  }

  #heard({ id }: vscode.DebugSession, message: JsonObject): void {
    const run = this.#find(id);
    if (!run) return;
    const { type, event } = message;
    const { threadId, reason } = asObject(message['body']);
    if (type === 'response') {
      const asked = integerOf(message['request_seq']) ?? -1;
      const before = run.resumed.get(asked);
      run.resumed.delete(asked);
      if (before && message['success'] === false) stayStopped(run, before);
    } else if (type === 'event' && event === 'stopped') {
      run.stopped = { threadId: integerOf(threadId) ?? 1, reason: stringOf(reason) ?? '' };
      run.next.resolve();
    } else if (type === 'event' && event === 'continued') resume(run);
  }
}

/** The program runs, as far as is known. */
export function resume(run: DebugRun): void {
  run.stopped = undefined;
  if (run.next.isSettled) run.next = new Deferred();
}

/** The program did not go on after all. */
export function stayStopped(run: DebugRun, before: NonNullable<DebugRun['stopped']>): void {
  if (run.isOver) return;
  run.stopped ??= before;
  run.next.resolve();
}
