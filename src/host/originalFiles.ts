import type { OriginalFile } from './carryOut';

/** Bytes of all files together. */
const MAX_MEMORY = 64 * 1024 * 1024;

/** Files byte by byte as they were before an agent, so that what Undo brings back keeps encoding, line ends and permissions. */
export class OriginalFiles {
  private readonly files = new Map<string, OriginalFile & { readonly text: string }>();

  /** The oldest go when there are too many. */
  keep(path: string, text: string, original: OriginalFile): void {
    this.files.delete(path);
    this.files.set(path, { ...original, text });
    let total = 0;
    for (const { bytes } of this.files.values()) total += bytes.length;
    for (const [oldest, { bytes }] of this.files) {
      if (total <= MAX_MEMORY) break;
      this.files.delete(oldest);
      total -= bytes.length;
    }
  }

  /** The file that held this text, where it is known. */
  get(path: string, text: string): OriginalFile | undefined {
    const kept = this.files.get(path);
    return kept?.text === text ? kept : undefined;
  }
}
