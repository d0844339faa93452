import * as l10n from '@vscode/l10n';
import { visibleLine, VisibleStream } from '../../src/base/visibleText';
import { canHighlight, highlight, whenHighlighter } from './highlight';
import { enqueueHighlight } from './highlightQueue';

/** Code is kept in pieces of about this size, so that appending to 500 KB lays out the last piece only. */
const PIECE = 8192;
/** Up to here the code is coloured as one, so that a string or comment may run over many lines. */
const WHOLE = 8192;
/** Longer code stays plain. */
const LIMIT = 51_200;

/**
 * A block of code: its language and buttons above, the text below. Text can be appended while it streams; it is coloured
 * once it is complete (short code also while it grows), in slices that leave the frame its time.
 * Buttons carry no listener: the thread handles their clicks.
 */
export class CodeBlock {
  readonly element: HTMLElement;
  private readonly code: HTMLElement;
  private readonly language: string;
  private piece: HTMLElement | undefined;
  private pieceLength = 0;
  private readonly marks = new VisibleStream();
  private pieceFull = false;
  private length = 0;
  private colouredAt = 0;
  private colourCost = 0;

  /** @param text the whole code; `undefined` for code that streams in through `append` until `close`. */
  constructor(info: string, text?: string) {
    this.language = /^[^\s,{:]*/.exec(info)![0].toLowerCase();
    this.element = document.createElement('div');
    this.element.className = this.language === '' ? 'code-block nameless' : 'code-block';
    const bar = this.element.appendChild(document.createElement('div'));
    bar.className = 'code-bar';
    const label = bar.appendChild(document.createElement('span'));
    label.className = 'code-language';
    label.textContent = visibleLine(this.language);
    bar.append(codeButton('copy', l10n.t('Copy')), codeButton('insert', l10n.t('Insert at Cursor')));
    const pre = this.element.appendChild(document.createElement('pre'));
    pre.tabIndex = 0;
    pre.setAttribute('role', 'group');
    pre.setAttribute('aria-label', visibleLine(this.language ? l10n.t('Code, {0}', this.language) : l10n.t('Code')));
    this.code = pre.appendChild(document.createElement('code'));
    if (text !== undefined) {
      this.append(text);
      this.close();
    }
  }

  append(text: string): void {
    this.add(this.marks.push(text));
  }

  private add(text: string): void {
    let rest = text;
    while (rest !== '') {
      if (!this.piece || this.pieceFull) this.addPiece();
      // A piece ends with the line that fills it; a line as long as two pieces is cut.
      const newline = rest.indexOf('\n', Math.max(0, PIECE - 1 - this.pieceLength));
      const cut = Math.min(newline < 0 ? rest.length : newline + 1, 2 * PIECE - this.pieceLength);
      const shownPart = rest.slice(0, cut);
      const last = this.piece!.lastChild;
      if (last?.nodeType === Node.TEXT_NODE) (last as Text).appendData(shownPart);
      else this.piece!.appendChild(document.createTextNode(shownPart));
      this.pieceLength += cut;
      this.length += cut;
      this.pieceFull = this.pieceLength >= 2 * PIECE || (this.pieceLength >= PIECE && shownPart.endsWith('\n'));
      rest = rest.slice(cut);
    }
  }

  /** Colours short code that is still growing, as often as its cost allows. Call after `append`. */
  colourWhileOpen(now: () => number): void {
    if (!this.piece || this.length > PIECE || !canHighlight(this.language)) return;
    const start = now();
    if (start - this.colouredAt < this.colourCost * 20) return;
    colour(this.piece, this.language);
    this.colouredAt = now();
    this.colourCost = this.colouredAt - start;
  }

  close(): void {
    this.add(this.marks.end());
    if (this.length === 0 || this.length > LIMIT || this.language === '') return;
    whenHighlighter(() => {
      if (!canHighlight(this.language)) return;
      const targets = this.length <= WHOLE ? [this.code] : [...this.code.children];
      for (const target of targets) enqueueHighlight(target, () => colour(target, this.language));
    });
  }

  private addPiece(): void {
    this.piece = this.code.appendChild(document.createElement('span'));
    this.piece.className = 'code-piece';
    this.pieceLength = 0;
    this.pieceFull = false;
  }
}

function colour(target: Element, language: string): void {
  const coloured = highlight(target.textContent ?? '', language);
  if (coloured) target.replaceChildren(coloured);
}

function codeButton(action: 'copy' | 'insert', ownWords: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `icon-button codicon codicon-${action === 'copy' ? 'copy' : 'insert'}`;
  button.dataset['code'] = action;
  button.title = ownWords;
  button.setAttribute('aria-label', ownWords);
  return button;
}
