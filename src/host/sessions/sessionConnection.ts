import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ConnectionEnded } from '../../acp/errors';
import { CancellationSource, rejectsWhenCancelled } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { ConnectionView } from '../../protocol/viewModel';
import { lastRewind } from '../../thread/rewind';
import type { Session } from '../../thread/session';
import { NotSent } from '../../thread/sessionLink';
import type { AgentEnd, RunningAgent } from '../agents/agentService';
import { endedUnexpectedly, failedToStart, noFolderOnDisk, unknownAgent } from '../agents/connectionMessages';
import { hasAnswer, hasHistory } from './sessionHistory';
import type { SessionServices, SessionStorage } from './sessionServices';
import type { OpenedSetup } from './openedSetup';
import { SlowStart } from './slowStart';
import { SessionSignIn } from '../signIn/sessionSignIn';
import { StartFailure } from '../agents/startFailure';
import { openSession } from './openSession';

export interface SessionConnectionServices extends Pick<SessionServices, 'agents' | 'opening' | 'clock' | 'log'> {
  readonly storage: Pick<SessionStorage, 'index'>;
}

/** What a session is opened for. */
export interface SessionPlace {
  /** Ours; names the transcript. */
  readonly id: string;
  /** Key of `parley.agents`; "" when none is chosen. */
  readonly agent: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Its folder is not the one with which a session of its agent begins. */
  readonly isMoved?: boolean;
  /** Present for a session that was read from a file: no agent is ever started for it. */
  readonly imported?: { readonly agent: string; readonly exportedAt: number };
}

/**
 * How one session stands to its agent: joins it when that is asked for, tells how that goes, and parts from it. It
 * starts nothing by itself.
 */
export class SessionConnection extends Disposable {
  readonly signIn: SessionSignIn;
  /** The agent does not know what stands in the thread, and nothing was said in its session yet. */
  #unknowing = false;
  /**
   * The user went back to before a prompt, or took that back: a new session of the agent gets the conversation unasked.
   */
  #rewound = false;
  #state: ConnectionView;
  /** What Parley itself asks beside the thread. */
  readonly #waits = new Map<'signIn' | 'install', IDisposable>();
  /** The turn of which the thread says that it was cut off. */
  #toldCutOff: string | undefined;
  #attachedTo: RunningAgent | undefined;
  #attaching: Promise<RunningAgent> | undefined;
  #startCancel: CancellationSource | undefined;
  /** The start was canceled in order to start again. */
  #startsAgain = false;
  readonly #slowStart: SlowStart;
  #openedWith: OpenedSetup | undefined;
  /** The agent's session was here before it was opened, and its conversation was not. */
  #loadsHistory = false;
  #knownAs: { readonly remoteId: string; readonly remoteSince: number } | undefined;
  /** The session at the agent was opened empty: before something is said in it, a new one is as good. */
  #bornHere = false;
  /** The session at the agent began with this attach. */
  #remoteIsNew = false;
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #detachEmitter = this.register(new Emitter<void>());

  readonly onDidChange = this.#changeEmitter.event;
  /** The agent is lost: commands that it runs must end. Thread and changes stay. */
  readonly onDidDetach = this.#detachEmitter.event;

  constructor(
    private atPlace: SessionPlace,
    private readonly session: Session,
    private readonly services: SessionConnectionServices,
  ) {
    super();
    const { id, agent } = atPlace;
    const cwd = () => this.place.cwd;
    this.signIn = this.register(
      new SessionSignIn(
        {
          id,
          agent,
          get cwd() {
            return cwd();
          },
          runningAgent: () => this.runningAgent,
          tryAttach: () => this.tryAttach(),
          show: (state) => this.#show(state),
        },
        services.agents.processes,
        services.agents.signIn,
      ),
    );
    this.register(this.signIn.onDidAsk(() => this.#wait('signIn', l10n.t('Sign in'))));
    this.register(
      this.signIn.onDidChange(() => {
        if (!this.signIn.view) this.#wait('signIn', undefined);
        this.#changeEmitter.fire();
      }),
    );
    this.#slowStart = this.register(
      new SlowStart({
        clock: services.clock,
        waits: () => session.thread.asks.length > 0,
        printed: () => services.agents.processes.printed(agent),
        unread: () => services.agents.processes.unread(agent),
        show: (state) => this.#show(state),
      }),
    );
    this.#state = this.#resting();
  }

  get view(): ConnectionView {
    return this.#state;
  }

  get place(): SessionPlace {
    return this.atPlace;
  }

  /** Changes the folder for the next `attach`. Call after `leave`. */
  moveTo(cwd: string, roots: readonly string[]): void {
    this.atPlace = { ...this.atPlace, cwd, roots, isMoved: true };
  }

  /** Says in the panel what a prompt waits for before the agent starts. */
  announce(detail: string): void {
    this.#show({ state: 'starting', detail, since: this.services.clock.now() });
  }

  /** What was announced did not happen. */
  retract(): void {
    this.#show(this.runningAgent ? { state: 'ready' } : this.#resting());
  }

  /** What the session was opened with beside its folder, while it is open. */
  get setup(): OpenedSetup | undefined {
    return this.#openedWith;
  }

  /** What the agent calls the session, for the index, which knows the session only from its first prompt on. */
  get remote(): { readonly remoteId: string; readonly remoteSince: number } | undefined {
    return this.#knownAs;
  }

  /** What to do about a conversation that the agent does not know: `settleContext` ends it. */
  get missingContext(): 'ask' | 'include' | undefined {
    return this.#unknowing ? (this.#rewound ? 'include' : 'ask') : undefined;
  }

  /**
   * The agent has taken a prompt with the conversation, or without it: from now on its session is the one to go on
   * with. Not so where it has dropped the prompt again.
   */
  settleContext(isKnown: boolean): void {
    this.#unknowing = !isKnown;
    if (isKnown) this.#remember();
  }

  /** The agent that the session is attached to. */
  get runningAgent(): RunningAgent | undefined {
    const { session } = this;
    const attachedTo = this.#attachedTo;
    return session.sessionId !== undefined &&
      attachedTo &&
      this.services.agents.processes.running(this.place.agent) === attachedTo
      ? attachedTo
      : undefined;
  }

  /** The session is being joined to its agent. */
  get isAttaching(): boolean {
    return this.#attaching !== undefined;
  }

  /** The agent has not sent the history of its session yet. A message that is sent now would appear above it. */
  get awaitsHistory(): boolean {
    const { session, place } = this;
    if (this.runningAgent) return this.#loadsHistory && session.historyLeft() > 0;
    if (place.imported || this.#bornHere || this.#rewound) return false;
    if (this.#loadsHistory && this.isAttaching) return true;
    const known = this.services.storage.index.get(place.id);
    return known?.remoteId !== undefined && known.agent === place.agent && session.thread.entries.length === 0;
  }

  /** Starts the agent if need be. @throws NotSent when there is no agent; why is in `view` by then. */
  async attach(): Promise<RunningAgent> {
    if (this.place.imported) throw new NotSent();
    const running = this.runningAgent;
    if (running) return running;
    // A start that was called off is still on its way out; it must not be taken for this one.
    if (this.#startCancel?.token.isCancellationRequested && !this.#startsAgain)
      await this.#attaching?.catch(() => undefined);
    this.#attaching ??= this.#startUntilItEnds().finally(() => {
      this.#attaching = undefined;
      this.#startCancel = undefined;
    });
    return this.#attaching;
  }

  /** Attaches, and reports failure in the panel instead of throwing. */
  async tryAttach(): Promise<boolean> {
    try {
      await this.attach();
      return true;
    } catch (error) {
      if (!(error instanceof NotSent)) this.services.log.error(String(error));
      return false;
    }
  }

  /** Ends a sign-in or a start that is under way. */
  callOff(): void {
    this.#startsAgain = false;
    if (!this.signIn.stop()) this.#startCancel?.cancel();
  }

  /**
   * Ends a start that may be stuck, with the process, and starts anew. What waits for the start waits on.
   * @returns false where there is none
   */
  startAgain(): boolean {
    const cancel = this.#startCancel;
    if (!cancel || this.#state.state !== 'starting') return false;
    this.#startsAgain = true;
    this.signIn.stop();
    cancel.cancel();
    return true;
  }

  /** The agent is about to be restarted: what follows is a start. */
  announceRestart(): void {
    if (!this.place.imported)
      this.#show({
        state: 'starting',
        detail: l10n.t('Restarting {0}', this.place.agent),
        since: this.services.clock.now(),
      });
  }

  /** The agent's process has ended. One that this session is not attached to is none of its business. */
  handleAgentEnd({ agent, exit, expected, linkProblem }: AgentEnd): void {
    if (agent !== this.#attachedTo) return;
    const { session } = this;
    const { agent: name } = this.place;
    const cutOff = session.cutOffTurn;
    const wasCutOff = cutOff !== undefined && cutOff !== this.#toldCutOff;
    this.#toldCutOff = cutOff;
    this.#detach();
    if (!expected) {
      this.#show(endedUnexpectedly(name, exit, linkProblem));
      // Why it ended is said below only until the agent runs again; that the answer is not whole, for good.
      if (wasCutOff)
        session.notify({
          severity: 'warning',
          title: l10n.t('The answer was cut off because {0} ended', name),
          actions: ['retry'],
        });
      return;
    }
    if (this.signIn.isRestarting) return;
    if (this.#state.state === 'ready') this.#show(this.#resting());
    if (wasCutOff)
      session.notify({
        severity: 'info',
        title: l10n.t('{0} was stopped while it was working', name),
        detail: l10n.t('Your next prompt starts it again.'),
        actions: ['retry'],
      });
  }

  /** Trust was granted, or the settings changed: what could not be may be possible now. */
  reconsider(): void {
    if (this.#state.state === 'restricted' || this.#state.state === 'noFolder') this.#show(this.#resting());
  }

  /**
   * Closes the session on the agent's side where the agent can, and resolves when a start that was under way has ended
   * too.
   */
  async close(): Promise<void> {
    const { sessionId } = this.session;
    const agent = this.runningAgent;
    this.callOff();
    if (agent && sessionId !== undefined) {
      this.services.agents.router.unregister(agent.routeKey, sessionId);
      // Not waited for: an agent that is slow to close a session must not keep the user from the next one.
      if (agent.features.close) {
        agent.connection
          .closeSession(sessionId)
          .catch((error: unknown) =>
            this.services.log.warn(`${this.place.agent} could not close the session: ${String(error)}`),
          );
      }
    }
    this.#detach();
    await this.#attaching?.catch(() => undefined);
  }

  /**
   * Parts from the agent's session, which stays at the agent as it is.
   * @param remoteId the one to go on with; without it a new one is opened
   */
  async leave(remoteId?: string): Promise<void> {
    await this.close();
    this.#knownAs = undefined;
    this.#bornHere = false;
    this.#unknowing = false;
    this.#rewound = true;
    this.services.storage.index.patch(this.place.id, { remoteId, remoteSince: undefined });
    this.#show(this.#resting());
  }

  async #startUntilItEnds(): Promise<RunningAgent> {
    for (;;) {
      try {
        return await this.#startAndOpen();
      } catch (error) {
        if (!this.#startsAgain) throw error;
        this.#startsAgain = false;
        this.announceRestart();
        await this.services.agents.processes.stop(this.place.agent, 'now');
      }
    }
  }

  async #startAndOpen(): Promise<RunningAgent> {
    const { agents, opening, clock } = this.services;
    const { configured, processes } = agents;
    const { agent: name, cwd } = this.place;
    const configuration = configured.named(name);
    if (!vscode.workspace.isTrusted || !configuration) {
      this.#show(configuration || !name ? this.#resting() : unknownAgent(name, configured.problemOf(name)));
      throw new NotSent();
    }
    if (vscode.workspace.workspaceFolders?.every((folder) => folder.uri.scheme !== 'file') && !configuration.cwd) {
      this.#show(noFolderOnDisk());
      throw new NotSent();
    }
    if (!opening.folders.mayStartIn(cwd)) {
      this.#show(this.#resting());
      throw new NotSent();
    }
    const cancel = new CancellationSource();
    this.#startCancel = cancel;
    this.#show({ state: 'starting', detail: l10n.t('Starting {0}', name), since: clock.now() });
    const progress = processes.onDidProgress((step) => {
      if (step.name !== name || this.#state.state !== 'starting') return;
      this.#wait('install', step.asks ? l10n.t('Installation') : undefined);
      this.#show({ ...this.#state, detail: step.detail });
    });
    let agent: RunningAgent | undefined;
    try {
      agent = await processes.start(configuration, cwd, cancel.token);
      if (cancel.token.isCancellationRequested) throw StartFailure.cancelled();
      agent = await Promise.race([
        this.signIn.during(agent, (signedIn) => this.#open(signedIn, cancel)),
        rejectsWhenCancelled(cancel.token, StartFailure.cancelled),
      ]);
      this.#show({ state: 'ready' });
      const remark = processes.takeRemark(agent);
      if (remark) this.session.notify(remark);
      return agent;
    } catch (error) {
      // An agent that was called off while it opened a session is in a state that nobody knows, but others may work
      // with it.
      if (cancel.token.isCancellationRequested && agent && !agents.router.serves(agent.routeKey))
        void processes.stop(configuration.name, 'now');
      // Why it ended is in the panel already.
      if (error instanceof ConnectionEnded && this.#state.state === 'failed') throw new NotSent();
      const calledOff =
        cancel.token.isCancellationRequested ||
        error instanceof NotSent ||
        (error instanceof StartFailure && error.isCancellation);
      this.#show(calledOff ? this.#resting() : failedToStart(configuration.name, error));
      throw new NotSent();
    } finally {
      this.#wait('install', undefined);
      progress.dispose();
    }
  }

  async #open(agent: RunningAgent, cancel: CancellationSource): Promise<void> {
    const { session, place } = this;
    const { agents, opening, storage, clock, log } = this.services;
    const { router } = agents;
    const { index } = storage;
    const hadHistory = hasHistory(session);
    const { params, setup } = await opening.setup.prepare(agent, place, cancel.token, (title) =>
      session.waitFor(title),
    );
    if (cancel.token.isCancellationRequested) throw StartFailure.cancelled();
    const earlier = this.#bornHere && !hadHistory ? undefined : index.get(place.id);
    this.#rewound ||=
      lastRewind(session.thread) !== undefined && earlier !== undefined && earlier.remoteId === undefined;
    this.#loadsHistory = !hadHistory && earlier?.remoteId !== undefined;
    const opened = await openSession({ agent, session, params, earlier, router, clock, log }, cancel.token);
    this.#loadsHistory &&= opened.how === 'loaded';
    this.#attachedTo = agent;
    this.#openedWith = setup;
    this.#bornHere = opened.how === 'new';
    // At once: the next start must not take this session for one that is open.
    const calledOff = cancel.token.onCancellationRequested(() => {
      router.unregister(agent.routeKey, opened.sessionId);
      this.#detach();
    });
    if (this.#bornHere) await opening.options.apply(place.agent, session, cancel.token);
    calledOff.dispose();
    if (cancel.token.isCancellationRequested) throw StartFailure.cancelled();
    // It may have ended while it opened the session, before anyone knew that the session is attached to it.
    if (agents.processes.running(place.agent) !== agent) {
      if (this.#attachedTo === agent) this.#detach();
      throw new ConnectionEnded();
    }
    index.patch(place.id, { isArchived: undefined, forkOf: undefined });
    this.#remoteIsNew = opened.how === 'new' || opened.how === 'forked';
    this.#knownAs = { remoteId: opened.sessionId, remoteSince: clock.now() };
    this.#unknowing = this.#bornHere && hasAnswer(session);
    // A session that knows nothing is not worth going on with after a restart.
    if (!this.#unknowing) return this.#remember();
    if (!this.#rewound && !session.isRunning)
      session.notify({
        severity: 'info',
        title: l10n.t('New {0} session', place.agent),
        detail: l10n.t('It has no memory of the earlier conversation.'),
      });
  }

  #remember(): void {
    this.#rewound = false;
    if (!this.#knownAs) return;
    const { remoteId, remoteSince } = this.#knownAs;
    this.services.storage.index.patch(this.place.id, { remoteId, ...(this.#remoteIsNew ? { remoteSince } : {}) });
  }

  #detach(): void {
    this.#attachedTo = undefined;
    this.#openedWith = undefined;
    this.session.detach();
    this.#detachEmitter.fire();
  }

  /** @param title what the user has to answer; `undefined` if there is nothing */
  #wait(key: 'signIn' | 'install', title: string | undefined): void {
    if (title !== undefined && this.#waits.has(key)) return;
    this.#waits.get(key)?.dispose();
    this.#waits.delete(key);
    if (title !== undefined) this.#waits.set(key, this.session.waitFor(title));
  }

  #show(state: ConnectionView): void {
    this.#state = state;
    this.#slowStart.follow(state);
    this.#changeEmitter.fire();
  }

  #resting(): ConnectionView {
    if (this.place.imported) return { state: 'idle' };
    if (!vscode.workspace.isTrusted) return { state: 'restricted' };
    if (this.place.agent === '') return { state: 'noAgents' };
    const { agents, opening } = this.services;
    return agents.configured.named(this.place.agent)?.cwd || opening.folders.mayStartIn(this.place.cwd)
      ? { state: 'idle' }
      : { state: 'noFolder' };
  }
}
