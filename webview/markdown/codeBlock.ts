import * as l10n from '@vscode/l10n';
import { visibleLine, VisibleStream } from '../../src/base/visibleText';
import { isolateWords } from './direction';
import { canHighlight, enqueueHighlight, highlight, whenHighlighter } from './highlight';
import { LateCode } from '../lib/latePart';

const drawing = new LateCode(() => import('./patchBlock'));

/** The part of a code that tells whether it is a patch. Characters. */
const PATCH_START = 400;

/** True if a block of code is a patch. @param start its first `PATCH_START` characters */
function isPatch(language: string, start: string): boolean {
  return (
    language === 'diff' ||
    language === 'patch' ||
    /^(?:\*\*\* Begin Patch\r?\n|diff --git |--- [^\n]*\n\+\+\+ [^\n]*\n@@ )/.test(start)
  );
}

/** Draws code that is a patch as a diff. The text stays unchanged, so that a copy is a patch. */
function drawAsPatch(code: HTMLElement): void {
  const draw = (): void => drawing.get(draw, reportError)?.drawPatch(code);
  draw();
}

/** Code is drawn in pieces of about this size, so that appending to 500 KB lays out only the last piece. */
const PIECE = 8192;
/** Longer code stays plain. */
const LIMIT = 51_200;
/** From this number of lines on, they are numbered. */
const NUMBERED = 12;

/**
 * A block of code: its language and buttons above, the text below. Text can be appended while it streams; it is
 * coloured once it is complete (short code also while it grows), in slices of a frame's time. Buttons have no listener:
 * the thread handles their clicks.
 */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #code: HTMLElement;
  readonly #language: string;
  #piece: HTMLElement | undefined;
  #pieceLength = 0;
  readonly #marks = new VisibleStream();
  #pieceFull = false;
  #firstLine = 1;
  #breaks = 0;
  #lastLine = 0;
  #numbered = 0;
  #continues = false;
  #isNumbered = false;
  #length = 0;
  #start = '';
  #colouredAt = 0;
  #colourCost = 0;

  /**
   * @param text the whole code; `undefined` for code that streams in through `append` until `close`.
   * @param isWhole false for code without its end, which is not a diagram yet
   * @param isPlain text with wrapped lines and only its own line numbers, if any
   */
  constructor(
    info: string,
    text?: string,
    private readonly isWhole = true,
    private readonly isPlain = false,
  ) {
    this.#language = /^[^\s,{:]*/.exec(info)![0].toLowerCase();
    this.element = document.createElement('div');
    this.element.className = this.#language === '' ? 'code-block nameless' : 'code-block';
    const bar = this.element.appendChild(document.createElement('div'));
    bar.className = 'code-bar';
    const label = bar.appendChild(document.createElement('span'));
    label.className = 'code-language';
    label.textContent = visibleLine(this.#language);
    const wrap = codeButton('wrap', 'word-wrap', l10n.t('Word Wrap'));
    wrap.setAttribute('aria-pressed', isPlain ? 'true' : 'false');
    this.element.classList.toggle('wrapped', isPlain);
    bar.append(
      wrap,
      codeButton('copy', 'copy', l10n.t('Copy')),
      codeButton('insert', 'insert', l10n.t('Insert at Cursor')),
      codeButton('newFile', 'new-file', l10n.t('New File')),
      codeButton('save', 'save', l10n.t('Save As…')),
    );
    this.element.dataset['language'] = this.#language;
    this.element.dataset['info'] = info;
    const pre = this.element.appendChild(document.createElement('pre'));
    pre.tabIndex = 0;
    pre.setAttribute('role', 'group');
    pre.setAttribute('aria-label', visibleLine(this.#language ? l10n.t('Code, {0}', this.#language) : l10n.t('Code')));
    this.#code = pre.appendChild(document.createElement('code'));
    if (text !== undefined) {
      this.append(text);
      this.close();
    }
  }

  append(text: string): void {
    this.#add(this.#marks.push(text));
  }

  #add(text: string): void {
    if (this.#start.length < PATCH_START) this.#start = (this.#start + text).slice(0, PATCH_START);
    let rest = text;
    while (rest !== '') {
      if (!this.#piece || this.#pieceFull) this.#addPiece();
      // A piece ends with the line that fills it; a line as long as two pieces is cut.
      const newline = rest.indexOf('\n', Math.max(0, PIECE - 1 - this.#pieceLength));
      const cut = Math.min(newline < 0 ? rest.length : newline + 1, 2 * PIECE - this.#pieceLength);
      const shownPart = rest.slice(0, cut);
      const last = this.#piece!.lastChild;
      if (last?.nodeType === Node.TEXT_NODE) (last as Text).appendData(shownPart);
      else this.#piece!.appendChild(document.createTextNode(shownPart));
      this.#pieceLength += cut;
      this.#length += cut;
      this.#pieceFull = this.#pieceLength >= 2 * PIECE || (this.#pieceLength >= PIECE && shownPart.endsWith('\n'));
      rest = rest.slice(cut);
      this.#countLines(shownPart);
    }
  }

  get #isPatch(): boolean {
    return isPatch(this.#language, this.#start);
  }

  #countLines(added: string): void {
    for (let at = added.indexOf('\n'); at >= 0; at = added.indexOf('\n', at + 1)) this.#breaks++;
    const endsLine = added.endsWith('\n');
    this.#lastLine = this.#firstLine + this.#breaks - (endsLine ? 1 : 0);
    this.#isNumbered ||= this.#lastLine >= NUMBERED && this.#piece === this.#code.firstChild;
    if (!this.#pieceFull) return;
    this.#number();
    // Only the first part of a cut line has a number.
    this.#continues = !endsLine;
    this.#firstLine += this.#breaks + (endsLine ? 0 : 1);
    this.#breaks = endsLine ? 0 : -1;
  }

  /** Numbers the lines of the last piece. The style draws the numbers, so that a copy does not contain them. */
  #number(): void {
    if (
      !this.#isNumbered ||
      this.isPlain ||
      this.#isPatch ||
      this.#lastLine <= this.#numbered ||
      this.#lastLine < this.#firstLine
    )
      return;
    this.#numbered = this.#lastLine;
    let text = `${this.#continues ? '\n' : ''}${this.#firstLine}`;
    for (let line = this.#firstLine + 1; line <= this.#lastLine; line++) text += `\n${line}`;
    this.#piece!.dataset['numbers'] = text;
  }

  /** Numbers growing code, and colours it if it is short, as often as the cost allows. Call after `append`. */
  drawWhileOpen(now: () => number): void {
    this.#number();
    if (!this.#piece || this.#length > PIECE || !canHighlight(this.#language)) return;
    const start = now();
    if (start - this.#colouredAt < this.#colourCost * 20) return;
    colour(this.#piece, this.#language);
    this.#colouredAt = now();
    this.#colourCost = this.#colouredAt - start;
  }

  close(): void {
    this.#add(this.#marks.end());
    this.#number();
    if (this.#isPatch && this.#length <= LIMIT) return drawAsPatch(this.#code);
    isolateWords(this.#code);
    if (this.#length === 0 || this.#length > LIMIT || this.#language === '') return;
    if (this.isWhole) offerDiagram(this.element, this.#language);
    whenHighlighter(() => {
      if (!canHighlight(this.#language)) return;
      const targets = [...this.#code.children];
      for (const target of targets) enqueueHighlight(target, () => colour(target, this.#language));
    });
  }

  #addPiece(): void {
    this.#piece = this.#code.appendChild(document.createElement('span'));
    this.#piece.className = 'code-piece';
    this.#pieceLength = 0;
    this.#pieceFull = false;
  }
}

function colour(target: Element, language: string): void {
  const coloured = highlight(target.textContent ?? '', language);
  if (coloured) target.replaceChildren(coloured);
  isolateWords(target);
}

function codeButton(
  action: 'copy' | 'insert' | 'newFile' | 'save' | 'wrap',
  icon: string,
  ownWords: string,
): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `icon-button codicon codicon-${icon}`;
  button.dataset['code'] = action;
  button.title = ownWords;
  button.setAttribute('aria-label', ownWords);
  return button;
}

/** A diagram of more characters stays code. */
const maxDiagramLength = 10_000;

type Door = typeof import('../diagram/diagramBlock');

let door: Door | undefined;
let loading: Promise<void> | undefined;

/** Near the view, including scrolling boxes in between. */
const nearby: IntersectionObserverInit & { readonly scrollMargin: string } = {
  rootMargin: '400px',
  scrollMargin: '400px',
};
let observer: IntersectionObserver | undefined;

/** Draws a complete block of code as a diagram once it is near the view, if its language is a diagram language. */
function offerDiagram(block: HTMLElement, language: string): void {
  if (language !== 'mermaid') return;
  // Mark the block: the same code without its end is another block, which is not drawn.
  block.dataset['diagram'] = '';
  // A diagram that was drawn before appears at once, with its height.
  if (door?.showDrawn(block)) return;
  observer ??= new IntersectionObserver(open, nearby);
  observer.observe(block);
}

function open(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    observer!.unobserve(target);
    loading ??= import('../diagram/diagramBlock').then((module) => {
      door = module;
    }, reportError);
    void loading.then(() => {
      if (target.isConnected) void door?.drawDiagram(target as HTMLElement, maxDiagramLength);
    });
  }
}
