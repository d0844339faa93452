import type { OriginalFile } from '../review/carryOut';
import type { DeletedFiles } from './deletedFiles';

/** Bytes of all files together. */
const MAX_MEMORY = 64 * 1024 * 1024;

/** Files byte by byte as they were before an agent, so that what Undo brings back keeps encoding, line ends and permissions. */
export class OriginalFiles {
  private readonly files = new Map<string, OriginalFile & { readonly text: string }>();
  private total = 0;

  /** The oldest go when there are too many. */
  keep(path: string, text: string, original: OriginalFile): void {
    this.total += original.bytes.length - (this.files.get(path)?.bytes.length ?? 0);
    this.files.delete(path);
    this.files.set(path, { ...original, text });
    for (const [oldest, { bytes }] of this.files) {
      if (this.total <= MAX_MEMORY) break;
      this.files.delete(oldest);
      this.total -= bytes.length;
    }
  }

  /** A file is gone: what it held before its first change goes where it outlives the window. */
  gone(path: string, kept: Pick<DeletedFiles, 'keep'>): void {
    const file = this.files.get(path);
    if (file) kept.keep(path, file.text, file);
  }

  /** The file that held this text, where it is known. */
  get(path: string, text: string): OriginalFile | undefined {
    const kept = this.files.get(path);
    return kept?.text === text ? kept : undefined;
  }
}
