import { type Content, storedIn } from '../../../changes/content';
import { Renames } from '../../../changes/movedFiles';
import type { WholeChange } from '../../../changes/wholeChange';
import type { ContentStore } from '../../storage/contentStore';
import { Originals, type Saving } from './originals';
import { type ContentInHand, textIn } from '../../storage/contentInHand';

/** The limit for all pending changes together, in bytes. */
const MAX_PENDING = 500 * 1024 * 1024;

/** Data of the review besides lines: contents of files as a whole, exact bytes of texts, and moves. */
export class ReviewContents {
  readonly renames = new Renames();
  readonly originals: Originals;

  constructor(
    readonly contents: ContentStore,
    saving: Saving,
    private readonly maxPending = MAX_PENDING,
  ) {
    this.originals = new Originals(contents, saving);
  }

  /**
   * Stores the content of a file before a change.
   * @param pending all pending changes of files as a whole
   * @returns the stored content; without its bytes if the limit is reached
   */
  store(content: ContentInHand, pending: Iterable<WholeChange>): Content {
    const sizes = new Map([...pending].flatMap(({ before }) => storedIn(before)).map(({ name, size }) => [name, size]));
    const total = [...sizes.values()].reduce((sum, size) => sum + size, storedSize(content));
    return total > this.maxPending ? described(content) : this.contents.store(content);
  }

  /** The user renamed a file or a folder. */
  moved(from: string, to: string): void {
    for (const part of [this.renames, this.originals]) part.moved(from, to);
  }

  /** Prevents removal of the bytes that undo a change until the result is called. */
  hold({ before }: WholeChange): () => void {
    const [stored] = storedIn(before);
    return stored ? this.contents.hold(stored) : () => undefined;
  }
}

/** The bytes that a content takes in the content store, about. */
export function storedSize(content: ContentInHand): number {
  if (content.kind === 'absent') return 0;
  return content.stored?.size ?? content.bytes?.length ?? textIn(content)?.length ?? 0;
}

/** A content without its text and bytes. */
export function described(content: ContentInHand): Content {
  if (content.kind === 'absent') return content;
  const { kind, digest, mode, form } = content;
  return { kind, digest, mode, ...(form ? { form } : {}) };
}
