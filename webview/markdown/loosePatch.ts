/** Lines of a patch outside of its hunks. */
const HEADING = /^(?:diff --git |index [\da-f]|--- |\+\+\+ |@@ -|(?:old|new|deleted file|new file) mode |similarity index |dissimilarity index |rename |copy |Binary files |GIT binary patch|\\ No newline)/;

/** Follows a patch that stands in a text without a fence, line by line, to find where it ends. */
export class LoosePatch {
  /** Lines of both sides that the hunk still has. */
  #old = 0;
  #new = 0;
  #isOver = false;

  private constructor(private readonly hasEnd: boolean) {}

  /** @param line the first one, which `takes` takes too */
  static begun(line: string): LoosePatch | undefined {
    const hasEnd = line.trimEnd() === '*** Begin Patch';
    return hasEnd || /^diff --git "?[a-z]\//.test(line) ? new LoosePatch(hasEnd) : undefined;
  }

  /** Whether the next line is a part of it, whatever it is. */
  get takesAny(): boolean {
    return !this.#isOver && (this.hasEnd || this.#old > 0 || this.#new > 0);
  }

  /** Whether the next line is a part of it. */
  takes(line: string): boolean {
    if (this.#isOver) return false;
    if (this.hasEnd) {
      this.#isOver = line.trimEnd() === '*** End Patch';
      return true;
    }
    if (this.takesAny) {
      if (line.startsWith('\\')) return true;
      if (!line.startsWith('+')) this.#old--;
      if (!line.startsWith('-')) this.#new--;
      return true;
    }
    const [, oldLines = '1', newLines = '1'] = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(line) ?? ['', '0', '0'];
    this.#old = Number(oldLines);
    this.#new = Number(newLines);
    this.#isOver = !HEADING.test(line);
    return !this.#isOver;
  }
}
