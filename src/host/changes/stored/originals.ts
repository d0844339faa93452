import { type Content, type FilledContent, shortDigest } from '../../../changes/content';
import { isUnder, movedPath } from '../../../changes/movedFiles';
import type { OriginalBytes } from '../../files/replaceContent';
import type { ContentStore } from '../../storage/contentStore';
import { contentOfText } from '../../storage/contentInHand';

/** The limit for all files together, in bytes. The oldest are removed first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The exact bytes of a file, with its permission bits if they are known. */
interface OriginalFile {
  readonly bytes: Buffer;
  readonly mode: number | undefined;
}

/** Saves the review: a moment later, or at once. */
export interface Saving {
  schedule(): void;
  save(): Promise<void>;
}

/**
 * The exact bytes of text files that cannot be made again from the text and the present file: the file is deleted, its
 * line ends are mixed, or its encoding changed. So Undo and Restore are exact, even after a restart.
 */
export class Originals implements OriginalBytes {
  /** By path and digest of the text, the oldest first. */
  #files = new Map<string, { readonly path: string; readonly content: FilledContent }>();
  #total = 0;
  #deriving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly contents: ContentStore,
    private readonly saving: Saving,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** All known originals, to be saved for the next window. */
  get saved(): readonly (readonly [path: string, content: FilledContent])[] {
    return [...this.#files.values()].map(({ path, content }) => [path, content]);
  }

  /** Takes over the originals that an earlier window saved. Originals added since are newer. */
  restore(saved: readonly (readonly [path: string, content: Content])[]): void {
    this.#replaceAll([...saved, ...this.saved]);
  }

  /** The user renamed a file or a folder. */
  moved(from: string, to: string): void {
    const { saved } = this;
    const moved = saved.filter(([path]) => isUnder(path, from));
    if (moved.length === 0) return;
    // Moved files are set last, because they replace files that had their new name.
    this.#replaceAll([
      ...saved.filter(([path]) => !isUnder(path, from)),
      ...moved.map(([path, content]) => [movedPath(path, from, to), content] as const),
    ]);
    this.saving.schedule();
  }

  #replaceAll(originals: readonly (readonly [path: string, content: Content])[]): void {
    this.#files.clear();
    this.#total = 0;
    for (const [path, content] of originals) if (content.kind !== 'absent') this.#set(path, content);
  }

  /** A file with `text` in these bytes is about to be changed, or was. */
  store(path: string, text: string, { bytes, mode }: OriginalFile): void {
    const known = mode ?? this.#contentOf(path, text)?.mode;
    const { digest } = contentOfText(text);
    this.#set(path, {
      kind: 'text',
      digest,
      stored: this.contents.put(bytes),
      ...(known === undefined ? {} : { mode: known }),
    });
    this.saving.schedule();
  }

  /** The same; resolves when it is on disk. */
  async storeNow(path: string, text: string, original: OriginalFile): Promise<void> {
    this.store(path, text, original);
    await this.saving.save();
  }

  /** Stores earlier texts of a file, encoded like its present bytes. A known original stays. */
  storeOlder(
    path: string,
    texts: Iterable<string>,
    mode: number | undefined,
    bytesOf: (text: string) => Promise<Buffer>,
  ): void {
    const derive = async (text: string) => {
      const known = this.#contentOf(path, text);
      if (!known) this.store(path, text, { bytes: await bytesOf(text), mode });
      else if (mode !== undefined) this.#set(path, { ...known, mode });
    };
    // A text that cannot be encoded like this was never stored in such bytes.
    for (const text of texts) this.#deriving = this.#deriving.then(() => derive(text)).catch(() => undefined);
  }

  /** The exact bytes of a file with this text, if they are known. */
  async get(path: string, text: string): Promise<OriginalFile | undefined> {
    await this.#deriving;
    const content = this.#contentOf(path, text);
    const bytes = content?.stored && (await this.contents.read(content.stored).catch(() => undefined));
    return bytes && { bytes, mode: content.mode };
  }

  #contentOf(path: string, text: string): FilledContent | undefined {
    return this.#files.get(keyOf(path, contentOfText(text)))?.content;
  }

  #set(path: string, content: FilledContent): void {
    const key = keyOf(path, content);
    this.#remove(key);
    this.#files.set(key, { path, content });
    this.#total += content.stored?.size ?? 0;
    for (const oldest of this.#files.keys()) {
      if (this.#total <= this.maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#total -= this.#files.get(key)?.content.stored?.size ?? 0;
    this.#files.delete(key);
  }
}

/** Earlier builds saved only a part of the digest, so the key uses that part. */
function keyOf(path: string, content: Content): string {
  return `${shortDigest(content)} ${path}`;
}
