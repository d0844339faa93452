import type { Terminal } from '@xterm/headless';
import type { TerminalRow } from '../protocol/terminalView';
import { Backlog } from '../thread/backlog';
import type { terminalRow } from './terminalRow';

/** Rows kept above the screen. Older rows leave the card; the agent's text has its own limit. */
const SCROLLBACK = 500;
/** Longer output between two looks is not emulated: nobody could have seen it. Characters. */
const MAX_BACKLOG = 128 * 1024;

const STUCK_MS = 10_000;

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** True for output that did not pass a pseudo-terminal: a line feed then begins a new line at column 0. */
  readonly newlineReturns?: boolean;
}

/** Rows from number `start` (absolute) on; rows before `firstRow` are gone. Fits the patch `terminal/rows`. */
export interface RowsChange {
  readonly firstRow: number;
  readonly start: number;
  readonly rows: readonly TerminalRow[];
}

/**
 * A terminal's display with colours, from its raw output. Output is only buffered until someone looks: `update` passes
 * it to the emulator and returns the rows that may have changed. So a flood costs by the number of looks, not by its
 * length.
 */
export class Screen {
  #terminal: Terminal | undefined;
  #rowOf: typeof terminalRow | undefined;
  readonly #backlog = new Backlog(MAX_BACKLOG);
  #resized: { cols: number; rows: number } | undefined;
  #updating: Promise<RowsChange | undefined> | undefined;
  #markedLine = 0;
  #mark: ReturnType<Terminal['registerMarker']> | undefined;
  #disposed = false;
  /** Absolute number of the row at the top of the emulator's buffer. */
  #origin = 0;
  /** Absolute number of the first row that may still change. */
  #stableUntil = 0;
  #current: { firstRow: number; rows: readonly TerminalRow[] } = { firstRow: 0, rows: [] };

  constructor(private readonly options: ScreenOptions) {}

  /** The result of the last `update`. */
  get view(): { readonly firstRow: number; readonly rows: readonly TerminalRow[] } {
    return this.#current;
  }

  /** True while there is output that `view` does not include. */
  get isBehind(): boolean {
    return !this.#backlog.isEmpty || this.#resized !== undefined || this.#updating !== undefined;
  }

  /** Takes the next piece of raw output. Cheap; nothing is emulated here. */
  write(data: string): void {
    if (!this.#disposed) this.#backlog.push(data);
  }

  resize(cols: number, rows: number): void {
    if (this.#disposed) return;
    this.#resized = { cols, rows };
  }

  /** Emulates the new output. @returns the changed rows, or undefined if there are none. */
  async update(): Promise<RowsChange | undefined> {
    if (this.#updating) {
      await this.#updating;
      return this.update();
    }
    if (!this.isBehind || this.#disposed) return undefined;
    this.#updating = this.#run();
    try {
      return await this.#updating;
    } finally {
      this.#updating = undefined;
    }
  }

  /** Frees the emulator. The rows stay; later output is ignored. */
  dispose(): void {
    this.#disposed = true;
    this.#resized = undefined;
    this.#backlog.clear();
    this.#terminal?.dispose();
    this.#terminal = undefined;
  }

  async #run(): Promise<RowsChange | undefined> {
    const terminal = (this.#terminal ??= await this.#create());
    if (this.#disposed) {
      terminal.dispose();
      return undefined;
    }
    const all = this.#backlog.take();
    const flowsAnew = this.#resized !== undefined;
    if (this.#resized) {
      // Lines are wrapped to the new width: send all rows again from the same number on, since none of them is gone.
      terminal.resize(Math.max(2, this.#resized.cols), Math.max(2, this.#resized.rows));
      this.#resized = undefined;
      this.#mark?.dispose();
      this.#mark = undefined;
      this.#stableUntil = this.#origin;
    }
    const done = await emulated(terminal, all);
    if (this.#disposed) return undefined;
    if (!done) {
      // An emulator that failed within its input would fail on it for ever; a new one continues after it.
      terminal.dispose();
      this.#terminal = undefined;
      this.#forgetRows();
      return undefined;
    }
    return this.#collect(terminal, this.#stableUntil, flowsAnew);
  }

  async #create(): Promise<Terminal> {
    const { Terminal, terminalRow } = await import('./xterm');
    this.#rowOf = terminalRow;
    const terminal = new Terminal({
      cols: Math.max(2, this.options.cols),
      rows: Math.max(2, this.options.rows),
      scrollback: SCROLLBACK,
      convertEol: this.options.newlineReturns ?? false,
      allowProposedApi: true,
      logLevel: 'off',
    });
    // The emulator throws at `erase above` on the last row of a screen that has never scrolled, with the cursor at the
    // edge.
    terminal.parser.registerCsiHandler({ final: 'J' }, (params) => {
      const { active } = terminal.buffer;
      return params[0] === 1 && active.cursorX >= terminal.cols - 1 && active.cursorY + 1 >= active.length;
    });
    return terminal;
  }

  /** Gives all rows new numbers, after those that the receiver has. */
  #forgetRows(): void {
    this.#origin = this.#current.firstRow + this.#current.rows.length;
    this.#mark?.dispose();
    this.#mark = undefined;
    this.#stableUntil = this.#origin;
  }

  #collect(terminal: Terminal, from: number, flowsAnew: boolean): RowsChange {
    const { normal, active } = terminal.buffer;
    const full = normal.length >= SCROLLBACK + terminal.rows;
    let start = from;
    if (this.#mark && this.#mark.line >= 0) this.#origin += this.#markedLine - this.#mark.line;
    else if (this.#mark || (full && !flowsAnew)) {
      // The known row is gone: more was written than the emulator keeps, or the scrollback was cleared.
      this.#forgetRows();
      start = this.#origin;
    }
    const rows: TerminalRow[] = [];
    const scratch = normal.getNullCell();
    const top = Math.max(0, start - this.#origin);
    for (let y = top; y < normal.baseY; y++) rows.push(this.#rowOf!(normal.getLine(y), scratch));
    // On the alternate screen, a full-screen program replaces the normal display.
    for (let y = 0; y < terminal.rows; y++) rows.push(this.#rowOf!(active.getLine(active.baseY + y), scratch));
    // Blank rows at the end of the screen are not shown; above it they are part of the text.
    const above = Math.max(0, normal.baseY - top);
    while (rows.length > above && rows[rows.length - 1]!.length === 0) rows.pop();
    this.#setMark(terminal);
    this.#stableUntil = this.#origin + normal.baseY;
    const kept = this.#current.rows.slice(
      Math.max(0, this.#origin - this.#current.firstRow),
      Math.max(0, start - this.#current.firstRow),
    );
    this.#current = { firstRow: this.#origin, rows: [...kept, ...rows] };
    return { firstRow: this.#origin, start: Math.max(start, this.#origin), rows };
  }

  /** Marks the lowest row that has left the screen: erasing cannot touch it, and it moves up as older rows go. */
  #setMark(terminal: Terminal): void {
    const { normal, active } = terminal.buffer;
    // A marker can only be set while the normal screen shows; the older one stays valid meanwhile.
    if (active.type !== 'normal') {
      if (this.#mark) this.#markedLine = this.#mark.line;
      return;
    }
    this.#mark?.dispose();
    this.#mark = normal.baseY > 0 ? terminal.registerMarker(-1 - normal.cursorY) : undefined;
    this.#markedLine = normal.baseY - 1;
  }
}

/** Resolves false if the emulator does not finish: it failed, and reports that only to the event loop. */
function emulated(terminal: Terminal, data: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), STUCK_MS);
    terminal.write(data, () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
