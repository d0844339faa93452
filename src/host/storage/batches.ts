interface Batch<T, R> {
  readonly items: T[];
  size: number;
  readonly done: Promise<R>;
}

/** Processes all items that arrive during the previous batch together: thousands of small writes take seconds. */
export class Batches<T, R> {
  #next: Batch<T, R> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param maxSize a batch of this size takes no further items. */
  constructor(
    private readonly work: (items: readonly T[]) => Promise<R>,
    private readonly maxSize: number,
  ) {}

  /** @returns the item's index in its batch, and the result of the batch. */
  add(item: T, size: number): { readonly index: number; readonly done: Promise<R> } {
    const batch = (this.#next ??= this.#begin());
    const index = batch.items.push(item) - 1;
    batch.size += size;
    if (batch.size >= this.maxSize) this.close();
    return { index, done: batch.done };
  }

  /** Later items are processed after all earlier ones. */
  close(): void {
    this.#next = undefined;
  }

  /** Resolves when all items so far are processed. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #begin(): Batch<T, R> {
    const items: T[] = [];
    const done = this.#last.then(() => {
      if (this.#next?.items === items) this.close();
      return this.work(items);
    });
    this.#last = done.catch(() => undefined);
    return { items, size: 0, done };
  }
}
