import * as vscode from 'vscode';
import { asObject, integerOf, stringOf } from '../../base/decode';
import { Deferred } from '../../base/deferred';
import type { JsonObject } from '../../base/json';
import { type Clock, waitAtMost } from '../../base/scheduler';
import { ToolError } from '../../editor/toolInput';

/** Building the program before it runs takes its time. */
const startMs = 120_000;

/** A run that an agent started. Others are the user's, and no agent sees them. */
export interface DebugRun {
  readonly owner: string;
  readonly session: vscode.DebugSession;
  /** The thread that has stopped; undefined while the program runs. */
  stopped: { readonly threadId: number; readonly reason: string } | undefined;
  /** Resolves with the next stop, and with the end. */
  next: Deferred<void>;
  isOver: boolean;
}

/** The programs that agents debug. Listens from the first one on, until the window ends. */
export class DebugRuns {
  #runs: readonly DebugRun[] = [];
  /** One at a time, so that what begins meanwhile has an owner. */
  #starting: { readonly owner: string; readonly name: string } | undefined;
  #isWatching = false;

  /** The running ones of a session, in the order of their start. */
  of(owner: string): readonly DebugRun[] {
    return this.#runs.filter((run) => run.owner === owner);
  }

  /** @returns false if VS Code did not start it, or not in time @throws ToolError while another one starts */
  async start(owner: string, folder: vscode.WorkspaceFolder, name: string, clock: Clock): Promise<boolean> {
    if (this.#starting) throw new ToolError('Another program is just being started. Try again.');
    this.#starting = { owner, name };
    this.#watch();
    try {
      let isStarted = false;
      const begun = Promise.resolve(vscode.debug.startDebugging(folder, name)).then((is) => void (isStarted = is));
      return (await waitAtMost(clock, startMs, begun)) && isStarted;
    } finally {
      this.#starting = undefined;
    }
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
        this.#adopted(session) && { onDidSendMessage: (message: unknown) => this.#heard(session, asObject(message)) },
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
    const run: DebugRun = { owner, session, stopped: undefined, next: new Deferred(), isOver: false };
    this.#runs = [...this.#runs, run];
    return run;
  }

  #find(id: string): DebugRun | undefined {
    return this.#runs.find((run) => run.session.id === id);
  }

  #heard({ id }: vscode.DebugSession, { type, event, body }: JsonObject): void {
    const run = type === 'event' ? this.#find(id) : undefined;
    if (!run) return;
    const { threadId, reason } = asObject(body);
    if (event === 'stopped') {
      run.stopped = { threadId: integerOf(threadId) ?? 1, reason: stringOf(reason) ?? '' };
      run.next.resolve();
    } else if (event === 'continued') {
      run.stopped = undefined;
      if (run.next.isSettled) run.next = new Deferred();
    }
  }
}
