/** Operating system commands that only change the look: colours, and links in the text. */
const drawing = /^(?:4|8|10|11|12|104|110|111|112)(?:;[ -~\xa0-\uffff]*)?$/;

/** Longer commands are dropped. Links may be two thousand characters long. */
const MAX_LENGTH = 4_096;

/**
 * Removes operating system commands (OSC) from terminal output that would rename the terminal's tab, tell VS Code
 * another folder or imitate shell integration. Only those for the look pass. A removed command leaves an empty string
 * terminator, so that the text around it cannot form another one. Keeps its state between pieces. Source: ECMA-48 and
 * the DEC ANSI parser, which accept an introducer at any place.
 */
export class TitleFilter {
  #state: 'ground' | 'escape' | 'command' = 'ground';
  #command = '';

  /** @returns the safe part of the piece, after earlier held-back text. */
  filter(piece: string): string {
    let shown = '';
    let at = 0;
    while (at < piece.length) {
      if (this.#state === 'ground') {
        introducer.lastIndex = at;
        const found = introducer.exec(piece)?.index ?? piece.length;
        shown += piece.slice(at, found);
        if (found < piece.length) this.#begin(piece[found]!);
        at = found + 1;
      } else if (this.#state === 'escape') {
        shown += this.#afterEscape(piece[at]!);
        at++;
      } else {
        end.lastIndex = at;
        const found = end.exec(piece)?.index ?? piece.length;
        if (this.#command.length <= MAX_LENGTH) this.#command += piece.slice(at, Math.min(found, at + MAX_LENGTH + 1));
        if (found < piece.length) shown += this.#endCommand(piece[found]!);
        at = found + 1;
      }
    }
    return shown;
  }

  #begin(introducing: string): void {
    this.#state = introducing === '\x1b' ? 'escape' : 'command';
    this.#command = '';
  }

  #afterEscape(character: string): string {
    if (character === ']' || character === '\x9d') {
      this.#begin('\x9d');
      return '';
    }
    if (character === '\x1b') return '';
    // A terminal executes these and continues with the sequence.
    if (/[\0-\x17\x19\x1c-\x1f\x7f]/.test(character)) return character;
    this.#state = 'ground';
    return `\x1b${character}`;
  }

  #endCommand(ending: string): string {
    const isWhole = ending === '\x07' || ending === '\x1b' || ending === '\x9c';
    const shown =
      isWhole && this.#command.length <= MAX_LENGTH && drawing.test(this.#command)
        ? `\x1b]${this.#command}\x1b\\`
        : '\x1b\\';
    this.#state = 'ground';
    if (ending === '\x1b' || ending === '\x9d') this.#begin(ending);
    // Any other control cancels it and has its own effect.
    else if (!isWhole) return shown + ending;
    return shown;
  }
}

const introducer = /[\x1b\x9d]/g;
const end = /[\x07\x18\x1a\x1b\x80-\x9f]/g;
