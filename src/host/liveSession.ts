import type { ContentBlock } from '@agentclientprotocol/sdk';
import * as vscode from 'vscode';
import { CancellationSource, rejectsWhenCancelled } from '../base/cancellation';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Clock } from '../base/scheduler';
import type { TerminalView } from '../protocol/terminalView';
import type { ConnectionView } from '../protocol/viewModel';
import { NotSent, Session } from '../thread/session';
import type { Thread } from '../thread/thread';
import type { AgentEnd, AgentService, RunningAgent } from './agentService';
import type { AgentConfiguration } from './configuration';
import { describeStart, endedUnexpectedly, failedToStart, noFolderOnDisk, unknownAgent } from './connectionFaces';
import { askToAttach, conversationBlock } from './conversationBlock';
import type { Draft } from './draft';
import { hasHistory, openSession } from './openSession';
import type { PromptBuilder } from './promptBuilder';
import type { SessionIndex } from './sessionIndex';
import { SessionQueue } from './sessionQueue';
import type { SessionRouter } from './sessionRouter';
import type { SessionSetup } from './sessionSetup';
import type { OpenedSetup } from './setupView';
import { SessionSignIn } from './signIn/sessionSignIn';
import type { SignInServices } from './signIn/signIn';
import { StartFailure } from './startFailure';
import { ThreadRecording } from './threadRecording';
import type { TranscriptStore } from './transcriptStore';
import type { TurnObserver } from './turnFollower';

/** What live sessions share. */
export interface LiveSessionServices {
  readonly agents: AgentService;
  readonly router: SessionRouter;
  readonly transcripts: TranscriptStore;
  readonly index: SessionIndex;
  readonly setup: Pick<SessionSetup, 'prepare'>;
  readonly prompts: PromptBuilder;
  /** Follows what agents write to disk while a turn runs. */
  readonly disk: TurnObserver;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signIn: SignInServices;
  /** The configuration of an agent by name. */
  readonly agentNamed: (name: string) => AgentConfiguration | undefined;
  /** Why the entry of this name cannot be used, where there is one. */
  readonly problemOf: (name: string) => string | undefined;
}

export interface LiveSessionOrigin {
  /** Ours; names the transcript. */
  readonly id: string;
  /** Key of `parley.agents`; "" when none is chosen. */
  readonly agent: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** What is known of the thread already, and the terminals in it as they were left. */
  readonly stored?: { readonly thread: Thread; readonly createdAt: number; readonly terminals: readonly TerminalView[] };
}

/**
 * One thread and how it stands to its agent. It joins an agent when the person asks for something, keeps the thread
 * when the agent goes, and starts nothing by itself.
 */
export class LiveSession extends Disposable {
  readonly session: Session;
  readonly signIn: SessionSignIn;
  private connectionState: ConnectionView;
  private attachedTo: RunningAgent | undefined;
  private attaching: Promise<RunningAgent> | undefined;
  private startCancel: CancellationSource | undefined;
  private openedWith: OpenedSetup | undefined;
  private lastPrompt: Draft | undefined;
  /** What the agent calls the session, for the index, which knows the session only from its first prompt on. */
  private remote: { readonly remoteId: string; readonly remoteSince: number } | undefined;
  /** The session at the agent was opened empty: before something is said in it, a new one is as good. */
  private bornHere = false;
  /** The agent does not know what stands in the thread. */
  private contextMissing = false;
  private unreadState = false;
  private failedState = false;
  /** What the person wrote while a turn ran. */
  readonly queue: SessionQueue;
  private readonly recording: ThreadRecording;
  private readonly changeEmitter = this.register(new Emitter<void>());
  private readonly detachEmitter = this.register(new Emitter<void>());

  /** The thread, the link to the agent or the queue has changed. */
  readonly onDidChange = this.changeEmitter.event;
  /** The agent is lost: commands that it runs must end. Thread and changes stay. */
  readonly onDidDetach = this.detachEmitter.event;

  constructor(
    readonly origin: LiveSessionOrigin,
    private readonly services: LiveSessionServices,
  ) {
    super();
    const { id, agent, cwd, stored } = origin;
    const { clock, log, transcripts, state } = services;
    this.session = this.register(new Session(id, clock, log, stored?.thread));
    this.signIn = this.register(new SessionSignIn({ id, agent, cwd, runningAgent: () => this.runningAgent, tryAttach: () => this.tryAttach(), show: (connection) => this.setConnection(connection) }, services.agents, services.signIn));
    this.recording = new ThreadRecording(transcripts, { version: 1, id, agent, cwd, createdAt: clock.now() }, stored !== undefined);
    this.queue = new SessionQueue({
      id,
      state,
      isRunning: () => this.session.isRunning,
      submit: (draft) => this.submit(draft),
      stop: () => this.session.cancel(),
      canSteer: () => this.canSteer,
      steer: (draft) => this.steer(draft),
      changed: () => this.changeEmitter.fire(),
    });
    this.lastPrompt = stored && services.prompts.lastOf(stored.thread);
    this.connectionState = this.resting();
    this.register(this.session.onDidAct((action) => this.recording.record(action)));
    this.register(this.session.onDidAct((action) => services.disk.act(id, action)));
    this.register(this.session.onDidEndTurn(() => services.disk.end(id)));
    this.register(this.session.onDidChange(() => this.changeEmitter.fire()));
    this.register(this.signIn.onDidChange(() => this.changeEmitter.fire()));
    this.register(this.session.onDidEndTurn(({ stopReason }) => this.handleTurnEnd(stopReason)));
  }

  get id(): string {
    return this.origin.id;
  }

  get agent(): string {
    return this.origin.agent;
  }

  get cwd(): string {
    return this.origin.cwd;
  }

  get roots(): readonly string[] {
    return this.origin.roots;
  }

  /** Terminals of an earlier run of the editor, as they were left. */
  get restoredTerminals(): readonly TerminalView[] {
    return this.origin.stored?.terminals ?? [];
  }

  get connection(): ConnectionView {
    return this.connectionState;
  }

  /** What the session was opened with beside its folder, while it is open. */
  get setup(): OpenedSetup | undefined {
    return this.openedWith;
  }

  /** The agent that the session is attached to. */
  get runningAgent(): RunningAgent | undefined {
    const { attachedTo, session } = this;
    return session.sessionId !== undefined && attachedTo && this.services.agents.running(this.agent) === attachedTo ? attachedTo : undefined;
  }

  /** True when something was asked in it, ever. */
  get hasBegun(): boolean {
    return this.recording.hasBegun;
  }

  /** True while it would be missed: it works, waits for the person, or is being joined to its agent. A sign-in that nothing waits for is not missed. */
  get isBusy(): boolean {
    const { isRunning, thread } = this.session;
    return isRunning || thread.waiting.length > 0 || thread.open.length > 0 || (this.attaching !== undefined && !this.signIn.view);
  }

  /** A turn has ended since the person looked last. */
  get unread(): boolean {
    return this.unreadState;
  }

  /** The turn that ended last has failed. */
  get hasFailed(): boolean {
    return this.failedState;
  }

  markRead(): void {
    if (!this.unreadState) return;
    this.unreadState = false;
    this.changeEmitter.fire();
  }

  /** What the person knows the session by. */
  get title(): string | undefined {
    const record = this.services.index.get(this.id);
    return record?.ownTitle ?? this.session.thread.title ?? record?.title;
  }

  /** Sends a prompt, or queues it while a turn runs. The agent is started first if it does not run. Resolves when the turn has ended. */
  async submit(draft: Draft): Promise<void> {
    if (this.session.isRunning) return this.queue.add(draft);
    this.lastPrompt = draft;
    this.begin(draft.text || (draft.notes?.title ?? ''));
    await this.session.prompt(this.services.prompts.shown(draft), () => this.prepare(draft), (error) => this.signIn.recover(error, () => this.prepare(draft)));
    this.signIn.settled();
  }

  /** Sends the last prompt of the person again. */
  async retry(): Promise<void> {
    if (this.lastPrompt && !this.session.isRunning) await this.submit(this.lastPrompt);
  }

  /** The agent takes messages into the turn that runs now. */
  get canSteer(): boolean {
    return this.session.canSteer && this.runningAgent?.features.steering === true;
  }

  /** Stops the running turn, or the start that it waits for. */
  stop(): void {
    this.session.cancel();
    if (!this.signIn.stop()) this.startCancel?.cancel();
  }

  /** The agent is about to be restarted: what follows is a start. */
  announceRestart(): void {
    this.stop();
    this.setConnection({ state: 'starting', detail: `Ending ${this.agent} and starting it again`, since: this.services.clock.now() });
  }

  /** Gives the thread its file although nothing was asked in it yet: what an agent replays is worth keeping. */
  keep(): void {
    this.recording.begin();
  }

  /** Starts the agent if need be and reports failure in the panel instead of throwing. */
  async tryAttach(): Promise<boolean> {
    try {
      await this.attach();
      return true;
    } catch (error) {
      if (!(error instanceof NotSent)) this.services.log.error(String(error));
      return false;
    }
  }

  /** The agent's process has ended. One that this session is not attached to is none of its business. */
  handleAgentEnd({ agent, exit, expected, linkProblem }: AgentEnd): void {
    if (agent !== this.attachedTo) return;
    const wasRunning = this.session.isRunning;
    this.detach();
    if (!expected) return this.setConnection(endedUnexpectedly(this.agent, exit, linkProblem));
    if (this.signIn.isRestarting) return;
    if (this.connectionState.state === 'ready') this.setConnection(this.resting());
    if (wasRunning && !this.session.thread.turn?.stopping) this.session.notify({ severity: 'info', title: `${this.agent} was ended while it worked`, detail: 'Your next prompt starts it again.', actions: ['retry'] });
  }

  /** Trust was granted, or the settings changed: what could not be may be possible now. */
  reconsider(): void {
    if (this.connectionState.state === 'restricted') this.setConnection(this.resting());
  }

  /** Parts from the agent: stops the turn, and closes the session on the agent's side where the agent can. */
  async close(): Promise<void> {
    const { sessionId } = this.session;
    const agent = this.runningAgent;
    this.stop();
    if (agent && sessionId !== undefined) {
      this.services.router.unregister(agent.routeKey, sessionId);
      // Not waited for: an agent that is slow to close a session must not keep the person from the next one.
      if (agent.features.close) {
        agent.connection.closeSession(sessionId).catch((error: unknown) => this.services.log.warn(`${this.agent} could not close the session: ${String(error)}`));
      }
    }
    this.detach();
    await this.attaching?.catch(() => undefined);
  }

  /** Forgets what was kept beside transcript and index. */
  forget(): void {
    this.queue.forget();
  }

  /** @throws NotSent when there is no agent; why is in `connection` by then. */
  private async attach(): Promise<RunningAgent> {
    const running = this.runningAgent;
    if (running) return running;
    // A start that was called off is still on its way out; it must not be taken for this one.
    if (this.startCancel?.token.isCancellationRequested) await this.attaching?.catch(() => undefined);
    this.attaching ??= this.startAndOpen().finally(() => {
      this.attaching = undefined;
      this.startCancel = undefined;
    });
    return this.attaching;
  }

  private async startAndOpen(): Promise<RunningAgent> {
    const { agents, agentNamed, problemOf, clock } = this.services;
    const configuration = agentNamed(this.agent);
    if (!vscode.workspace.isTrusted || !configuration) {
      this.setConnection(configuration || !this.agent ? this.resting() : unknownAgent(this.agent, problemOf(this.agent)));
      throw new NotSent();
    }
    if (vscode.workspace.workspaceFolders?.every((folder) => folder.uri.scheme !== 'file') && !configuration.cwd) {
      this.setConnection(noFolderOnDisk);
      throw new NotSent();
    }
    const cancel = new CancellationSource();
    this.startCancel = cancel;
    this.setConnection({ state: 'starting', detail: describeStart(configuration), since: clock.now() });
    let agent: RunningAgent | undefined;
    try {
      agent = await agents.start(configuration, this.cwd, cancel.token);
      if (cancel.token.isCancellationRequested) throw StartFailure.cancelled();
      agent = await Promise.race([this.signIn.during(agent, (signedIn) => this.open(signedIn, cancel)), rejectsWhenCancelled(cancel.token, StartFailure.cancelled)]);
      this.setConnection({ state: 'ready' });
      const remark = agents.takeRemark(agent);
      if (remark) this.session.notify(remark);
      return agent;
    } catch (error) {
      // An agent that was called off while it opened a session is in a state that nobody knows, but others may work with it.
      if (cancel.token.isCancellationRequested && agent && !this.services.router.serves(agent.routeKey)) void agents.stop(configuration.name, 'now');
      const calledOff = cancel.token.isCancellationRequested || error instanceof NotSent || (error instanceof StartFailure && error.isCancellation);
      this.setConnection(calledOff ? this.resting() : failedToStart(configuration.name, error));
      throw new NotSent();
    }
  }

  private async open(agent: RunningAgent, cancel: CancellationSource): Promise<void> {
    const { session } = this;
    const { router, clock, log, index } = this.services;
    const hadHistory = hasHistory(session);
    const { params, setup } = await this.services.setup.prepare(agent, this.origin, cancel.token);
    if (cancel.token.isCancellationRequested) throw StartFailure.cancelled();
    const opened = await openSession({ agent, session, params, earlier: this.bornHere && !hadHistory ? undefined : index.get(this.id), router, clock, log, token: cancel.token });
    if (cancel.token.isCancellationRequested) {
      router.unregister(agent.routeKey, opened.sessionId);
      session.detach();
      throw StartFailure.cancelled();
    }
    this.attachedTo = agent;
    this.openedWith = setup;
    this.bornHere = opened.how === 'new';
    this.contextMissing = this.bornHere && hadHistory;
    if (this.contextMissing && !session.isRunning) session.notify({ severity: 'info', title: `${this.agent} begins anew from here`, detail: 'It does not know what was said above.' });
    index.patch(this.id, { remoteId: opened.sessionId, ...(opened.how === 'new' ? { remoteSince: clock.now() } : {}) });
    this.remote = { remoteId: opened.sessionId, remoteSince: clock.now() };
  }

  private async prepare(draft: Draft): Promise<readonly ContentBlock[]> {
    const agent = await this.attach();
    await this.services.disk.begin(this.id);
    const blocks = await this.services.prompts.build(draft, { agent: this.agent, takes: agent.features.prompt, session: this.session });
    if (!this.contextMissing) return blocks;
    const choice = await askToAttach(this.session, this.agent);
    if (choice === undefined) return blocks;
    this.contextMissing = false;
    return choice === 'attach' ? [conversationBlock(this.session.thread, agent.features.prompt.embeddedContext), ...blocks] : blocks;
  }

  /** The thread gets its file and its place in the list with its first entry; empty ones leave nothing behind. */
  private begin(text: string): void {
    this.recording.begin();
    const { index, clock } = this.services;
    const known = index.get(this.id);
    const now = clock.now();
    if (known) return index.patch(this.id, { updatedAt: now });
    index.put({ id: this.id, agent: this.agent, cwd: this.cwd, createdAt: now, updatedAt: now, title: firstWords(text), ...this.remote });
  }

  private handleTurnEnd(stopReason: string): void {
    // Whoever stopped it knows.
    if (stopReason !== 'cancelled') this.unreadState = true;
    this.failedState = stopReason === 'failed';
    const { title } = this.session.thread;
    this.services.index.patch(this.id, { updatedAt: this.services.clock.now(), ...(title ? { title } : {}) });
    const next = this.queue.next(!['cancelled', 'failed', 'refusal'].includes(stopReason));
    this.changeEmitter.fire();
    if (next) void this.submit(next.draft);
  }

  private async steer(draft: Draft): Promise<boolean> {
    const agent = this.runningAgent;
    if (!agent) return false;
    const blocks = await this.services.prompts.build(draft, { agent: this.agent, takes: agent.features.prompt, session: this.session });
    return this.session.steer(this.services.prompts.shown(draft), blocks);
  }

  private detach(): void {
    this.attachedTo = undefined;
    this.openedWith = undefined;
    this.session.detach();
    this.detachEmitter.fire();
  }

  private setConnection(connection: ConnectionView): void {
    this.connectionState = connection;
    this.changeEmitter.fire();
  }

  private resting(): ConnectionView {
    if (!vscode.workspace.isTrusted) return { state: 'restricted' };
    return this.agent === '' ? { state: 'noAgents' } : { state: 'idle' };
  }
}

const longestTitle = 80;

function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.trim();
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line || 'Untitled';
}
