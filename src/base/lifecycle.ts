/** Something that holds a resource until it is disposed. Disposing twice is harmless. */
export interface IDisposable {
  dispose(): void;
}

export function toDisposable(dispose: () => void): IDisposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      dispose();
    },
  };
}

/** Disposes its items in reverse order; an item added after its end is disposed at once, so nothing leaks. */
export class DisposableStore implements IDisposable {
  readonly #items = new Set<IDisposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  get size(): number {
    return this.#items.size;
  }

  add<T extends IDisposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Disposes one item now. */
  delete(item: IDisposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  clear(): void {
    const items = [...this.#items].reverse();
    this.#items.clear();
    for (const item of items) item.dispose();
  }

  dispose(): void {
    this.#disposed = true;
    this.clear();
  }
}

/** Base class for owners: register a disposable on the line that creates it. */
export abstract class Disposable implements IDisposable {
  protected readonly store = new DisposableStore();

  protected register<T extends IDisposable>(item: T): T {
    return this.store.add(item);
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** Holds at most one disposable; a new value disposes the old one. */
export class MutableDisposable<T extends IDisposable> implements IDisposable {
  #current: T | undefined;
  #disposed = false;

  get value(): T | undefined {
    return this.#current;
  }

  set value(next: T | undefined) {
    if (next === this.#current) return;
    this.#current?.dispose();
    this.#current = next;
    if (this.#disposed && next) {
      next.dispose();
      this.#current = undefined;
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.value = undefined;
  }
}
