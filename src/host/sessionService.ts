import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { CancellationSource } from '../base/cancellation';
import { Emitter } from '../base/event';
import { Disposable, DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Clock } from '../base/scheduler';
import type { ConnectionView, TerminalView } from '../protocol/viewModel';
import type { ThreadAction } from '../thread/actions';
import type { AgentTerminalEvent } from '../thread/agentTerminals';
import { NotSent, Session } from '../thread/session';
import type { Thread } from '../thread/thread';
import { replay } from '../thread/transcript';
import type { AgentEnd, AgentService, RunningAgent } from './agentService';
import type { AgentConfiguration } from './configuration';
import { describeStart, endedUnexpectedly, failedToStart, noFolderOnDisk, unknownAgent } from './connectionFaces';
import type { Draft } from './draft';
import type { PromptBuilder } from './promptBuilder';
import type { SessionRouter } from './sessionRouter';
import type { SessionScope } from './sessionScope';
import { StartFailure } from './startFailure';
import type { TranscriptStore } from './transcriptStore';

/** The thread that the panel shows, and how it stands to an agent. */
export interface ActiveSession {
  readonly session: Session;
  /** Key of `parley.agents`; "" when none is chosen. */
  readonly agent: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Terminals of an earlier run of the editor, as they were left. */
  readonly restoredTerminals: readonly TerminalView[];
}

export interface SessionServiceOptions {
  readonly agents: AgentService;
  readonly router: SessionRouter;
  readonly transcripts: TranscriptStore;
  readonly prompts: PromptBuilder;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  readonly log: Logger;
  /** The configuration of an agent by name. */
  readonly agentNamed: (name: string) => AgentConfiguration | undefined;
  /** Why the entry of this name cannot be used, where there is one. */
  readonly problemOf: (name: string) => string | undefined;
  /** The agent to begin with, "" for none. */
  readonly initialAgent: () => string;
}

const activeKey = 'parley.activeSession';
const agentKey = 'parley.agent';
/** Where the person's side of the panel is kept, per session. */
export function uiKey(id: string): string {
  return `parley.ui.${id}`;
}

const historyKey = 'parley.promptHistory';
const maxHistory = 100;

/**
 * Owns the session that is shown: creates it, joins it to an agent when the person asks for something, and keeps it
 * when the agent goes. Starts nothing by itself.
 */
export class SessionService extends Disposable {
  private current: ActiveSession;
  private connectionState: ConnectionView = { state: 'idle' };
  private readonly sessionStore = this.register(new DisposableStore());
  private attachedTo: RunningAgent | undefined;
  private attaching: Promise<RunningAgent> | undefined;
  private startCancel: CancellationSource | undefined;
  private begun = false;
  private unwritten: ThreadAction[] = [];
  private lastPrompt: Draft | undefined;
  private promptHistory: readonly string[];
  private readonly changeEmitter = this.register(new Emitter<void>());
  private readonly switchEmitter = this.register(new Emitter<ActiveSession>());
  private readonly leaveEmitter = this.register(new Emitter<{ readonly id: string }>());
  private readonly terminalEmitter = this.register(new Emitter<{ readonly id: string; readonly event: AgentTerminalEvent }>());
  private readonly detachEmitter = this.register(new Emitter<{ readonly id: string }>());

  /** The thread, the connection or anything else that the panel shows has changed. */
  readonly onDidChange = this.changeEmitter.event;
  /** Another thread is shown. */
  readonly onDidSwitch = this.switchEmitter.event;
  /** A session (by our own id) is shown no more; what was kept for showing it may go. */
  readonly onDidLeave = this.leaveEmitter.event;
  /** An agent tells of a terminal that it runs itself; `id` is our own id of the session. */
  readonly onDidReceiveTerminal = this.terminalEmitter.event;
  /** A session (by our own id) has lost its agent: commands that it runs must end. Its thread and changes stay. */
  readonly onDidDetach = this.detachEmitter.event;

  constructor(private readonly options: SessionServiceOptions) {
    super();
    this.promptHistory = options.state.get<string[]>(historyKey, []);
    this.current = this.createActive(options.state.get<string>(agentKey) ?? options.initialAgent());
    this.show(this.current);
    this.register(options.agents.onDidEnd((end) => this.handleAgentEnd(end)));
    this.register(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        if (this.connectionState.state === 'restricted') this.setConnection({ state: 'idle' });
      }),
    );
  }

  get active(): ActiveSession {
    return this.current;
  }

  get connection(): ConnectionView {
    return this.connectionState;
  }

  /** The agent that the shown session is attached to. */
  get runningAgent(): RunningAgent | undefined {
    const { attachedTo, current } = this;
    return current.session.sessionId !== undefined && attachedTo && this.options.agents.running(current.agent) === attachedTo ? attachedTo : undefined;
  }

  /** The session that shows what an agent asks beside any session, or while one is being opened. */
  readonly homeOf = (agent: string): Session | undefined => (this.current.agent === agent ? this.current.session : undefined);

  get history(): readonly string[] {
    return this.promptHistory;
  }

  /** Scope of a session by our own id, for `fs/*` and `terminal/*`. */
  readonly scope = (id: string): SessionScope | undefined => {
    const { session, agent, cwd, roots } = this.current;
    return session.id === id ? { sessionId: id, agent, cwd, roots } : undefined;
  };

  /** Brings back the thread that was shown when the window closed. Spawns nothing. */
  async restore(): Promise<void> {
    const id = this.options.state.get<string>(activeKey);
    if (id === undefined || this.begun) return;
    const stored = await this.options.transcripts.read(id);
    if (!stored || stored.actions.length === 0 || this.begun || this.attaching) return;
    const { agent, cwd } = stored.header;
    this.show({ ...this.createActive(agent, replay(stored.actions), id), cwd, restoredTerminals: stored.terminals });
    this.begun = true;
    this.lastPrompt = this.options.prompts.lastOf(this.current.session.thread);
  }

  /** Chooses an agent and opens a session with it; the one that is chosen already only gets started. */
  async selectAgent(name: string): Promise<void> {
    if (name === this.current.agent) {
      await this.tryAttach();
      return;
    }
    await this.options.state.update(agentKey, name);
    const former = this.current.agent;
    await this.leave();
    // Nothing in the panel could reach it any more.
    void this.options.agents.stop(former);
    this.show(this.createActive(name));
    await this.tryAttach();
  }

  /** Leaves the shown thread (it stays on disk) and opens a new session with the same agent. */
  async newSession(): Promise<void> {
    const { agent } = this.current;
    await this.leave();
    this.show(this.createActive(agent || this.options.initialAgent()));
    await this.tryAttach();
  }

  /**
   * Sends a prompt; the agent is started first if it does not run. Resolves when the turn has ended.
   * @returns false when it was not taken because a turn runs.
   */
  async submit(draft: Draft): Promise<boolean> {
    const { session } = this.current;
    if (session.isRunning) return false;
    this.lastPrompt = draft;
    this.remember(draft.text);
    this.begin();
    return session.prompt(this.options.prompts.shown(draft), async () => {
      const agent = await this.attach();
      return this.options.prompts.build(draft, { agent: agent.configuration.name, takes: agent.features.prompt, session });
    });
  }

  /** Sends the last prompt of the person again. */
  async retry(): Promise<void> {
    if (this.lastPrompt) await this.submit(this.lastPrompt);
  }

  /** Stops the running turn, or the start that it waits for. */
  stop(): void {
    this.current.session.cancel();
    this.startCancel?.cancel();
  }

  /** Ends the process of an agent that does not react to Stop. The thread stays. */
  async forceStop(): Promise<void> {
    const { agent, session } = this.current;
    await this.options.agents.stop(agent, 'now');
    session.notify({ severity: 'warning', title: `${agent} was ended by force`, detail: 'Your next prompt starts it again.', actions: ['restart'] });
  }

  /** Ends the agent and joins the thread to a new process. The thread stays on screen (item 175). */
  async restart(): Promise<void> {
    const { agent } = this.current;
    this.stop();
    this.setConnection({ state: 'starting', detail: `Ending ${agent} and starting it again`, since: this.options.clock.now() });
    await this.options.agents.stop(agent);
    await this.tryAttach();
  }

  /** The host is going: close what can be closed in a moment. */
  async shutdown(): Promise<void> {
    this.stop();
    const agent = this.runningAgent;
    const { sessionId } = this.current.session;
    if (agent?.features.close && sessionId !== undefined) void agent.connection.closeSession(sessionId).catch(() => undefined);
    await this.options.agents.stopAll();
  }

  /** Starts the agent if need be and reports failure in the panel instead of throwing. */
  async tryAttach(): Promise<boolean> {
    try {
      await this.attach();
      return true;
    } catch (error) {
      if (!(error instanceof NotSent)) this.options.log.error(String(error));
      return false;
    }
  }

  /** @throws NotSent when there is no agent; why is in `connection` by then. */
  private async attach(): Promise<RunningAgent> {
    const running = this.runningAgent;
    if (running) return running;
    // A start that was called off is still on its way out; it must not be taken for this one.
    if (this.startCancel?.token.isCancellationRequested) await this.attaching?.catch(() => undefined);
    this.attaching ??= this.startAndOpen(this.current).finally(() => {
      this.attaching = undefined;
      this.startCancel = undefined;
    });
    return this.attaching;
  }

  private async startAndOpen(active: ActiveSession): Promise<RunningAgent> {
    const configuration = this.options.agentNamed(active.agent);
    if (!vscode.workspace.isTrusted || !configuration) {
      this.setConnection(configuration || !active.agent ? this.restingConnection() : unknownAgent(active.agent, this.options.problemOf(active.agent)));
      throw new NotSent();
    }
    if (vscode.workspace.workspaceFolders?.every((folder) => folder.uri.scheme !== 'file') && !configuration.cwd) {
      this.setConnection(noFolderOnDisk);
      throw new NotSent();
    }
    const cancel = new CancellationSource();
    this.startCancel = cancel;
    this.setConnection({ state: 'starting', detail: describeStart(configuration), since: this.options.clock.now() });
    try {
      const agent = await this.options.agents.start(configuration, active.cwd, cancel.token);
      if (cancel.token.isCancellationRequested || this.current !== active) throw StartFailure.cancelled();
      await Promise.race([this.open(active, agent, cancel), whenCancelled(cancel)]);
      this.setConnection({ state: 'ready' });
      return agent;
    } catch (error) {
      // An agent that was called off while it opened a session is in a state that nobody knows.
      if (cancel.token.isCancellationRequested) void this.options.agents.stop(configuration.name, 'now');
      if (this.current === active) this.setConnection(cancel.token.isCancellationRequested ? this.restingConnection() : failedToStart(configuration.name, error));
      throw new NotSent();
    }
  }

  private async open(active: ActiveSession, agent: RunningAgent, cancel: CancellationSource): Promise<void> {
    const { session } = active;
    const { name } = agent.configuration;
    const earlier = this.options.state.get<{ agent: string; sessionId: string }>(`parley.remote.${session.id}`);
    const params = { cwd: active.cwd, mcpServers: [] };
    let opened: Awaited<ReturnType<typeof agent.connection.newSession>> | undefined;
    if (session.thread.entries.length > 0 && earlier?.agent === name && agent.features.resume) {
      try {
        opened = await agent.connection.resumeSession({ sessionId: earlier.sessionId, ...params }, cancel.token);
      } catch (error) {
        if (cancel.token.isCancellationRequested) throw error;
        this.options.log.warn(`${name} could not resume the session: ${String(error)}`);
      }
    }
    if (!opened) {
      // What the agent asked while it was starting is no history.
      const asked = [...session.thread.entries].filter((entry) => entry.kind !== 'elicitation').length > (session.isRunning ? 1 : 0);
      opened = await agent.connection.newSession(params, cancel.token);
      if (asked) {
        session.notify({ severity: 'info', title: `${name} begins anew from here`, detail: 'It does not know what was said above.' });
      }
    }
    if (this.current !== active) throw StartFailure.cancelled();
    this.attachedTo = agent;
    session.attach({ sessionId: opened.sessionId, link: agent.connection }, opened);
    this.options.router.register(agent.routeKey, opened.sessionId, session);
    await this.options.state.update(`parley.remote.${session.id}`, { agent: name, sessionId: opened.sessionId });
  }

  private handleAgentEnd({ agent, exit, expected, linkProblem }: AgentEnd): void {
    const { name } = agent.configuration;
    this.options.router.forgetAgent(agent.routeKey);
    const { session } = this.current;
    // The end of an earlier process must not touch the session that a later one serves.
    if (agent !== this.attachedTo) return;
    this.attachedTo = undefined;
    session.detach();
    this.detachEmitter.fire({ id: session.id });
    if (expected) {
      if (this.connectionState.state === 'ready') this.setConnection({ state: 'idle' });
      return;
    }
    this.setConnection(endedUnexpectedly(name, exit, linkProblem));
  }

  /** Parts from the shown session: stops its turn, closes it on the agent's side where the agent can. */
  private async leave(): Promise<void> {
    const { session, agent: name } = this.current;
    const { sessionId } = session;
    const agent = this.runningAgent;
    this.stop();
    if (agent && sessionId !== undefined) {
      this.options.router.unregister(agent.routeKey, sessionId);
      // Not waited for: an agent that is slow to close a session must not keep the person from the next one.
      if (agent.features.close) {
        agent.connection.closeSession(sessionId).catch((error: unknown) => this.options.log.warn(`${name} could not close the session: ${String(error)}`));
      }
    }
    session.detach();
    this.attachedTo = undefined;
    this.detachEmitter.fire({ id: session.id });
    await this.options.state.update(activeKey, undefined);
    await this.options.state.update(uiKey(session.id), undefined);
    await this.attaching?.catch(() => undefined);
  }

  private show(active: ActiveSession): void {
    const former = this.current;
    this.current = active;
    this.begun = false;
    this.unwritten = [];
    this.sessionStore.clear();
    this.sessionStore.add(active.session);
    this.sessionStore.add(active.session.onDidChange(() => this.changeEmitter.fire()));
    this.sessionStore.add(active.session.onDidReceiveTerminal((event) => this.terminalEmitter.fire({ id: active.session.id, event })));
    this.sessionStore.add(active.session.onDidAct((action) => this.record(active.session.id, action)));
    this.setConnection(this.restingConnection());
    this.switchEmitter.fire(active);
    if (former && former !== active) this.leaveEmitter.fire({ id: former.session.id });
  }

  /** What happens before the first prompt is written with it: sessions in which nobody asked anything leave no file. */
  private record(id: string, action: ThreadAction): void {
    if (this.begun) this.options.transcripts.append(id, action);
    else this.unwritten.push(action);
  }

  private createActive(agent: string, thread?: Thread, id: string = randomUUID()): ActiveSession {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file').map((folder) => folder.uri.fsPath);
    const configured = this.options.agentNamed(agent)?.cwd;
    // Without any folder the agent runs in the person's home, but asks before it touches anything there.
    const roots = [...new Set([...(configured === undefined ? [] : [configured]), ...folders])];
    const session = new Session(id, this.options.clock, this.options.log, thread);
    return { session, agent, cwd: configured ?? folders[0] ?? homedir(), roots, restoredTerminals: [] };
  }

  /** The thread gets its file with its first entry; empty ones leave nothing behind. */
  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    const { session, agent, cwd } = this.current;
    this.options.transcripts.begin({ version: 1, id: session.id, agent, cwd, createdAt: this.options.clock.now() });
    for (const action of this.unwritten) this.options.transcripts.append(session.id, action);
    this.unwritten = [];
    void this.options.state.update(activeKey, session.id);
  }

  private remember(text: string): void {
    if (text.trim() === '' || this.promptHistory.at(-1) === text) return;
    this.promptHistory = [...this.promptHistory, text].slice(-maxHistory);
    void this.options.state.update(historyKey, this.promptHistory);
  }

  private setConnection(connection: ConnectionView): void {
    this.connectionState = connection;
    this.changeEmitter.fire();
  }

  private restingConnection(): ConnectionView {
    if (!vscode.workspace.isTrusted) return { state: 'restricted' };
    return this.current?.agent === '' ? { state: 'noAgents' } : { state: 'idle' };
  }
}

function whenCancelled(cancel: CancellationSource): Promise<never> {
  return new Promise((_, reject) => cancel.token.onCancellationRequested(() => reject(StartFailure.cancelled())));
}
