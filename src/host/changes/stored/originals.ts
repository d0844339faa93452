import { type Content, type FilledContent, shortDigest } from '../../../changes/content';
import type { OriginalBytes } from '../../files/replaceContent';
import type { ContentStore } from '../../storage/contentStore';
import { contentOfText } from '../../storage/contentInHand';

/** Bytes of all files together. The oldest go first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file byte by byte, with its permission bits where they are known. */
interface OriginalFile {
  readonly bytes: Buffer;
  readonly mode: number | undefined;
}

/** Saves what is known: a moment later, or at once. */
export interface Saving {
  schedule(): void;
  save(): Promise<void>;
}

/**
 * The bytes of text files whose text and present file do not give them: they are deleted, their lines end in different
 * ways, or they got another encoding. So what Undo and Restore bring back is exact, after a restart too.
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

  /** All that are known, to be saved for the next window. */
  get saved(): readonly (readonly [path: string, content: FilledContent])[] {
    return [...this.#files.values()].map(({ path, content }) => [path, content]);
  }

  /** Takes over what an earlier window saved. What came since is newer. */
  restore(saved: readonly (readonly [path: string, content: Content])[]): void {
    const since = this.saved;
    this.#files.clear();
    this.#total = 0;
    for (const [path, content] of [...saved, ...since]) if (content.kind !== 'absent') this.#set(path, content);
  }

  /** A file that contains `text` in these bytes is about to be changed, or was. */
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

  /** The same, and resolves when it is on disk. */
  async storeNow(path: string, text: string, original: OriginalFile): Promise<void> {
    this.store(path, text, original);
    await this.saving.save();
  }

  /** Texts that a file contained before, in bytes like those that it has still. One that is known already stays. */
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
    // A text that cannot be written like that never was in such bytes.
    for (const text of texts) this.#deriving = this.#deriving.then(() => derive(text)).catch(() => undefined);
  }

  /** The file that contained this text, if it is known. */
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

/** Earlier builds saved a part of the digest. */
function keyOf(path: string, content: Content): string {
  return `${shortDigest(content)} ${path}`;
}
