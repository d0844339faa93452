const RANGES = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;

/** Counts the lines of a hunk of a unified diff, so that a removed `-- a` is not taken for a heading. */
export class HunkLines {
  #old = 0;
  #new = 0;

  /** Whether the next line is one of the hunk, whatever it is. */
  get isOpen(): boolean {
    return this.#old > 0 || this.#new > 0;
  }

  /** Begins a hunk if a line is the head of one. @returns whether it is */
  begin(line: string): boolean {
    const [range, oldLines = '1', newLines = '1'] = RANGES.exec(line) ?? [];
    if (range === undefined) return false;
    this.#old = Number(oldLines);
    this.#new = Number(newLines);
    return true;
  }

  /** Takes a line of the open hunk. */
  take(line: string): void {
    if (line.startsWith('\\')) return;
    if (!line.startsWith('+')) this.#old--;
    if (!line.startsWith('-')) this.#new--;
  }
}
