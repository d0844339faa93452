/** What holds beyond the text it stands in: modes, the scroll region, character sets, a reset. */
const lasting = /\x1b(?:\[\?[\d;]+[hl]|\[[\d;]*r|\[!p|[()][0AB]|c)/g;

/** Of these no more than the last ones are kept: they are told to a terminal in the place of megabytes. Characters. */
const MAX_LASTING = 1_024;

/**
 * Raw terminal output that waits to be shown. More than the limit is not kept: in a flood it would be scrolled away
 * before anyone has seen it. What it changed for good, such as the screen of an editor, is passed on.
 */
export class Backlog {
  #pieces: string[] = [];
  #held = 0;
  #skipped = false;
  #lasting = '';

  /** @param limit characters */
  constructor(private readonly limit: number) {}

  get isEmpty(): boolean {
    return this.#held === 0;
  }

  push(data: string): void {
    if (data === '') return;
    this.#pieces.push(data);
    this.#held += data.length;
    while (this.#pieces.length > 1 && this.#held - this.#pieces[0]!.length >= this.limit) {
      const gone = this.#pieces.shift()!;
      this.#held -= gone.length;
      this.#skipped = true;
      if (gone.includes('\x1b'))
        this.#lasting = (this.#lasting + (gone.match(lasting)?.join('') ?? '')).slice(-MAX_LASTING);
    }
  }

  /** All that waits. After something was left out it begins at a line, with no colour of what came before. */
  take(): string {
    const all = this.#pieces.join('');
    const skipped = this.#skipped;
    const lead = this.#lasting;
    this.clear();
    if (!skipped) return all;
    // A scroll region sends the cursor home.
    const modes = lead === '' ? '' : `${lead.slice(Math.max(0, lead.indexOf('\x1b')))}\x1b[999;1H`;
    return `\x1b[0m${modes}\r\n${all.slice(all.indexOf('\n') + 1)}`;
  }

  clear(): void {
    this.#pieces = [];
    this.#held = 0;
    this.#skipped = false;
    this.#lasting = '';
  }
}
