import type { KeptBytes, OriginalRecord } from '../../changes/wholeChange';
import type { ByteFolder } from '../storage/byteFolder';
import { digest } from '../storage/contentName';

/** Bytes of all files together; the oldest go first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file byte by byte, with its permission bits where they are known. */
export interface OriginalFile {
  readonly bytes: Buffer;
  readonly mode: number | undefined;
}

/** Saves what is kept: a moment later, or at once. */
export interface Saving {
  schedule(): void;
  save(): Promise<void>;
}

/**
 * The bytes of text files where text and present file do not give them back: they are deleted, their lines end
 * in different ways, or they got another encoding. So what Undo and Restore bring back is exact, after a restart too.
 */
export class Originals {
  /** By path and digest of the text, the oldest first. */
  #files = new Map<string, { readonly path: string; readonly record: OriginalRecord }>();
  #total = 0;
  #deriving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly bytes: ByteFolder,
    private readonly saving: Saving,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** All that are known, to be kept over a restart. */
  get saved(): readonly (readonly [path: string, record: OriginalRecord])[] {
    return [...this.#files.values()].map(({ path, record }) => [path, record]);
  }

  /** Takes over what was kept; what came since is newer. */
  restore(saved: readonly (readonly [path: string, record: OriginalRecord])[]): void {
    const since = this.saved;
    this.#files.clear();
    this.#total = 0;
    for (const [path, record] of [...saved, ...since]) this.#set(path, record);
  }

  /** A file that holds `text` in these bytes is about to be changed, or was. */
  keep(path: string, text: string, { bytes, mode }: OriginalFile): void {
    const kept: KeptBytes = this.bytes.put(bytes);
    const known = mode ?? this.#recordOf(path, text)?.mode;
    this.#set(path, { digest: digest(text)!, kept, ...(known === undefined ? {} : { mode: known }) });
    this.saving.schedule();
  }

  /** The same, and resolves when it is on disk. */
  async keepNow(path: string, text: string, original: OriginalFile): Promise<void> {
    this.keep(path, text, original);
    await this.saving.save();
  }

  /** Texts that a file held before, in bytes like those that it has still. What is known of one already stays. */
  keepOlder(
    path: string,
    texts: Iterable<string>,
    mode: number | undefined,
    bytesOf: (text: string) => Promise<Buffer>,
  ): void {
    const derive = async (text: string) => {
      const known = this.#recordOf(path, text);
      if (!known) this.keep(path, text, { bytes: await bytesOf(text), mode });
      else if (mode !== undefined) this.#set(path, { ...known, mode });
    };
    // A text that cannot be written like that never was in such bytes.
    for (const text of texts) this.#deriving = this.#deriving.then(() => derive(text)).catch(() => undefined);
  }

  /** The file that held this text, where it is kept. */
  async get(path: string, text: string): Promise<OriginalFile | undefined> {
    await this.#deriving;
    const file = this.#recordOf(path, text);
    const bytes = file && (await this.bytes.read(file.kept).catch(() => undefined));
    return bytes && { bytes, mode: file.mode };
  }

  #recordOf(path: string, text: string): OriginalRecord | undefined {
    return this.#files.get(keyOf(path, digest(text)!))?.record;
  }

  #set(path: string, record: OriginalRecord): void {
    const key = keyOf(path, record.digest);
    this.#remove(key);
    this.#files.set(key, { path, record });
    this.#total += record.kept.size;
    for (const oldest of this.#files.keys()) {
      if (this.#total <= this.maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#total -= this.#files.get(key)?.record.kept.size ?? 0;
    this.#files.delete(key);
  }
}

function keyOf(path: string, digest: string): string {
  return `${digest} ${path}`;
}
