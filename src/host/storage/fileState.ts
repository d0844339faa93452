import type * as vscode from 'vscode';
import { asObject } from '../../acp/json';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, Coalescer } from '../../base/scheduler';
import { readJsonSync, replaceFileSync } from './replaceFile';

/** How long a change may be only in memory. */
const writeAfterMs = 200;

/**
 * A small JSON file with the interface of VS Code's own workspace state. That one is written by the window every few
 * seconds, in a browser less often, and a draft that is lost in a crash was the user's work. Written to a second
 * file which then takes the place of the first, so that there is always a whole one.
 */
export class FileState extends Disposable implements vscode.Memento {
  readonly #values: Map<string, unknown>;
  /** Keys changed here since the last write: another window of the same folder may have changed others. */
  readonly #dirty = new Set<string>();
  readonly #coalescer: Coalescer;

  /** @param file absolute; its folder is made when first needed. */
  constructor(
    private readonly file: string,
    clock: Clock,
    private readonly log: Logger,
  ) {
    super();
    this.#values = new Map(Object.entries(asObject(readJsonSync(file))));
    this.#coalescer = this.register(new Coalescer(clock, writeAfterMs, () => this.#write()));
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string): T | undefined;
  get<T>(key: string, defaultValue: T): T;
  get<T>(key: string, defaultValue?: T): T | undefined {
    return this.#values.has(key) ? (this.#values.get(key) as T) : defaultValue;
  }

  /** `undefined` removes. Resolves at once; the file follows within 200 ms, or with `flush`. */
  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    this.#dirty.add(key);
    this.#coalescer.schedule();
    return Promise.resolve();
  }

  /** Writes what waits, now. */
  flush(): void {
    this.#coalescer.flushNow();
  }

  override dispose(): void {
    this.flush();
    super.dispose();
  }

  #write(): void {
    try {
      const merged = new Map(Object.entries(asObject(readJsonSync(this.file))));
      for (const key of this.#dirty) {
        if (this.#values.has(key)) merged.set(key, this.#values.get(key));
        else merged.delete(key);
      }
      replaceFileSync(this.file, JSON.stringify(Object.fromEntries(merged)));
      this.#dirty.clear();
    } catch (error) {
      this.log.error(`${this.file} could not be written: ${String(error)}`);
    }
  }
}
