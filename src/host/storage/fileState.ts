import type * as vscode from 'vscode';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, parsedJson } from '../../base/json';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, Coalescer } from '../../base/scheduler';
import { replaceFileSync } from './replaceFile';
import type { StorageTrouble } from './storageTrouble';

export interface FileStateOptions {
  /** Absolute; its folder is created when first needed. */
  readonly file: string;
  /** Its content, in words for the user. */
  readonly what: 'state' | 'answers';
  readonly clock: Clock;
  readonly log: Logger;
  readonly trouble: Pick<StorageTrouble, 'failed' | 'ended'>;
}

/** How long a change may only be in memory. */
const writeAfterMs = 200;

/**
 * A small JSON file with the interface of VS Code's own workspace state. That one is written by the window every few
 * seconds, in a browser less often, and a draft lost in a crash was the user's work. It is written to a second file
 * that then replaces the first, so that there is always a complete one.
 */
export class FileState extends Disposable implements vscode.Memento {
  readonly #values: Map<string, unknown>;
  /** Keys changed here since the last write: another window of the same folder may have changed others. */
  readonly #dirty = new Set<string>();
  readonly #coalescer: Coalescer;

  constructor(private readonly options: FileStateOptions) {
    super();
    this.#values = new Map(Object.entries(this.#read() ?? {}));
    this.#coalescer = this.register(new Coalescer(options.clock, writeAfterMs, () => this.#write()));
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

  /** Writes pending changes now. */
  flush(): void {
    this.#coalescer.flushNow();
  }

  override dispose(): void {
    this.flush();
    super.dispose();
  }

  /** @returns undefined if there is no file, or it cannot be read now */
  #read(): Readonly<Record<string, unknown>> | undefined {
    const { file, log } = this.options;
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.error(`${file} could not be read: ${String(error)}`);
      return undefined;
    }
    const value = parsedJson(text);
    if (isObject(value)) return value;
    // Keep a copy before the damaged file is replaced.
    log.error(`${file} is damaged; a copy of it is kept beside it`);
    try {
      copyFileSync(file, `${file}.damaged`);
    } catch (error) {
      log.error(`${file} could not be copied: ${String(error)}`);
    }
    return undefined;
  }

  #write(): void {
    const { file, log, what, trouble } = this.options;
    if (this.#dirty.size === 0) return trouble.ended({ what });
    try {
      const merged = new Map(Object.entries(this.#read() ?? Object.fromEntries(this.#values)));
      for (const key of this.#dirty) {
        if (this.#values.has(key)) merged.set(key, this.#values.get(key));
        else merged.delete(key);
      }
      replaceFileSync(file, JSON.stringify(Object.fromEntries(merged)));
      this.#dirty.clear();
      trouble.ended({ what });
    } catch (error) {
      log.error(`${file} could not be written: ${String(error)}`);
      trouble.failed({ what }, error, path.dirname(file), () => this.#write());
    }
  }
}
