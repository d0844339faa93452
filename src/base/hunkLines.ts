const RANGES = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Follows the lines of the hunks of a unified diff, so that a removed `-- a` is not taken for a heading. */
export class HunkLines {
  #oldLeft = 0;
  #newLeft = 0;
  #old = 0;
  #new = 0;

  /** True if the next line belongs to the hunk, whatever it contains. */
  get isOpen(): boolean {
    return this.#oldLeft > 0 || this.#newLeft > 0;
  }

  /** The numbers of the next line in both files, from 1. */
  get next(): { readonly old: number; readonly new: number } {
    return { old: this.#old, new: this.#new };
  }

  /** Begins a hunk if a line is a hunk header. @returns whether it is */
  begin(line: string): boolean {
    const [range, oldStart, oldLines = '1', newStart, newLines = '1'] = RANGES.exec(line) ?? [];
    if (range === undefined) return false;
    this.#old = Number(oldStart);
    this.#oldLeft = Number(oldLines);
    this.#new = Number(newStart);
    this.#newLeft = Number(newLines);
    return true;
  }

  /** Takes a line of the open hunk. `\ No newline at end of file` counts for neither file. */
  take(line: string): void {
    if (line.startsWith('\\')) return;
    if (!line.startsWith('+')) {
      this.#old++;
      this.#oldLeft--;
    }
    if (!line.startsWith('-')) {
      this.#new++;
      this.#newLeft--;
    }
  }
}
