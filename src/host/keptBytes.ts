import type { FileContent } from './diskContent';

/** Counts the bytes of files that are held in memory for Undo: there is an end to how many are. */
export class KeptBytes {
  private total = 0;

  /** @param max bytes of all files together. */
  constructor(private readonly max: number) {}

  /** The content to hold: with its bytes where there is room for them, else without. */
  take(content: FileContent): FileContent {
    const size = bytesOf(content);
    if (this.total + size > this.max) return withoutBytes(content);
    this.total += size;
    return content;
  }

  /** What `take` has given is held no longer. */
  release(content: FileContent): void {
    this.total -= bytesOf(content);
  }
}

/** What tells a content from others, but cannot be brought back byte by byte. */
export function withoutBytes(content: FileContent): FileContent {
  if (content.kind === 'absent') return content;
  return content.kind === 'text' ? { kind: 'text', text: content.text } : { kind: 'binary', digest: content.digest };
}

function bytesOf(content: FileContent): number {
  return content.kind === 'absent' ? 0 : (content.original?.bytes.length ?? 0);
}
