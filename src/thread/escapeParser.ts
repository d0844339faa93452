/** Receives the parts of a stream of terminal output. */
export interface EscapeSink {
  /**
   * Printable characters `data.slice(start, end)`; a surrogate pair is never split between two calls.
   * @param ascii true where all of them are ASCII, which is nearly always.
   */
  print(data: string, start: number, end: number, ascii: boolean): void;
  /** A single C0 or C1 control. */
  control(code: number): void;
  /** `ESC final`, without intermediate characters. */
  escape(final: string): void;
  /** `CSI prefix params final`. An omitted parameter is `undefined` at its place. */
  csi(prefix: string, params: readonly number[], final: string): void;
}

/** `text` swallows operating system commands (titles, links) and device control strings until their end. */
type State = 'ground' | 'escape' | 'charset' | 'csi' | 'text' | 'textEscape';

/** Regular expressions find the end of a run several times as fast as a loop. */
const asciiRun = /[ -~]+/y;

/** Longer sequences are dropped: no supported one has more parameters. */
const MAX_PARAMS = 256;

/**
 * Splits terminal output into text and control sequences. Keeps its state between pieces, so that a sequence may be cut
 * anywhere. Source: ECMA-48 and the DEC ANSI parser (states reduced to those that reach a `sink` method).
 */
export class EscapeParser {
  #state: State = 'ground';
  #params = '';
  #highSurrogate = '';

  constructor(private readonly sink: EscapeSink) {}

  /** The last piece ended neither inside a sequence nor inside a character. */
  get isWhole(): boolean {
    return this.#state === 'ground' && this.#highSurrogate === '';
  }

  parse(piece: string): void {
    const data = this.#highSurrogate + piece;
    this.#highSurrogate = '';
    const { length } = data;
    let at = 0;
    while (at < length) {
      if (this.#state === 'ground') {
        const asciiEnd = endOf(asciiRun, data, at);
        if (asciiEnd > at) {
          this.sink.print(data, at, asciiEnd, true);
          at = asciiEnd;
          if (at === length) return;
        }
        let end = at;
        while (end < length && isPrintable(data.charCodeAt(end))) end++;
        if (end === length && end > at && isHighSurrogate(data.charCodeAt(end - 1))) {
          end--;
          this.#highSurrogate = data[end]!;
          if (end > at) this.sink.print(data, at, end, false);
          return;
        }
        if (end > at) this.sink.print(data, at, end, false);
        if (end < length) this.#control(data.charCodeAt(end));
        at = end + 1;
      } else {
        this.#inSequence(data.charCodeAt(at), data[at]!);
        at++;
      }
    }
  }

  #control(code: number): void {
    if (code === 0x1b) this.#state = 'escape';
    else if (code === 0x9b) this.#begin('csi');
    else if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) this.#state = 'text';
    else this.sink.control(code);
  }

  #begin(state: State): void {
    this.#state = state;
    this.#params = '';
  }

  #inSequence(code: number, char: string): void {
    if (code === 0x18 || code === 0x1a) {
      this.#state = 'ground';
      return;
    }
    switch (this.#state) {
      case 'escape':
        if (char === '[') this.#begin('csi');
        else if (char === ']' || char === 'P' || char === 'X' || char === '^' || char === '_') this.#state = 'text';
        else if (code === 0x1b) return;
        else if (code < 0x20) this.sink.control(code);
        else if (code < 0x30) this.#state = 'charset';
        else {
          this.#state = 'ground';
          if (code < 0x7f) this.sink.escape(char);
        }
        return;
      case 'charset':
        if (code === 0x1b) this.#state = 'escape';
        else if (code >= 0x30) this.#state = 'ground';
        return;
      case 'text':
        if (code === 0x07 || code === 0x9c) this.#state = 'ground';
        else if (code === 0x1b) this.#state = 'textEscape';
        return;
      case 'textEscape':
        this.#state = 'escape';
        // `ESC \` ends the string; any other sequence ends it too and begins anew.
        if (char === '\\') this.#state = 'ground';
        else this.#inSequence(code, char);
        return;
      case 'csi':
        if (code === 0x1b) this.#state = 'escape';
        else if (code < 0x20) this.sink.control(code);
        else if (code < 0x40) {
          if (this.#params.length < MAX_PARAMS) this.#params += char;
        } else {
          this.#state = 'ground';
          if (code < 0x7f && this.#params.length < MAX_PARAMS) this.#dispatch(char);
        }
        return;
      case 'ground':
        return;
    }
  }

  #dispatch(final: string): void {
    const prefix = /^[<=>?]/.exec(this.#params)?.[0] ?? '';
    const body = this.#params.slice(prefix.length);
    const marks = /[ -/]/.exec(body)?.[0] ?? '';
    if (marks) return;
    const params =
      body === ''
        ? []
        : body
            .split(';')
            .map((value) => (value === '' ? undefined : Math.min(Number.parseInt(value, 10) || 0, 100_000)));
    this.sink.csi(prefix, params as number[], final);
  }
}

function endOf(run: RegExp, data: string, from: number): number {
  run.lastIndex = from;
  return run.test(data) ? run.lastIndex : from;
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code !== 0x7f && (code < 0x80 || code > 0x9f);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
