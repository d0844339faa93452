interface Batch<T, R> {
  readonly items: T[];
  size: number;
  readonly done: Promise<R>;
}

/** Works on all that comes while the work before it runs together: thousands of small writes take seconds. */
export class Batches<T, R> {
  #next: Batch<T, R> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param maxSize a batch that has grown to this size gets nothing more. */
  constructor(
    private readonly work: (items: readonly T[]) => Promise<R>,
    private readonly maxSize: number,
  ) {}

  /** @returns the place of the item in its batch, and what became of the batch. */
  add(item: T, size: number): { readonly index: number; readonly done: Promise<R> } {
    const batch = (this.#next ??= this.#begin());
    const index = batch.items.push(item) - 1;
    batch.size += size;
    if (batch.size >= this.maxSize) this.close();
    return { index, done: batch.done };
  }

  /** What comes from here on is worked on after all that has come. */
  close(): void {
    this.#next = undefined;
  }

  /** Resolves when all that has come was worked on. */
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
