import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, Coalescer } from '../../base/scheduler';
import { type StoreFiles, storeFiles } from './storeFiles';
import { notKept } from '../platform/notKeptError';

/** How long a change may be only in memory. */
const SAVE_MS = 500;

export interface WriteBehindOptions {
  /** Absolute; made when first needed. */
  readonly folder: string;
  /** What is kept there, for the log ("review"). */
  readonly what: string;
  /** Writes what shall be kept now. */
  readonly write: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly files?: StoreFiles | undefined;
}

/**
 * The files of a store that are written some time after its values have changed, one save after the other. Each is
 * replaced in one step: whoever reads it finds the text before or the text after.
 */
export class WriteBehind extends Disposable {
  private readonly soon: Coalescer;
  private readonly files: StoreFiles;
  /** The last save. */
  private saved: Promise<void> = Promise.resolve();
  private hasFailed = false;
  /** Until what was kept has been taken over, saving would lose it. */
  private isOpen = false;
  private hasEnded = false;
  /** What the end of the window has written, by name. */
  private readonly last = new Map<string, string>();

  constructor(private readonly options: WriteBehindOptions) {
    super();
    this.files = options.files ?? storeFiles;
    this.soon = this.register(new Coalescer(options.clock, SAVE_MS, () => void this.save().catch(() => undefined)));
  }

  /** The window has ended: what was begun must not go over what was saved last. */
  get isClosed(): boolean {
    return this.hasEnded;
  }

  /** What was kept has been taken over: from now on there is something to save. */
  open(): void {
    this.isOpen = true;
    this.schedule();
  }

  /** Something has changed; saves a moment later. */
  schedule(): void {
    if (this.isOpen) this.soon.schedule();
  }

  /** Saves now, after what is being saved. @throws NotKeptError, which is logged too; the next save may succeed. */
  save(): Promise<void> {
    const { folder, what, log, write } = this.options;
    this.saved = this.saved.catch(() => undefined).then(write).then(
      () => void (this.hasFailed = false),
      (error: unknown) => {
        this.hasFailed = true;
        log.warn(`The ${what} could not be saved: ${String(error)}`);
        throw notKept(folder, error);
      },
    );
    return this.saved;
  }

  /** Resolves when what is known now is on disk. @throws NotKeptError where it cannot be written. */
  settled(): Promise<void> {
    const last = this.saved;
    this.soon.flushNow();
    return this.hasFailed && this.saved === last ? this.save() : this.saved;
  }

  /** @returns false where it is too late for that, because the window has ended meanwhile. */
  async replace(name: string, text: string): Promise<boolean> {
    const fresh = this.fileOf(`${name}.new`);
    await this.files.write(fresh, text);
    if (this.hasEnded) return false;
    await this.files.rename(fresh, this.fileOf(name));
    // The window has ended while the system was at it: what was written then is newer.
    const last = this.last.get(name);
    if (last !== undefined) this.replaceSync(name, last);
    return !this.hasEnded;
  }

  /** For the end of the window, which waits for nothing. @param write does without awaiting what the option of that name does. */
  flushSync(write: () => void): void {
    if (!this.isOpen) return;
    this.hasEnded = true;
    const { folder, what, log } = this.options;
    try {
      mkdirSync(folder, { recursive: true });
      write();
    } catch (error) {
      log.warn(`The ${what} could not be saved: ${String(error)}`);
    }
  }

  /** Under another name than `replace`, which may be writing the same file. */
  replaceSync(name: string, text: string): void {
    const fresh = this.fileOf(`${name}.last`);
    this.last.set(name, text);
    writeFileSync(fresh, text);
    renameSync(fresh, this.fileOf(name));
  }

  /** A JSON value that was kept; undefined where there is none, or none that can be read. */
  async readJson(name: string): Promise<unknown> {
    const { what, log } = this.options;
    try {
      return JSON.parse(await this.files.read(this.fileOf(name)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn(`The saved ${what} could not be read: ${String(error)}`);
      return undefined;
    }
  }

  fileOf(name: string): string {
    return nodePath.join(this.options.folder, name);
  }
}
