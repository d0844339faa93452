import { stat } from 'node:fs/promises';
import type { Logger } from '../../../base/log';
import { OneByOne } from '../../../base/oneByOne';
import type { Content, Stored } from '../../../changes/content';
import { type ContentStore, MAX_STORED_BYTES } from '../../storage/contentStore';

/** The limit for all copies together, in bytes. */
const MAX_TOTAL = 256 * 1024 * 1024;

/**
 * Copies of files that are too large for memory, from before an agent changes them. An unchanged file is copied once,
 * for any number of turns. If the limit is reached, copies that the running turns did not ask for are dropped.
 */
export class LargeFiles {
  /** By digest. */
  readonly #copies = new Map<string, Stored>();
  /** Digests that the running turns asked for. */
  readonly #asked = new Set<string>();
  readonly #inOrder = new OneByOne();
  #total = 0;

  constructor(
    private readonly contents: ContentStore,
    private readonly log: Logger,
    private readonly maxTotal = MAX_TOTAL,
  ) {
    contents.addOwner(() => this.#copies.values());
  }

  /** A turn begins while no other runs, so copies of earlier turns may be dropped. */
  begin(): void {
    this.#asked.clear();
  }

  /** @returns undefined if the file is too large, or no longer has the given content */
  take(path: string, content: Exclude<Content, { readonly kind: 'absent' }>): Promise<Stored | undefined> {
    return this.#inOrder
      .run('', () => this.#copy(path, content.digest))
      .catch((error: unknown) => void this.log.info(`${path} could not be copied: ${String(error)}`));
  }

  async #copy(path: string, digest: string): Promise<Stored | undefined> {
    this.#asked.add(digest);
    const known = this.#copies.get(digest);
    if (known) return known;
    // Before it is copied: a copy that is not wanted takes room until the next sweep.
    const { size } = await stat(path);
    if (size > MAX_STORED_BYTES || !this.#makeRoom(size)) return undefined;
    const stored = await this.contents.take(path);
    if (stored?.name !== digest) return undefined;
    this.#copies.set(digest, stored);
    this.#total += stored.size;
    return stored;
  }

  #makeRoom(size: number): boolean {
    for (const [digest, copy] of this.#copies) {
      if (this.#total + size <= this.maxTotal || this.#asked.has(digest)) continue;
      this.#copies.delete(digest);
      this.#total -= copy.size;
    }
    return this.#total + size <= this.maxTotal;
  }
}
