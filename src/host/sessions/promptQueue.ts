import { randomUUID } from 'node:crypto';
import type { Draft } from './draft';

export interface QueuedPrompt {
  readonly id: string;
  readonly draft: Draft;
}

/**
 * What the user wrote while a turn ran, in order. ACP v1 has no queue of its own (item 84): a second prompt cancels,
 * merges with or breaks the first with some agents, so it is held here until the turn has ended. Also for agents that
 * queue prompts themselves: here it can still be edited, moved and removed.
 */
export class PromptQueue {
  #items: readonly QueuedPrompt[];
  /** The one that goes out as soon as the turn has ended, however it ends. */
  #urgent: string | undefined;

  constructor(items: readonly QueuedPrompt[] = []) {
    this.#items = items;
  }

  /** The same list until something changes. */
  get list(): readonly QueuedPrompt[] {
    return this.#items;
  }

  /** One of them is sent as soon as the turn has ended, however it ends. */
  get hasUrgent(): boolean {
    return this.#items.some(({ id }) => id === this.#urgent);
  }

  /** @param isUrgent it is sent before all others, however the turn ends. */
  add(draft: Draft, isUrgent = false): QueuedPrompt {
    const item = { id: randomUUID(), draft };
    this.#items = isUrgent ? [item, ...this.#items] : [...this.#items, item];
    if (isUrgent) this.#urgent = item.id;
    return item;
  }

  /** @returns what was removed; undefined for an id that is not there any more. */
  remove(id: string): QueuedPrompt | undefined {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item) this.#items = this.#items.filter((candidate) => candidate !== item);
    return item;
  }

  /** Puts one at a place of the list, also one that was taken out; beyond its ends is at its ends. */
  insert(item: QueuedPrompt, index: number): void {
    const others = this.#items.filter(({ id }) => id !== item.id);
    this.#items = others.toSpliced(Math.max(0, Math.min(index, others.length)), 0, item);
  }

  /** This one is next, also when the turn is stopped for it. */
  hurry(id: string): void {
    this.#urgent = id;
  }

  /** None is urgent any more. */
  calm(): void {
    this.#urgent = undefined;
  }

  /**
   * Takes what follows a turn.
   * @param turnEndedWell false after Stop, a failure or a refusal, and while the queue is paused: what was queued may
   * not fit any more, so it waits for the user, but for the one that the turn was stopped for.
   */
  next(turnEndedWell: boolean): QueuedPrompt | undefined {
    const urgent = this.#urgent;
    this.#urgent = undefined;
    const item =
      this.#items.find((candidate) => candidate.id === urgent) ?? (turnEndedWell ? this.#items[0] : undefined);
    return item && this.remove(item.id);
  }
}
