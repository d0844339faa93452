import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { neverCancelled } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { TerminalView } from '../../protocol/terminalView';
import type { ImportedSession } from '../../thread/readExport';
import { markedWindow } from '../platform/markedWindow';
import { UnreadableTranscript } from './transcriptStore';
import type { RunningAgent } from '../agents/agentService';
import { shownWait } from '../platform/longWork';
import type { Draft } from './draft';
import { queueKey } from './sessionQueue';
import { placedIn, storedOrigin } from './storedOrigin';
import type { SessionMarks, SessionRecord } from './sessionIndex';
import { endOutdated } from './outdatedAgent';
import { LeftSessions } from './leftSessions';
import type { LiveSession, LiveSessionOrigin, SessionPart } from './liveSession';
import { OpenSessions } from './openSessions';
import { SentPrompts } from './sentPrompts';
import type { DeletedSession } from './sessionDeletion';
import type { SessionDirectory } from './sessionDirectory';
import type { SessionServices } from './sessionServices';
import type { ChatView, ChatViews } from './chatViews';

/** What has changed in a session. `view`: where it is shown. */
export interface SessionChange {
  readonly session: LiveSession;
  readonly part: SessionPart | 'view';
}

/** A session was deleted. Whoever keeps something of it removes that, too. */
export interface SessionDelete {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const activeKey = 'parley.activeSession';
const agentKey = 'parley.agent';

/** Where the user's side of the panel is kept, per session. */
export function uiKey(id: string): string {
  return `parley.ui.${id}`;
}

/**
 * Owns the sessions that are open, and says which one a view shows. Sessions out of sight go on working and waiting;
 * those in which nothing happens are closed by and by, and come back from their transcripts. Starts nothing by itself.
 */
export class SessionService extends Disposable {
  readonly #sessions: OpenSessions;
  readonly #live: Map<string, LiveSession>;
  readonly #sent: SentPrompts;
  readonly #left: LeftSessions;
  /** The session that the user has asked for, and that is not shown yet. */
  #asked: object | undefined;
  readonly #changeEmitter = this.register(new Emitter<SessionChange>());
  readonly #deleteEmitter = this.register(new Emitter<SessionDelete>());

  /** Something has changed in a session, or in which view it is. */
  readonly onDidChange = this.#changeEmitter.event;
  /** A session (by our own id) is not open any more; what was kept for it may go. */
  readonly onDidClose: OpenSessions['onDidClose'];
  /** A session was deleted: nothing of it may be left. */
  readonly onDidDelete = this.#deleteEmitter.event;
  /** An agent tells of a terminal that it runs itself; `id` is our own id of the session. */
  readonly onDidReceiveTerminal: OpenSessions['onDidReceiveTerminal'];
  /** A session (by our own id) has lost its agent: commands that it runs must end. Its thread and changes stay. */
  readonly onDidDetach: OpenSessions['onDidDetach'];

  /** An agent asks the user something. */
  readonly onDidAsk: OpenSessions['onDidAsk'];
  /** A prompt is about to leave for the agent. */
  readonly onDidSendPrompt: OpenSessions['onDidSendPrompt'];
  /** A turn has ended; where something was queued the next one runs already. */
  readonly onDidEndTurn: OpenSessions['onDidEndTurn'];

  constructor(
    private readonly directory: SessionDirectory,
    private readonly services: SessionServices,
  ) {
    super();
    const { agents, storage } = services;
    const { state } = storage;
    this.#live = directory.live;
    this.#sent = new SentPrompts(state);
    this.#left = new LeftSessions(state);
    this.#sessions = this.register(new OpenSessions(services, directory));
    this.onDidClose = this.#sessions.onDidClose;
    this.onDidReceiveTerminal = this.#sessions.onDidReceiveTerminal;
    this.onDidDetach = this.#sessions.onDidDetach;
    this.onDidAsk = this.#sessions.onDidAsk;
    this.onDidSendPrompt = this.#sessions.onDidSendPrompt;
    this.onDidEndTurn = this.#sessions.onDidEndTurn;
    this.register(
      this.#sessions.onDidChange((change) => {
        if (this.isInSight(change.session)) change.session.markRead();
        this.#changeEmitter.fire(change);
      }),
    );
    this.views.show(
      this.views.sideBar,
      this.#sessions.add(this.#originOf(state.get<string>(agentKey) ?? agents.configured.initial)),
    );
    this.register(
      storage.transcripts.onDidLose(({ id }) =>
        this.#live.get(id)?.session.notify({
          severity: 'warning',
          title: l10n.t('The beginning of this conversation is no longer stored'),
          detail: l10n.t(
            'Its file was removed while the conversation was open. Parley saves only later messages. To keep all of them, run “Parley: Export Session…”.',
          ),
        }),
      ),
    );
    this.register(this.views.onDidUse(({ session }) => this.#changeEmitter.fire({ session, part: 'view' })));
    this.register(
      agents.processes.onDidEnd((end) => {
        agents.router.forgetAgent(end.agent.routeKey);
        for (const item of this.#live.values()) item.connection.handleAgentEnd(end);
      }),
    );
    this.register(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const item of this.#live.values()) item.connection.reconsider();
      }),
    );
  }

  get views(): ChatViews {
    return this.directory.views;
  }

  /** The session of the view that was used last. */
  get active(): LiveSession {
    return this.directory.active;
  }

  /** All that are open. */
  get open(): readonly LiveSession[] {
    return [...this.#live.values()];
  }

  /** Whether the user can see what happens in the session. */
  isInSight(item: LiveSession): boolean {
    return this.views.showing(item.id)?.isVisible === true && vscode.window.state.focused;
  }

  find(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** The entry with which the last turn of an open session began. */
  turnOf(id: string): string | undefined {
    return this.directory.turnOf(id);
  }

  /** What the list of sessions knows of one. */
  record(id: string): SessionRecord | undefined {
    return this.services.storage.index.get(id);
  }

  /** The branch of the worktree that a folder is in. */
  branchOf(folder: string): string | undefined {
    return this.services.opening.worktrees.at(folder)?.branch;
  }

  readonly runningAgentNamed = (name: string): RunningAgent | undefined => this.services.agents.processes.running(name);

  get history(): readonly string[] {
    return this.#sent.all;
  }

  /** Brings back the thread that the side bar showed when the window closed. Spawns nothing. */
  async restore(): Promise<void> {
    const id = this.services.storage.state.get<string>(activeKey);
    const { sideBar } = this.views;
    const { session } = sideBar;
    if (id === undefined) return;
    const stored = await this.#stored(id).catch((error: unknown) => {
      if (!(error instanceof UnreadableTranscript)) throw error;
      session.session.notify({
        severity: 'warning',
        title: l10n.t('The last session cannot be read'),
        detail: l10n.t('{0} It is still in the session list.', error.message),
      });
    });
    if (stored && !this.#live.has(id) && sideBar.session === session && !session.hasBegun && !session.isBusy)
      this.#showIn(sideBar, this.#sessions.add(stored));
  }

  /** Chooses an agent and opens a session with it; the one that is chosen already only gets started. */
  async selectAgent(name: string, view = this.views.active, shown?: () => PromiseLike<unknown>): Promise<void> {
    if (name !== view.session.agent) {
      this.#asked = undefined;
      // At once: what the user sends next is for this agent.
      this.#showIn(view, this.#sessions.add(this.#originOf(name)));
      await Promise.all([
        this.services.storage.state.update(agentKey, name),
        this.services.agents.configured.select(name),
      ]);
      void endOutdated(this.services.agents, name, [...this.#live.values()]);
    }
    await this.attach(view.session, shown);
  }

  /**
   * Shows a new session, with the same agent if it is still configured. The former one goes on, if anything goes on in
   * it. Nothing starts.
   */
  showNew(view = this.views.active, agent?: string): LiveSession {
    const name =
      agent ??
      (this.services.agents.configured.named(view.session.agent)
        ? view.session.agent
        : this.services.agents.configured.initial);
    this.#asked = undefined;
    if (agent !== undefined) void this.services.agents.configured.select(agent);
    const next = this.another(name);
    this.#showIn(view, next);
    return next;
  }

  /**
   * Shows a new session and starts its agent; see `showNew`.
   * @param shown brings the view to the front. The agent starts after it: it may ask for a secret, from which the
   * message box must not take the focus.
   */
  async newSession(view = this.views.active, agent?: string, shown?: () => PromiseLike<unknown>): Promise<void> {
    const next = this.showNew(view, agent);
    void endOutdated(this.services.agents, next.agent, [...this.#live.values()]);
    await this.attach(next, shown);
  }

  /**
   * Starts the agent once the view is in front, or could not be brought there. What the user has left meanwhile is
   * closed, and stays so.
   */
  async attach(item: LiveSession, shown?: () => PromiseLike<unknown>): Promise<void> {
    try {
      await shown?.();
    } finally {
      if (this.#live.get(item.id) === item) await item.connection.tryAttach();
    }
  }

  /**
   * Shows a session of this workspace by our own id: in its tab, else in the side bar. One that is not open is read
   * from its transcript.
   * @returns false when there is none. Of one that cannot be read the user is told why.
   */
  async openSession(id: string): Promise<boolean> {
    const asked = (this.#asked = {});
    let found: LiveSession | undefined;
    try {
      found = await shownWait(l10n.t('Opening the session'), this.get(id));
    } catch (error) {
      if (!(error instanceof UnreadableTranscript)) throw error;
      const { unreadableWords } = await import('./sessionItems');
      void markedWindow.showErrorMessage(unreadableWords(this.services.storage.index.get(id), error.message));
      return true;
    }
    // A long transcript takes a while to read, and the user may have chosen another session since.
    if (found && this.#asked === asked) this.#show(found);
    return found !== undefined;
  }

  /**
   * The session with this id of ours; one that is not open is read from its transcript.
   * @throws UnreadableTranscript
   */
  async get(id: string): Promise<LiveSession | undefined> {
    const found = this.#live.get(id);
    if (found) return found;
    const stored = await this.#stored(id);
    return this.#live.get(id) ?? (stored && this.#sessions.add(stored));
  }

  /**
   * A session that is not shown yet and in which nothing was said.
   * @param agent without one the agent to begin with @param id of one that an earlier window had shown
   */
  another(agent = '', id?: string): LiveSession {
    return this.#sessions.add(this.#originOf(agent || this.services.agents.configured.initial, id));
  }

  /** Shows a session in a tab from now on. Where the side bar showed it, that shows a new one with the same agent. */
  moveTo(tab: ChatView, item: LiveSession): void {
    const { sideBar } = this.views;
    if (sideBar.session === item) {
      this.views.show(sideBar, this.another(item.agent), true);
      void this.services.storage.state.update(activeKey, undefined);
    }
    this.#showIn(tab, item);
  }

  /** A tab was closed. Its session goes on, if anything goes on in it, and stays in the list. */
  leave(tab: ChatView): void {
    const { session } = tab;
    this.views.remove(tab);
    this.#settle(session);
    this.#changeEmitter.fire({ session: this.active, part: 'view' });
  }

  /**
   * Shows the session that the user left last, and with the next call the one before it.
   * @returns false when there is none.
   */
  async reopenLast(): Promise<boolean> {
    const { index } = this.services.storage;
    for (let id = this.#left.last; id !== undefined; id = this.#left.last) {
      const former = this.views.sideBar.session.id;
      this.#left.remove(id);
      if (
        this.views.showing(id) ||
        !index.get(id) ||
        index.isHidden(id) ||
        !(await this.openSession(id)) ||
        !this.views.showing(id)
      )
        continue;
      // Going back further must not lead here again.
      this.#left.remove(former);
      return true;
    }
    return false;
  }

  /**
   * Begins a session with all that was said in another one, and shows it. The agent makes its own copy when it is
   * joined, which happens at once.
   */
  async fork(id: string): Promise<void> {
    const { forkSession } = await import('./forkSession');
    const copy = await forkSession(this.services, id, this.#live.get(id)?.title);
    if (copy !== undefined && (await this.openSession(copy))) await this.#live.get(copy)?.connection.tryAttach();
  }

  /**
   * Shows a session that an agent lists, and begins to load its conversation from the agent.
   * @returns the session; undefined if it was closed meanwhile, or the user does not want the agent to work in that
   * folder
   */
  async openRemote(
    agent: string,
    remoteId: string,
    cwd: string,
    title: string | undefined,
    marks: SessionMarks = {},
  ): Promise<LiveSession | undefined> {
    const { clock } = this.services;
    const { index } = this.services.storage;
    const known = index.findRemote(agent, remoteId);
    if (known && (await this.openSession(known.id))) {
      const opened = this.#live.get(known.id);
      // Its conversation has not come yet.
      if (opened?.session.thread.entries.length === 0) void opened.connection.tryAttach();
      return opened;
    }
    const { recordRemote } = await import('./folderElsewhere');
    const record = { agent, remoteId, cwd, ...(title === undefined ? {} : { title }), ...marks };
    const id = await recordRemote(record, this.#originOf(agent).roots, index, clock);
    if (id === undefined) return undefined;
    const opened = this.#sessions.add(placedIn(cwd, this.#originOf(agent, id), index, this.services.opening.worktrees));
    opened.keep();
    this.#show(opened);
    void opened.connection.tryAttach();
    return opened;
  }

  /** Shows a session that was read from a file. Nothing of it is stored, and it only shows what was said. */
  showImported({ thread, agent, exportedAt }: ImportedSession, terminals: readonly TerminalView[]): void {
    this.#show(
      this.#sessions.add({
        ...this.#originOf(''),
        imported: { agent, exportedAt },
        stored: { thread, createdAt: exportedAt, terminals },
      }),
    );
  }

  /**
   * Closes a session, which stays in the list with its transcript. The side bar shows another one if it showed this; a
   * tab is closed.
   */
  async putAway(id: string): Promise<void> {
    const found = this.#live.get(id);
    const view = found && this.views.showing(id);
    if (view?.tab) view.tab.close();
    else if (view) this.#showIn(view, this.another(found.agent));
    if (found && this.#live.has(id)) await this.#sessions.close(found);
  }

  /**
   * Closes a session and removes all that is kept of it here. One that is closed leaves the index and the state at
   * once.
   * @param named how it was called when the user deleted it
   * @throws the error of the disk
   */
  async delete(id: string, { agent, title }: Pick<DeletedSession, 'agent' | 'title'>): Promise<void> {
    const { transcripts, index, state } = this.services.storage;
    if (this.#live.has(id)) await this.putAway(id);
    index.remove(id);
    this.#left.remove(id);
    this.#sent.forget(id);
    for (const key of [uiKey(id), queueKey(id)]) void state.update(key, undefined);
    if (state.get(activeKey) === id) void state.update(activeKey, undefined);
    const others: Promise<unknown>[] = [];
    this.#deleteEmitter.fire({ id, agent, title, waitUntil: (work) => void others.push(work) });
    // The transcript names what else belongs to the session.
    const failed = (await Promise.allSettled(others)).find((result) => result.status === 'rejected');
    await transcripts.delete(id);
    if (failed) throw failed.reason;
  }

  /** Sends a prompt in a session; while a turn runs it is queued. Resolves when the turn has ended. */
  async submit(draft: Draft, item = this.active): Promise<void> {
    this.remember(draft, item);
    await item.submit(draft);
  }

  /** Notes a prompt that is being sent, for the history of the message box and for the next start. */
  remember({ text }: Draft, item: LiveSession): void {
    this.#sent.add(text, item.id);
    if (item === this.views.sideBar.session) void this.services.storage.state.update(activeKey, item.id);
  }

  /** Lets agents work in the scratch folder while no folder is open. @throws Error when it cannot be made */
  async useScratchFolder(): Promise<void> {
    await this.services.opening.folders.useScratch();
    for (const item of this.#live.values()) item.connection.reconsider();
  }

  /** Ends the process of an agent that does not react to Stop. The thread stays. */
  async forceStop({ agent, session }: LiveSession): Promise<void> {
    await this.services.agents.processes.stop(agent, 'now');
    session.notify({
      severity: 'warning',
      title: l10n.t('{0} was force-stopped', agent),
      detail: l10n.t('Your next prompt starts it again.'),
      actions: ['restart'],
    });
  }

  /** The process of an agent, started if need be and without a session. @throws StartFailure */
  async startAgent(name: string): Promise<RunningAgent | undefined> {
    const configuration = this.services.agents.configured.named(name);
    return (
      this.services.agents.processes.running(name) ??
      (configuration && this.services.agents.processes.start(configuration, this.active.cwd, neverCancelled))
    );
  }

  /** Ends an agent; the next prompt starts it again. */
  async stopAgent(name: string): Promise<void> {
    await this.services.agents.processes.stop(name);
  }

  /** Ends the agent and joins the thread to a new process. The thread stays on screen (item 175). */
  async restart(item = this.active): Promise<void> {
    if (item.connection.startAgain()) return;
    item.announceRestart();
    await this.services.agents.processes.stop(item.agent);
    await item.connection.tryAttach();
  }

  /** The host is going: close what can be closed in a moment. */
  async shutdown(): Promise<void> {
    for (const item of this.#live.values()) void item.close();
    await this.services.agents.processes.stopAll();
  }

  /** Starts the active session's agent if need be and reports failure in the panel instead of throwing. */
  async tryAttach(): Promise<boolean> {
    return this.active.connection.tryAttach();
  }

  /** Shows a session in its tab, else in the side bar. */
  #show(next: LiveSession): void {
    this.#asked = undefined;
    const view = this.views.showing(next.id) ?? this.views.sideBar;
    this.#showIn(view, next);
    view.tab?.reveal();
  }

  #showIn(view: ChatView, next: LiveSession): void {
    const former = this.views.all.includes(view) ? view.session : undefined;
    // The last in the map is the one that was shown last.
    this.#live.delete(next.id);
    this.#live.set(next.id, next);
    next.markRead();
    if (!view.tab)
      void this.services.storage.state.update(activeKey, next.hasBegun && !next.imported ? next.id : undefined);
    this.views.show(view, next);
    this.views.use(view);
    this.#left.remove(next.id);
    this.#changeEmitter.fire({ session: next, part: 'view' });
    if (former && former !== next) this.#settle(former);
    else this.#sessions.closeIdle();
  }

  /** What becomes of a session that no view shows any more. */
  #settle(former: LiveSession): void {
    if (former.hasBegun && !former.imported) this.#left.add(former.id);
    if (!former.hasBegun && !former.isBusy) void this.#sessions.close(former);
    this.#sessions.closeIdle();
  }

  #stored(id: string): Promise<LiveSessionOrigin | undefined> {
    const { storage, opening } = this.services;
    return storedOrigin(id, storage, opening.worktrees, (agent) => this.#originOf(agent, id));
  }

  #originOf(agent: string, id: string = randomUUID()): LiveSessionOrigin {
    return { id, agent, ...this.services.opening.folders.rootsOf(this.services.agents.configured.named(agent)?.cwd) };
  }
}
