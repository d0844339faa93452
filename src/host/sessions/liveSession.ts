import * as l10n from '@vscode/l10n';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { Deferred } from '../../base/deferred';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { BackgroundView } from '../../protocol/backgroundView';
import type { TerminalView } from '../../protocol/terminalView';
import type { ThreadAction } from '../../thread/actions';
import { lastRewind } from '../../thread/rewind';
import { Session } from '../../thread/session';
import type { EntryId, Thread, UserMessage } from '../../thread/thread';
import { endsWell } from '../../thread/words';
import { mayHavePatch } from '../../view/patchText';
import type { RunningAgent } from '../agents/agentService';
import type { ConversationQuestion } from './conversationChoice';
import type { Draft } from './draft';
import { setOptions } from './optionMemory';
import { SessionConnection, type SessionPlace } from './sessionConnection';
import { SessionQueue } from './sessionQueue';
import type { SessionServices } from './sessionServices';
import type { OpenedSetup } from './openedSetup';
import type { SessionSignIn } from '../signIn/sessionSignIn';
import { ThreadRecording } from './threadRecording';
import { hasAnswer, historyTold } from './sessionHistory';
import { placePatch } from './patchPlaces';
import type { Worktree } from '../worktrees/worktree';
import type { Place } from '../worktrees/worktrees';
import { clip } from '../../base/oneLine';

/** What has changed of a session. `read`: the user has seen the end of its turn. */
export type SessionPart = 'thread' | 'connection' | 'queue' | 'read';

export interface LiveSessionOrigin extends SessionPlace {
  /** What is known of the thread already, and the terminals in it as they were left. */
  readonly stored?: {
    readonly thread: Thread;
    readonly createdAt: number;
    readonly terminals: readonly TerminalView[];
  };
}

/**
 * One thread with its connection to an agent, its queue of prompts and its transcript. It keeps the thread when the
 * agent goes.
 */
export class LiveSession extends Disposable {
  readonly session: Session;
  readonly connection: SessionConnection;
  #lastPrompt: Draft | undefined;
  #unreadState = false;
  #failedState = false;
  /** The prompt that is being sent begins a worktree, whose branch is named after these words. */
  #worktreeWords: string | undefined;
  /** Those that the last prompt was sent with, for **Retry**. */
  #branchWords: string | undefined;
  #isMoving = false;
  /** The turn is stopped for something that must not find another turn running. */
  #isHalting = false;
  /** What the user wrote while a turn ran. */
  readonly queue: SessionQueue;
  /** Messages wait for the history of the agent's session. */
  #toldHistory: Promise<void> | undefined;
  readonly #recording: ThreadRecording;
  /** Whether a new session of the agent gets the conversation. Loaded when there is one that it does not know. */
  readonly conversation: Later<ConversationQuestion>;
  readonly #changeEmitter = this.register(new Emitter<SessionPart>());

  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    readonly origin: LiveSessionOrigin,
    private readonly services: SessionServices,
  ) {
    super();
    const { id, agent, cwd, stored } = origin;
    const { clock, log, work } = services;
    const { index, transcripts, state } = services.storage;
    this.session = this.register(new Session(id, clock, log, stored?.thread));
    this.connection = this.register(new SessionConnection(origin, this.session, services));
    this.#recording = new ThreadRecording(
      transcripts,
      { version: 1, id, agent, cwd, createdAt: clock.now() },
      stored !== undefined,
    );
    this.queue = new SessionQueue(id, state, {
      takesPrompt: () => this.#takesPrompt,
      isStopping: () => this.session.thread.turn?.stopping === true,
      submit: (draft) => this.submit(draft),
      stop: () => this.#cancel(),
      canSteer: () => this.canSteer,
      steer: (draft) => this.#steer(draft),
      changed: () => this.#changeEmitter.fire('queue'),
    });
    this.conversation = this.register(
      new Later(async () => {
        const { ConversationQuestion } = await import('./conversationChoice');
        return new ConversationQuestion(this.session, state);
      }),
    );
    this.#lastPrompt = stored && services.prompts.lastOf(stored.thread);
    if (!origin.imported) this.register(this.session.onDidAct((action) => this.#recording.record(action)));
    this.register(this.session.onDidAct((action) => work.turns.act(id, action)));
    this.register(
      this.session.onDidAct(
        (action) =>
          void (action.type === 'toolCall/patched' && mayHavePatch(action.fields.rawInput) && this.#placePatch(action)),
      ),
    );
    this.register(
      this.session.onDidAct(
        (action) => action.type === 'title/changed' && action.title && index.patch(id, { title: action.title }),
      ),
    );
    this.register(
      this.session.onDidAct((action) => {
        // While the session is joined to its agent, reports are about earlier work.
        const now = this.connection.isAttaching ? undefined : clock.now();
        if (action.type === 'usage/updated')
          void import('./sessionUsage').then(({ countUsage }) => countUsage(index, id, action, now));
      }),
    );
    this.register(this.session.onDidSendPrompt(({ at }) => work.turns.sent(id, at)));
    this.register(this.session.onDidEndTurn(({ at }) => work.turns.end(id, at)));
    this.register(this.session.onDidChange(() => this.#changeEmitter.fire('thread')));
    this.register(this.connection.onDidChange(() => this.#changeEmitter.fire('connection')));
    this.register(this.session.onDidEndTurn(({ stopReason }) => this.#handleTurnEnd(stopReason)));
  }

  get id(): string {
    return this.origin.id;
  }

  get agent(): string {
    return this.origin.agent;
  }

  get cwd(): string {
    return this.connection.place.cwd;
  }

  /** What is known of the file that the session was read from. Such a session only shows what was said. */
  get imported(): SessionPlace['imported'] {
    return this.origin.imported;
  }

  get roots(): readonly string[] {
    return this.connection.place.roots;
  }

  /** The worktree that the session works in. */
  get worktree(): Worktree | undefined {
    return this.services.opening.worktrees.at(this.cwd);
  }

  /** Where the first prompt will be worked on; undefined if there is no choice, or not any more. */
  get placeChoice(): Place | undefined {
    return this.imported || this.connection.place.isMoved || this.session.isRunning || hasAnswer(this.session)
      ? undefined
      : this.services.opening.worktrees.placeOf(this.agent, this.cwd);
  }

  /** Terminals of an earlier run of the editor, as they were left. */
  get restoredTerminals(): readonly TerminalView[] {
    return this.origin.stored?.terminals ?? [];
  }

  /** What the session was opened with beside its folder, while it is open. */
  get setup(): OpenedSetup | undefined {
    return this.connection.setup;
  }

  /** The agent that the session is attached to. */
  get runningAgent(): RunningAgent | undefined {
    return this.connection.runningAgent;
  }

  get signIn(): SessionSignIn {
    return this.connection.signIn;
  }

  /** True when something was asked in it, ever. */
  get hasBegun(): boolean {
    return this.#recording.hasBegun;
  }

  /**
   * True while it would be missed: it works, moves, waits for the user, or is being joined to its agent. A sign-in that
   * nothing waits for is not missed.
   */
  get isBusy(): boolean {
    const { isRunning, thread } = this.session;
    return (
      isRunning ||
      this.#isMoving ||
      thread.waiting.length > 0 ||
      thread.open.length > 0 ||
      (this.connection.isAttaching && !this.signIn.view)
    );
  }

  /** Nobody would miss its agent. A command that the agent left running, such as a server, would end with it. */
  get isIdle(): boolean {
    return !this.isBusy && !this.services.work.runsCommand(this.id) && this.background.length === 0;
  }

  /** What is at work beside its turn. */
  get background(): readonly BackgroundView[] {
    return this.services.work.background.of(this.id, this.session.thread);
  }

  /** A command of the session has begun or ended. */
  noteCommand(): void {
    this.#changeEmitter.fire('thread');
  }

  /** A turn has ended since the user looked last. */
  get unread(): boolean {
    return this.#unreadState;
  }

  /** The turn that ended last has failed. */
  get hasFailed(): boolean {
    return this.#failedState;
  }

  markRead(): void {
    if (!this.#unreadState) return;
    this.#unreadState = false;
    this.#changeEmitter.fire('read');
  }

  /** The title in the panel, in the list and everywhere else. */
  get title(): string | undefined {
    const record = this.services.storage.index.get(this.id);
    return record?.ownTitle ?? this.session.thread.title ?? record?.title;
  }

  /**
   * Sends a prompt, or queues it while another is worked on. The agent is started first if it does not run. Resolves
   * when the turn has ended.
   * @param branchWords the first prompt begins a worktree, whatever the user chose for the agent; names its branch
   */
  async submit(draft: Draft, branchWords?: string): Promise<void> {
    if (this.origin.imported) return;
    if (!this.#takesPrompt) return this.queue.add(draft);
    if (this.connection.awaitsHistory) return this.#sendBelowHistory(draft);
    await this.#send(draft, branchWords);
  }

  /**
   * A message to a session of the agent's list while that is opened: it waits in the queue until the conversation is
   * here.
   */
  async #sendBelowHistory(draft: Draft): Promise<void> {
    this.queue.add(draft);
    if (this.#toldHistory) return this.#toldHistory;
    const told = historyTold(this.connection, this.session, this.services.clock).then(async (isAttached) => {
      this.#toldHistory = undefined;
      // Why is in the panel; sending would start the agent once more.
      if (!isAttached) return this.queue.pause();
      const next = this.#takesPrompt ? this.queue.next(true) : undefined;
      if (next) await this.#send(next.draft);
    });
    this.#toldHistory = told;
    return told;
  }

  async #send(draft: Draft, branchWords?: string): Promise<void> {
    const place = this.placeChoice;
    this.#branchWords = branchWords;
    this.#worktreeWords = place && (branchWords ?? (place === 'worktree' ? draft.text : undefined));
    this.#lastPrompt = draft;
    this.#begin(draft.text || (draft.notes?.title ?? ''));
    const ended = this.session.prompt(
      this.services.prompts.shown(draft),
      () => this.#prepare(draft),
      (error) => this.signIn.recover(error, () => this.#prepare(draft)),
    );
    // What the prompt has ended was seen by whoever sent it.
    this.markRead();
    await ended;
    this.signIn.settled();
  }

  /** Sends the last prompt of the user again. */
  async retry(): Promise<void> {
    if (this.#lastPrompt && this.#takesPrompt) await this.submit(this.#lastPrompt, this.#branchWords);
  }

  /** A prompt of the thread as it was composed. */
  draftOf(prompt: UserMessage): Draft {
    return this.services.prompts.draftOf(prompt);
  }

  /** Stops the running turn and resolves when it has ended. */
  async halt(): Promise<void> {
    if (!this.session.isRunning) return;
    const ended = new Deferred<void>();
    const listener = this.session.onDidEndTurn(() => ended.resolve());
    this.#isHalting = true;
    this.stop();
    await ended.promise;
    listener.dispose();
  }

  /**
   * Goes back to before a prompt. The agent's next session gets what is left of the conversation; the one that knows
   * all of it stays at the agent, for Redo. Call while no turn runs.
   */
  async rewind(
    entryId: EntryId,
    told: { readonly title: string; readonly detail: string; readonly save?: string },
  ): Promise<void> {
    const remoteId = this.services.storage.index.get(this.id)?.remoteId;
    await this.#reopen(undefined, () =>
      this.session.rewind(entryId, { ...told, ...(remoteId === undefined ? {} : { remoteId }) }),
    );
  }

  /** Takes the last rewind back. The agent goes on in the session that it had before, where it can. */
  async undoRewind(): Promise<void> {
    await this.#reopen(lastRewind(this.session.thread)?.remoteId, () => this.session.undoRewind());
  }

  /** The agent takes messages into the turn that runs now. */
  get canSteer(): boolean {
    return this.session.canSteer && this.runningAgent?.features.steering === true;
  }

  /** It moves to another folder, or goes back to before a prompt. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /**
   * Queues what the user sends while the session moves, and sends it then.
   * @param move does it at most once at a time: see `isMoving`. No turn runs when it calls `moveTo` or `rewind`.
   */
  async whileMoving<T>(move: () => Promise<T>): Promise<T> {
    this.#isMoving = true;
    try {
      return await move();
    } finally {
      this.#isMoving = false;
      const next = this.#takesPrompt ? this.queue.next(true) : undefined;
      if (next) void this.submit(next.draft);
    }
  }

  /**
   * Goes on in another folder, in a new session of the agent that gets the conversation. Call while no turn runs.
   * @param roots the session's folders, with `cwd`, which the user has agreed to
   */
  async moveTo(cwd: string, roots: readonly string[]): Promise<void> {
    this.services.storage.index.patch(this.id, { cwd, agreedFolder: cwd });
    await this.#reopen(undefined, () => this.connection.moveTo(cwd, roots));
  }

  /** Stops the running turn, or the start that it waits for. Nothing of the queue follows it by itself. */
  stop(): void {
    this.queue.pause();
    this.#cancel();
    this.connection.callOff();
  }

  /** The agent is about to be restarted: what follows is a start. */
  announceRestart(): void {
    this.stop();
    this.connection.announceRestart();
  }

  /** Gives the thread its file although nothing was asked in it yet: what an agent replays is worth keeping. */
  keep(): void {
    this.#recording.begin();
  }

  /** Parts from the agent: stops the turn, and closes the session on the agent's side where the agent can. */
  async close(): Promise<void> {
    // The end of the turn must not start the agent again.
    this.queue.pause();
    this.#cancel();
    await this.connection.close();
  }

  /** Another session of the agent, with the options that were chosen in this one. */
  async #reopen(remoteId: string | undefined, change: () => void): Promise<void> {
    const { connection, session, services } = this;
    const wasOpen = this.runningAgent !== undefined;
    const chosen = Object.fromEntries(session.thread.options.shown.map(({ key, current }) => [key, current]));
    await connection.leave(remoteId);
    change();
    this.#lastPrompt = services.prompts.lastOf(session.thread);
    if (!wasOpen || !(await connection.tryAttach())) return;
    await setOptions(session, chosen, ({ current }, value) => current !== value, services.log);
  }

  get #takesPrompt(): boolean {
    return this.session.takesPrompt && !this.#isMoving;
  }

  #cancel(): void {
    this.session.cancel();
    this.conversation.opened?.withdraw();
  }

  async #prepare(draft: Draft): Promise<readonly ContentBlock[]> {
    if (this.#worktreeWords !== undefined) await this.#enterWorktree(this.#worktreeWords);
    const agent = await this.connection.attach();
    await this.#unlessStopped(this.services.work.turns.begin(this.id));
    const blocks = await this.#build(draft, agent);
    const { missingContext } = this.connection;
    if (missingContext === undefined) return blocks;
    const conversation = await this.conversation.get();
    // Stopped meanwhile: nothing is sent, and nothing to ask.
    if (this.session.thread.turn?.stopping) return blocks;
    const choice = missingContext === 'include' ? missingContext : await conversation.ask(this.agent);
    if (choice === undefined) return blocks;
    conversation.follow(choice, (isKnown) => this.connection.settleContext(isKnown));
    if (choice === 'omit') return blocks;
    const { conversationBlock } = await import('./conversationBlock');
    return [conversationBlock(this.session.thread, agent.features.prompt.embeddedContext), ...blocks];
  }

  /** The blocks for the agent. In a worktree, files of the repository are those of the worktree. */
  async #build(draft: Draft, agent: RunningAgent): Promise<readonly ContentBlock[]> {
    const { worktree, roots } = this;
    return this.services.prompts.build(
      worktree ? await (await import('./enterWorktree')).draftInWorktree(draft, worktree) : draft,
      { agent: this.agent, takes: agent.features.prompt, session: this.session, roots },
    );
  }

  /** Goes on in a worktree that is made for the prompt. @throws NotSent if there is none; the thread says why */
  async #enterWorktree(words: string): Promise<void> {
    this.#worktreeWords = undefined;
    const { enterWorktree } = await import('./enterWorktree');
    const { cwd, roots } = await enterWorktree(this, this.services, words, (work) => this.#unlessStopped(work));
    await this.moveTo(cwd, roots);
  }

  /** Waits for work, but not after Stop. */
  async #unlessStopped(work: Promise<void>): Promise<void> {
    const stopped = new Deferred<void>();
    const look = () => void (this.session.thread.turn?.stopping && stopped.resolve());
    const listener = this.session.onDidChange(look);
    look();
    await Promise.race([work, stopped.promise]).finally(() => listener.dispose());
  }

  /** The thread gets its file and its place in the list with its first entry; empty ones leave nothing behind. */
  #begin(text: string): void {
    this.#recording.begin();
    const { clock } = this.services;
    const { index } = this.services.storage;
    const known = index.get(this.id);
    const now = clock.now();
    if (known) return index.patch(this.id, { updatedAt: now, isArchived: undefined });
    index.put({
      id: this.id,
      agent: this.agent,
      cwd: this.cwd,
      createdAt: now,
      updatedAt: now,
      title: firstWords(text),
      ...(this.worktree ? { agreedFolder: this.cwd } : {}),
      ...this.connection.remote,
    });
  }

  #handleTurnEnd(stopReason: string): void {
    // Whoever stopped it knows.
    if (stopReason !== 'cancelled') this.#unreadState = true;
    this.#failedState = stopReason === 'failed';
    this.services.storage.index.patch(this.id, { updatedAt: this.services.clock.now() });
    if (this.#isHalting) this.queue.pause();
    this.#isHalting = false;
    const next = this.queue.next(endsWell(stopReason));
    this.#changeEmitter.fire('thread');
    if (next) void this.submit(next.draft);
  }

  async #placePatch(action: ThreadAction): Promise<void> {
    await placePatch(this.session, this.cwd, action, this.services.log);
  }

  async #steer(draft: Draft): Promise<boolean> {
    const agent = this.runningAgent;
    if (!agent) return false;
    const blocks = await this.#build(draft, agent);
    return this.session.steer(this.services.prompts.shown(draft), blocks);
  }
}

const longestTitle = 80;

function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.trim();
  return clip(line, longestTitle) || l10n.t('Untitled');
}
