/** Sequences with an effect beyond their position: modes, the scroll region, character sets, a reset. */
const lasting = /\x1b(?:\[\?[\d;]+[hl]|\[[\d;]*r|\[!p|[()][0AB]|c)/g;

/** Characters of the last such sequences that are kept: a terminal gets them in place of megabytes. */
const MAX_LASTING = 1_024;

/**
 * Raw terminal output that is not shown yet, up to a limit: in a flood, the rest would be scrolled away before anyone
 * sees it. Lasting effects of the dropped output, such as an editor's screen, are passed on.
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

  /** Takes all of it. After dropped output, it begins at the start of a line, without earlier colours. */
  take(): string {
    const all = this.#pieces.join('');
    const skipped = this.#skipped;
    const lead = this.#lasting;
    this.clear();
    if (!skipped) return all;
    // A scroll region moves the cursor home.
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
