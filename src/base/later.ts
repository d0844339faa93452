import { Emitter } from './event';
import { Disposable, type IDisposable } from './lifecycle';

/** Something that is loaded when it is first needed, and disposed with this. A failed load is tried again. */
export class Later<T extends object> extends Disposable {
  #opened: T | undefined;
  #opening: Promise<T> | undefined;
  readonly #openEmitter = this.register(new Emitter<T>());

  /** It is there now, before anyone who asked for it has it. */
  readonly onDidOpen = this.#openEmitter.event;

  constructor(private readonly load: () => Promise<T>) {
    super();
  }

  /** Undefined until it is loaded. */
  get opened(): T | undefined {
    return this.#opened;
  }

  get(): Promise<T> {
    if (this.#opening) return this.#opening;
    const opening = this.#open();
    this.#opening = opening;
    opening.catch(() => (this.#opening = undefined));
    return opening;
  }

  /** Acts on it if it is there or somebody has asked for it, after those who asked before. */
  ifAsked(act: (opened: T) => unknown): void {
    void this.#opening?.then(act, () => undefined);
  }

  async #open(): Promise<T> {
    const opened = await this.load();
    if ('dispose' in opened) this.register(opened as IDisposable);
    this.#opened = opened;
    this.#openEmitter.fire(opened);
    return opened;
  }
}

type Methods<T, K extends keyof T> = {
  readonly [N in K]: T[N] extends (...request: infer P) => infer R ? (...request: P) => Promise<Awaited<R>> : never;
};

/** Methods of something that their first call loads. */
export function methodsOf<T extends object, K extends keyof T & string>(later: Later<T>, ...names: readonly K[]) {
  const call =
    (name: K) =>
    async (...request: unknown[]) =>
      ((await later.get()) as Record<string, (...request: unknown[]) => unknown>)[name]!(...request);
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Methods<T, K>;
}
