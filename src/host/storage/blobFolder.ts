import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Logger } from '../../base/log';
import { isContentName } from '../../changes/wholeChange';
import { eachEntry } from '../../node/eachEntry';
import { Batches } from './batches';
import { sha256 } from './contentName';
import type { StoreFiles } from './storeFiles';

const SUFFIX = '.json';
/** Characters of values that may share one file, if they arrive during another write. */
const MAX_TOGETHER = 1_000_000;
/** Files with many values that are kept in memory, because their values are read one after the other. */
const MAX_OPEN = 4;

/**
 * JSON values in files that are named by their content. Values that are put at the same time share one file: thousands
 * of small files take seconds. Nothing refers to a file that a crash cut off, and its values are written again when
 * needed, because only values that this run has written or read count as present.
 */
export class BlobFolder {
  /** Characters of files, by name. */
  readonly #there = new Map<string, number>();
  /** The file and index of each value that shares a file, or is being written, by the name of its own content. */
  readonly #names = new Map<string, Promise<string>>();
  readonly #open = new Map<string, Promise<unknown>>();
  readonly #batches = new Batches(
    (texts: readonly string[]) => this.#write(texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`),
    MAX_TOGETHER,
  );
  #chars = 0;
  #isMade = false;

  constructor(
    readonly folder: string,
    private readonly files: StoreFiles,
  ) {}

  /** Characters that are known to be stored. */
  get size(): number {
    return this.#chars;
  }

  /** Creates the folder if it is missing. */
  async make(): Promise<void> {
    if (!this.#isMade) await this.files.makeFolder(this.folder);
    this.#isMade = true;
  }

  /** @returns the name, once the value is on disk. */
  async put(value: unknown): Promise<string> {
    const text = JSON.stringify(value);
    const own = sha256(text);
    if (this.#there.has(own)) return own;
    let name = this.#names.get(own);
    if (!name) {
      this.#names.set(own, (name = this.#add(own, text)));
      name.catch(() => this.#names.delete(own));
    }
    return name;
  }

  /** Synchronous, for `deactivate()`: writes to a file that no pending write or removal touches. */
  putSync(value: unknown): string {
    const text = JSON.stringify([value, randomUUID()]);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.#fileOf(sha256(text)), text);
    return `${sha256(text)}:0`;
  }

  /** Whether the value of this name was written or read, and is not being removed. */
  has(name: string): boolean {
    return this.#there.has(partsOf(name)[0]);
  }

  /** @throws Error if it is missing or damaged. */
  async get(name: string): Promise<unknown> {
    const [file, index] = partsOf(name);
    if (index === undefined) return this.#valueIn(file);
    let values = this.#open.get(file);
    if (!values) {
      this.#open.set(file, (values = this.#valueIn(file)));
      values.catch(() => this.#open.delete(file));
      for (const oldest of this.#open.keys()) if (this.#open.size > MAX_OPEN) this.#open.delete(oldest);
    }
    const all = await values;
    if (!Array.isArray(all) || all.length <= index) throw new Error(l10n.t('its stored copy is damaged'));
    return all[index] as unknown;
  }

  /** Removes all files but those with these values. */
  async sweep(kept: ReadonlySet<string>, log: Logger): Promise<void> {
    const wanted = new Set(Array.from(kept, (name) => partsOf(name)[0]));
    const files = await this.files
      .list(this.folder)
      .catch((error: unknown) => (log.warn(`Stored values could not be listed: ${String(error)}`), []));
    const gone = files
      .flatMap((file) => (file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : []))
      .filter((name) => isContentName(name) && !wanted.has(name));
    // At once: a value that is being removed no longer counts as present.
    for (const name of gone) {
      this.#chars -= this.#there.get(name) ?? 0;
      this.#there.delete(name);
    }
    this.#names.clear();
    await eachEntry(
      Promise.resolve(gone),
      (reason) => log.warn(`A stored value could not be removed: ${reason}`),
      (name) => this.files.remove(this.#fileOf(name)),
    );
  }

  async #add(own: string, text: string): Promise<string> {
    const { index, done } = this.#batches.add(text, text.length);
    const file = await done;
    return file === own ? own : `${file}:${index}`;
  }

  /** @returns the name of the file. */
  async #write(text: string): Promise<string> {
    const name = sha256(text);
    await this.make();
    await this.files.write(this.#fileOf(name), text);
    this.#note(name, text);
    return name;
  }

  async #valueIn(name: string): Promise<unknown> {
    const text = await this.files.read(this.#fileOf(name));
    if (sha256(text) !== name) throw new Error(l10n.t('its stored copy is damaged'));
    this.#note(name, text);
    return JSON.parse(text) as unknown;
  }

  #note(name: string, text: string): void {
    this.#chars += text.length - (this.#there.get(name) ?? 0);
    this.#there.set(name, text.length);
  }

  #fileOf(name: string): string {
    return nodePath.join(this.folder, name + SUFFIX);
  }
}

/** The file of a value, and its place among those that are in it. */
function partsOf(name: string): [file: string, index?: number] {
  const [file = '', index] = name.split(':');
  return index === undefined ? [file] : [file, Number(index)];
}
