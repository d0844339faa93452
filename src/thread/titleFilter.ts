/** Operating system commands that change only what is drawn: colours, and links in the text. */
const drawing = /^(?:4|8|10|11|12|104|110|111|112)(?:;[ -~\xa0-\uffff]*)?$/;

/** Longer commands are dropped. Links may be two thousand characters long. */
const MAX_LENGTH = 4_096;

/**
 * Takes out of terminal output what would speak for the terminal itself: operating system commands (OSC) that rename
 * its tab, tell VS Code another folder or imitate shell integration. Only those that draw pass. Each that is dropped
 * leaves an empty string terminator, so that what stands around it cannot become another one. Keeps its state between
 * pieces. Source: ECMA-48 and the DEC ANSI parser, which take an introducer at any place.
 */
export class TitleFilter {
  #state: 'ground' | 'escape' | 'command' = 'ground';
  #command = '';

  /** @returns what a terminal may be given of the piece, and of what was held back. */
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
    // A terminal carries these out and goes on with the sequence.
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
    // Any other control ends it without effect, and has its own.
    else if (!isWhole) return shown + ending;
    return shown;
  }
}

const introducer = /[\x1b\x9d]/g;
const end = /[\x07\x18\x1a\x1b\x80-\x9f]/g;
