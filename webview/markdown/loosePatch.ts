import { HunkLines } from '../../src/base/hunkLines';

/** Lines of a patch outside of its hunks. */
const HEADING =
  /^(?:diff --git |index [\da-f]|--- |\+\+\+ |(?:old|new|deleted file|new file) mode |similarity index |dissimilarity index |rename |copy |Binary files |GIT binary patch|\\ No newline)/;

/** Finds the end of a patch that has no code fence, line by line. */
export class LoosePatch {
  readonly #hunk = new HunkLines();
  #isOver = false;

  private constructor(private readonly hasEnd: boolean) {}

  /** @param line the first one, which `takes` also accepts */
  static begun(line: string): LoosePatch | undefined {
    const hasEnd = line.trimEnd() === '*** Begin Patch';
    return hasEnd || /^diff --git "?[a-z]\//.test(line) ? new LoosePatch(hasEnd) : undefined;
  }

  /** True if the next line belongs to it, whatever it contains. */
  get takesAny(): boolean {
    return !this.#isOver && (this.hasEnd || this.#hunk.isOpen);
  }

  /** True if the next line belongs to it. */
  takes(line: string): boolean {
    if (this.#isOver) return false;
    if (this.hasEnd) {
      this.#isOver = line.trimEnd() === '*** End Patch';
      return true;
    }
    if (this.#hunk.isOpen) this.#hunk.take(line);
    else if (!this.#hunk.begin(line)) this.#isOver = !HEADING.test(line);
    return !this.#isOver;
  }
}
