/** Runs work of the same name in the order of the calls, each after the previous one has ended, even by an error. */
export class OneByOne {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, mine);
    const end = () => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    void mine.then(end, end);
    return mine;
  }
}
