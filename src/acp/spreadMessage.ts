/**
 * Collects a JSON object that an agent prints with one value per line: a brace, indented lines, a brace. No other line
 * can be mistaken for one of them.
 */
export class SpreadMessage {
  readonly #lines: string[] = [];
  #length = 0;

  /** @param limit characters */
  constructor(private readonly limit: number) {}

  /** @returns the line's position in such an object; undefined if it is not part of one */
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

  /** Returns the collected object on one line and forgets it. */
  clear(): string {
    this.#length = 0;
    return this.#lines.splice(0).join(' ');
  }
}
