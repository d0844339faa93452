/**
 * The lines of an object that an agent writes one value a line. They are a brace, indented lines and a brace, so that
 * no other line can be one of them.
 */
export class SpreadMessage {
  readonly #lines: string[] = [];
  #length = 0;

  /** @param limit characters */
  constructor(private readonly limit: number) {}

  /** @returns whether the line is a part of such an object; `ended` with the last one */
  take(line: string): 'begun' | 'goesOn' | 'ended' | undefined {
    const isOpen = this.#lines.length > 0;
    const state = !isOpen
      ? line.trimEnd() === '{'
        ? 'begun'
        : undefined
      : line.trimEnd() === '}'
        ? 'ended'
        : /^[ \t]/.test(line) && this.#length < this.limit
          ? 'goesOn'
          : undefined;
    if (state !== undefined) {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    return state;
  }

  /** What was taken, in one line. It is empty afterwards. */
  clear(): string {
    this.#length = 0;
    return this.#lines.splice(0).join(' ');
  }
}
