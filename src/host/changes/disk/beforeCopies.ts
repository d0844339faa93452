import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { IDisposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import { ByteFolder, MAX_KEPT_BYTES } from '../../storage/byteFolder';
import type { CopiedFile, FileContent } from './diskContent';

/** Bytes of all copies together. */
const MAX_TOTAL = 256 * 1024 * 1024;

/**
 * Copies of files that are too large to be held in memory, as they are before an agent changes them. A file that stays
 * as it is is copied once, for however many turns; when there are too many, those that this turn has not asked for go.
 */
export class BeforeCopies implements IDisposable {
  /** By digest. */
  readonly #copies = new Map<string, CopiedFile>();
  /** Those that the turns that run want. */
  readonly #wanted = new Set<string>();
  readonly #bytes: ByteFolder;
  #total = 0;
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * @param folder absolute, of its own: what an earlier run has left in it goes.
   * @param left digests of copies that are wanted still
   */
  constructor(
    folder: string,
    private readonly log: Logger,
    private readonly maxTotal = MAX_TOTAL,
    left: ReadonlySet<string> = new Set(),
  ) {
    this.#bytes = new ByteFolder(folder, log);
    this.#queue = this.#bytes.sweep((name) => left.has(name)).catch(() => undefined);
  }

  /** What an earlier run has copied; undefined where it is not there. */
  async copyLeft(digest: string, size: number): Promise<CopiedFile | undefined> {
    const file = nodePath.join(this.#bytes.folder, digest);
    return (await stat(file).then(
      (found) => found.size === size,
      () => false,
    ))
      ? { file, size }
      : undefined;
  }

  /** A turn begins in which no other runs: copies of earlier ones may go. */
  begin(): void {
    this.#wanted.clear();
  }

  /**
   * Copies a binary file, unless there is a copy, one file after the other.
   * @returns undefined where it is too large, or is not any more what `content` says.
   */
  async take(path: string, { digest }: Extract<FileContent, { kind: 'binary' }>): Promise<CopiedFile | undefined> {
    const taken = this.#queue
      .then(() => this.#copy(path, digest))
      .catch((error: unknown) => void this.log.info(`${path} could not be copied: ${String(error)}`));
    this.#queue = taken;
    return taken;
  }

  /** Removes all copies. */
  dispose(): void {
    rmSync(this.#bytes.folder, { recursive: true, force: true });
  }

  async #copy(path: string, digest: string): Promise<CopiedFile | undefined> {
    this.#wanted.add(digest);
    const known = this.#copies.get(digest);
    if (known) return known;
    const { size } = await stat(path);
    if (size > MAX_KEPT_BYTES || !this.#makeRoom(size)) return undefined;
    const kept = await this.#bytes.take(path, MAX_KEPT_BYTES);
    if (kept?.name !== digest) return undefined;
    const copy = { file: nodePath.join(this.#bytes.folder, digest), size: kept.size };
    this.#copies.set(digest, copy);
    this.#total += copy.size;
    return copy;
  }

  #makeRoom(size: number): boolean {
    for (const [digest, copy] of this.#copies) {
      if (this.#total + size <= this.maxTotal || this.#wanted.has(digest)) continue;
      this.#copies.delete(digest);
      this.#total -= copy.size;
      this.#bytes.drop({ name: digest, size: copy.size });
    }
    return this.#total + size <= this.maxTotal;
  }
}
