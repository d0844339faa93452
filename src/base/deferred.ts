/** A promise with its handles outside. Only the first `resolve` or `reject` counts. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  #settled = false;
  #resolvePromise!: (value: T) => void;
  #rejectPromise!: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolvePromise = resolve;
      this.#rejectPromise = reject;
    });
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** @returns whether this call was the one that settled it. */
  resolve(value: T): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#resolvePromise(value);
    return true;
  }

  /** @returns whether this call was the one that settled it. */
  reject(reason: unknown): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#rejectPromise(reason);
    return true;
  }
}
