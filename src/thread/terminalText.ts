import { EscapeParser } from './escapeParser';
import { TextScreen, type TextScreenOptions } from './textScreen';

/** From this many characters on, testing for plain lines pays off. */
const FLOOD = 8 * 1024;

/**
 * Reduces terminal output to the plain text that a terminal would show at the end: progress bars that rewrite a line
 * collapse, colours and titles vanish, wrapped lines are joined. Unlike an emulator's screen it keeps tabs (an agent
 * copies text from `cat` into an edit) and has no scrollback: a row that leaves the screen upwards never changes again,
 * so it goes to `commit`. Memory is one screen.
 */
export class TerminalText {
  readonly #screen: TextScreen;
  readonly #newlineReturns: boolean;
  readonly #parser: EscapeParser;

  /** @param commit gets the final text piece by piece; `screenText` continues after it. */
  constructor(options: TextScreenOptions, commit: (text: string) => void) {
    const screen = (this.#screen = new TextScreen(options, commit));
    this.#newlineReturns = options.newlineReturns ?? false;
    this.#parser = new EscapeParser({
      print: (data, start, end, ascii) =>
        ascii ? screen.printPlain(data, start, end) : screen.print(data, start, end),
      control: (code) => this.#control(code),
      escape: (final) => this.#escape(final),
      csi: (prefix, params, final) => this.#csi(prefix, params, final),
    });
  }

  /** Takes the next piece of output; sequences and surrogate pairs may be split between pieces. */
  write(data: string): void {
    if (data.length >= FLOOD && this.#runThrough(data)) return;
    const middle = data.length < FLOOD ? 0 : data.indexOf('\n', data.length >> 1) + 1;
    if (middle === 0 || middle === data.length) return this.#parser.parse(data);
    this.write(data.slice(0, middle));
    this.write(data.slice(middle));
  }

  /**
   * Takes a large output of plain lines at once, without drawing the lines that leave the screen anyway. The first line
   * continues at the cursor, the last ones fill the screen.
   * @returns false if only a terminal can tell the text; nothing was done then.
   */
  #runThrough(data: string): boolean {
    const start = data.indexOf('\n') + 1;
    let end = data.length;
    for (let lines = 0; lines <= this.#screen.height && end > 0; lines++) end = data.lastIndexOf('\n', end - 2) + 1;
    if (start === 0 || end - start < FLOOD / 2) return false;
    const text = plainLines(data.slice(start, end), this.#newlineReturns);
    if (text === undefined) return false;
    this.#parser.parse(data.slice(0, start));
    const isAtEnd = this.#screen.isAtEnd && this.#parser.isWhole;
    if (isAtEnd) this.#screen.leaveAtOnce(text);
    this.#parser.parse(data.slice(isAtEnd ? end : start));
    return true;
  }

  /** The text on the screen, below all committed text. Ends with a line end if the cursor is on a new line. */
  screenText(): string {
    return this.#screen.text();
  }

  /** Existing lines are not wrapped again. */
  resize(cols: number, rows: number): void {
    this.#screen.resize(cols, rows);
  }

  #control(code: number): void {
    const screen = this.#screen;
    switch (code) {
      case 0x08:
        return screen.backspace();
      case 0x09:
        return screen.tab();
      case 0x0a:
      case 0x0b:
      case 0x0c:
        return screen.lineFeed();
      case 0x0d:
        return screen.carriageReturn();
      case 0x84:
        return screen.index();
      case 0x85:
        return this.#nextLine();
      default:
        return;
    }
  }

  #escape(final: string): void {
    const screen = this.#screen;
    if (final === '7') screen.saveCursor();
    else if (final === '8') screen.restoreCursor();
    else if (final === 'D') screen.index();
    else if (final === 'E') this.#nextLine();
    else if (final === 'M') screen.reverseIndex();
    else if (final === 'c') screen.reset();
  }

  #nextLine(): void {
    this.#screen.carriageReturn();
    this.#screen.lineFeed();
  }

  #csi(prefix: string, params: readonly number[], final: string): void {
    if (prefix === '?') {
      if (final === 'h' || final === 'l') for (const mode of params) this.#setMode(mode, final === 'h');
      return;
    }
    if (prefix !== '') return;
    const screen = this.#screen;
    const { column, line } = screen;
    const n = Math.max(1, params[0] ?? 1);
    switch (final) {
      case 'A':
        return screen.moveTo(column, screen.up(n));
      case 'B':
      case 'e':
        return screen.moveTo(column, screen.down(n));
      case 'C':
      case 'a':
        return screen.moveTo(column + n, line);
      case 'D':
        return screen.moveTo(column - n, line);
      case 'E':
        return screen.moveTo(0, screen.down(n));
      case 'F':
        return screen.moveTo(0, screen.up(n));
      case 'G':
      case '`':
        return screen.moveTo(n - 1, line);
      case 'd':
        return screen.moveTo(column, n - 1);
      case 'H':
      case 'f':
        return screen.moveTo(Math.max(1, params[1] ?? 1) - 1, n - 1);
      case 'I':
        return screen.moveTo((Math.floor(column / 8) + n) * 8, line);
      case 'Z':
        return screen.moveTo((Math.ceil(column / 8) - n) * 8, line);
      case 'J':
        return screen.eraseDisplay(params[0] ?? 0);
      case 'K':
        return screen.eraseLine(params[0] ?? 0);
      case 'X':
        return screen.blank(n);
      case '@':
        return screen.insertChars(n);
      case 'P':
        return screen.deleteChars(n);
      case 'L':
        return screen.shiftLines(n, true);
      case 'M':
        return screen.shiftLines(n, false);
      case 'S':
        return screen.scrollRegion(n, false);
      case 'T':
        return screen.scrollRegion(n, true);
      case 'b':
        if (screen.lastChar) this.write(screen.lastChar.repeat(Math.min(n, screen.area)));
        return;
      case 'r':
        return screen.setRegion(n - 1, params[1] ? params[1] - 1 : undefined);
      case 's':
        return screen.saveCursor();
      case 'u':
        return screen.restoreCursor();
      default:
        return;
    }
  }

  #setMode(mode: number, on: boolean): void {
    if (mode === 7) this.#screen.autowrap = on;
    else if (mode === 1049 || mode === 1047 || mode === 47) this.#screen.showAlternate(on);
  }
}

/** Sequences that change only the look of text, and a clearing of the line's end where nothing is after the cursor. */
const looks = /\x1b(?:\[[\d;:]*m|\[0?K|\([B0]|\][ -~]*?(?:\x07|\x1b\\))/g;

/** A line feed that does not return the cursor. */
const bareLineFeed = /(?:^|[^\r])\n/;

const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** A combining character at the start of a line. */
const loneMark = /^[\p{Mn}\p{Me}\p{Cf}]/mu;

/**
 * The text of whole lines that only follow one another, without cursor movement or overwriting. Far cheaper than a
 * terminal, and the same text if the lines begin on an empty row with nothing below.
 * @param data ends with a line feed
 * @param newlineReturns see `TextScreenOptions`
 * @returns undefined if only a terminal can tell.
 */
function plainLines(data: string, newlineReturns: boolean): string | undefined {
  let text = data.includes('\x1b') ? data.replace(looks, '') : data;
  if (!newlineReturns && bareLineFeed.test(text)) return undefined;
  // A pseudo-terminal adds its own return to an existing one.
  while (text.includes('\r\n')) text = text.replaceAll('\r\n', '\n');
  if (controls.test(text) || (/[^\0-\x7f]/.test(text) && loneMark.test(text))) return undefined;
  return text;
}
