import type * as vscode from 'vscode';
import type { Draft } from './draft';
import { PromptQueue, type QueuedPrompt } from './promptQueue';

/** What the queue needs of the session that it belongs to. */
export interface QueueOwner {
  /** Whether a prompt can be sent now. */
  readonly takesPrompt: () => boolean;
  /** The user has stopped the running turn, and the agent has not ended it yet. */
  readonly isStopping: () => boolean;
  readonly submit: (draft: Draft) => Promise<void>;
  /** Stops the running turn. */
  readonly stop: () => void;
  /** Whether the agent takes messages into the running turn. */
  readonly canSteer: () => boolean;
  /**
   * @returns false where the turn had ended and the message was not taken.
   * @throws AcpError when the agent refuses it.
   */
  readonly steer: (draft: Draft) => Promise<boolean>;
  readonly changed: () => void;
}

/** Where the queue of a session is kept. */
export function queueKey(id: string): string {
  return `parley.queue.${id}`;
}

/** The queue of one session: kept over a restart, and sent as turns end or when the user says so. */
export class SessionQueue {
  readonly #queue: PromptQueue;
  /** Nothing is sent by itself. What comes back after a restart is paused too: no turn runs whose end would send it. */
  #paused: boolean;
  /** What stood behind the one that is edited now: it comes back before these. */
  #behindEdited: readonly string[] | undefined;
  /** On their way into the running turn. They stay on disk until the agent has answered. */
  #steered: readonly QueuedPrompt[] = [];
  #pauses = 0;

  readonly #key: string;

  /** @param id of the session */
  constructor(
    id: string,
    private readonly state: vscode.Memento,
    private readonly owner: QueueOwner,
  ) {
    this.#key = queueKey(id);
    this.#queue = new PromptQueue(state.get<QueuedPrompt[]>(this.#key, []));
    this.#paused = this.#queue.list.length > 0;
  }

  /** The messages stay until the user resumes or clears the queue, or sends them one by one. */
  get isPaused(): boolean {
    return this.#paused;
  }

  get list(): readonly QueuedPrompt[] {
    return this.#queue.list;
  }

  /**
   * At the end; one that was taken out to be edited comes back to its place. The first one that is sent after Stop
   * follows the turn, which pauses only what was queued before.
   */
  add(draft: Draft): void {
    const isNext = this.owner.isStopping() && !this.#queue.hasUrgent;
    const item = this.#queue.add(draft, isNext);
    const behind = isNext ? undefined : this.#behindEdited;
    const place = behind ? this.#queue.list.findIndex(({ id }) => behind.includes(id)) : -1;
    if (place >= 0) this.#queue.insert(item, place);
    this.#behindEdited = undefined;
    this.#changed();
  }

  /**
   * Sends what answers the agent in what it does now: into the running turn where the agent takes it, else before all
   * others once the turn has ended, however it ends. The turn is not stopped for it.
   * @throws AcpError when the agent does not take it into its turn; then it stays in the queue.
   */
  async reply(draft: Draft): Promise<void> {
    if (this.owner.takesPrompt()) return this.owner.submit(draft);
    const { id } = this.#queue.add(draft, true);
    this.#changed();
    if (this.owner.canSteer()) await this.sendNow(id);
  }

  /** @returns the queued prompt, which is not queued any more. */
  remove(id: string): QueuedPrompt | undefined {
    const item = this.#queue.remove(id);
    if (item) this.#changed();
    return item;
  }

  /** Takes one out to be edited. @returns it; what is added next takes its place. */
  edit(id: string): QueuedPrompt | undefined {
    const index = this.#queue.list.findIndex((item) => item.id === id);
    const behind = this.#queue.list.slice(index + 1).map((item) => item.id);
    const item = this.remove(id);
    if (item) this.#behindEdited = behind;
    return item;
  }

  /** Another place in the order; an id that is not there any more does nothing. */
  move(id: string, index: number): void {
    const item = this.#queue.list.find((candidate) => candidate.id === id);
    if (!item) return;
    this.#queue.insert(item, index);
    this.#changed();
  }

  /**
   * Sends a queued prompt now: into the running turn where the agent takes it, else the turn is stopped for it.
   * @throws AcpError when the agent does not take it into its turn; then it stays in the queue.
   */
  async sendNow(id: string): Promise<void> {
    const { owner } = this;
    const queue = this.#queue;
    const index = queue.list.findIndex((candidate) => candidate.id === id);
    const item = queue.list[index];
    // With a second click the turn of this very message may run already.
    if (!item) return;
    if (!owner.takesPrompt() && !owner.canSteer()) {
      queue.hurry(id);
      return owner.stop();
    }
    if (owner.takesPrompt()) {
      this.remove(id);
      return owner.submit(item.draft);
    }
    const pauses = this.#pauses;
    const putBack = (place: number) => {
      this.#putBack(item, place);
      if (pauses !== this.#pauses) this.#setPaused(true);
    };
    this.#steered = [...this.#steered, item];
    this.remove(id);
    let taken: boolean;
    try {
      taken = await owner.steer(item.draft);
    } catch (error) {
      putBack(index);
      throw error;
    } finally {
      this.#steered = this.#steered.filter((other) => other !== item);
      this.#save();
    }
    if (taken) return;
    // The user has stopped the turn meanwhile: nothing follows it by itself.
    if (pauses !== this.#pauses) return putBack(index);
    if (owner.takesPrompt()) return owner.submit(item.draft);
    // The end of the turn is on its way to us, or the next one runs already: it goes out before all others.
    this.#putBack(item, 0);
    queue.hurry(id);
  }

  /** The user stops the turn: nothing follows it by itself, not even what was to be sent next. */
  pause(): void {
    this.#pauses++;
    this.#queue.calm();
    this.#setPaused(true);
  }

  /** Sends the messages again as turns end, the first one now if no turn runs. */
  async resume(): Promise<void> {
    this.#setPaused(false);
    const next = this.owner.takesPrompt() ? this.next(true) : undefined;
    if (next) await this.owner.submit(next.draft);
  }

  /** @returns the messages, which are not queued any more. */
  clear(): readonly QueuedPrompt[] {
    const { list } = this.#queue;
    for (const { id } of list) this.#queue.remove(id);
    if (list.length > 0) this.#changed();
    return list;
  }

  /** Takes what follows a turn; see `PromptQueue.next`. After a turn that did not end well the queue is paused. */
  next(turnEndedWell: boolean): QueuedPrompt | undefined {
    const next = this.#queue.next(turnEndedWell && !this.#paused);
    if (next) this.#changed();
    // A message that the turn was stopped for goes on with the work, so the others follow it.
    else if (!turnEndedWell) this.#setPaused(true);
    return next;
  }

  #putBack(item: QueuedPrompt, index: number): void {
    this.#queue.insert(item, index);
    this.#changed();
  }

  #setPaused(paused: boolean): void {
    if (this.#paused === (paused && this.#queue.list.length > 0)) return;
    this.#paused = !this.#paused;
    this.owner.changed();
  }

  #changed(): void {
    if (this.#queue.list.length === 0) this.#paused = false;
    this.#save();
    this.owner.changed();
  }

  #save(): void {
    const all = [...this.#steered, ...this.#queue.list];
    void this.state.update(this.#key, all.length === 0 ? undefined : all);
  }
}
