import { visibleProse } from '../../src/base/visibleText';
import { CodeBlock } from './codeBlock';
import { morph } from './morph';
import { renderBlock } from './render';
import type { RenderContext } from './render';
import type { MarkdownBlock } from './splitter';

/** A fenced block of code of the top level. `pieces` is the text since the last drawing. */
export interface CodeText {
  readonly info: string;
  /** Text of a tool, outside of a block of code. */
  readonly isPlain?: boolean;
  text: string;
  pieces: string[];
  closed: boolean;
}

export type PageBlock =
  | { readonly kind: 'markdown'; readonly markdown: MarkdownBlock }
  | { readonly kind: 'code'; readonly code: CodeText };

/**
 * A page takes blocks until it has this many characters. While a flood streams, a frame lays out the last page: the
 * smaller it is, the sooner a keystroke is handled.
 */
export const PAGE_SIZE = 1024;
/** Above this a page is one large block of code, which is cheap as it is and expensive to lay out as one text. */
const PLAIN_LIMIT = 16_384;

/**
 * Some blocks of a message, about a screen of text. Far from the viewport it is one text node with the raw Markdown
 * (found by find-in-page, read by screen readers); near it, rich text. The browser skips the layout of far pages
 * (`content-visibility`) and reports when one comes near.
 */
export class Page {
  readonly element: HTMLElement;
  readonly blocks: PageBlock[] = [];
  size = 0;
  /** A guess, once the page is sealed. */
  height = 0;
  /** False only while the browser reports that it skips this page. */
  near = true;
  #mode: 'empty' | 'plain' | 'rich' = 'empty';
  #drawn = 0;
  #plainText: Text | undefined;
  #openCode: CodeBlock | undefined;
  #openBlock: HTMLElement | undefined;
  #drawnLinks: RenderContext['links'] | undefined;

  constructor(private readonly context: () => RenderContext) {
    this.element = document.createElement('div');
    this.element.className = 'md-page open';
    pages.set(this.element, this);
  }

  get rich(): boolean {
    return this.#mode === 'rich';
  }

  /** A page with large code is never plain. */
  get heavy(): boolean {
    return this.size > PLAIN_LIMIT;
  }

  add(block: PageBlock): void {
    this.blocks.push(block);
    this.size += block.kind === 'markdown' ? block.markdown.raw.length : block.code.text.length;
  }

  /** Ends the page: from now on the browser may skip it. */
  seal(charactersPerLine: number): void {
    this.height = this.#estimate(charactersPerLine);
    this.element.classList.remove('open');
    this.element.style.setProperty('contain-intrinsic-block-size', `auto ${this.height}px`);
  }

  /** Draws new blocks in the page's current form: rich or plain. */
  draw(): void {
    if (this.#mode === 'rich' || this.heavy) this.drawRich();
    else this.drawPlain();
  }

  drawRich(): void {
    if (this.#mode !== 'rich') this.#clear('rich');
    // The definitions of the first drawn block: if any come later, `refreshLinks` draws everything again.
    this.#drawnLinks ??= this.context().links;
    for (; this.#drawn < this.blocks.length; this.#drawn++) {
      const block = this.blocks[this.#drawn]!;
      if (block.kind === 'markdown') {
        const fragment = renderBlock(block.markdown, this.context());
        // A block that was drawn while it was open becomes the finished one in place.
        if (!fragment.hasChildNodes()) this.#openBlock?.remove();
        else if (this.#openBlock) morph(this.#openBlock, fragment);
        else this.#wrap(fragment);
        this.#openBlock = undefined;
      } else if (!this.#drawCode(block.code)) return;
    }
  }

  /** Draws the block that is still growing. Call after `drawRich`. */
  drawOpen(block: MarkdownBlock): void {
    const fragment = renderBlock(block, this.context());
    if (!fragment.hasChildNodes()) {
      this.#openBlock?.remove();
      this.#openBlock = undefined;
    } else if (this.#openBlock) morph(this.#openBlock, fragment);
    else this.#openBlock = this.#wrap(fragment);
  }

  /** Turns to plain text. The caller ensures that the user does not look, select or focus here. */
  drawPlain(): void {
    if (this.#mode !== 'plain') this.#clear('plain');
    this.#plainText ??= this.element.appendChild(document.createTextNode(''));
    for (; this.#drawn < this.blocks.length; this.#drawn++) {
      const block = this.blocks[this.#drawn]!;
      if (block.kind === 'code') {
        if (!block.code.closed) return;
        block.code.pieces = [];
      }
      this.#plainText.appendData(visibleProse(rawText(block)));
    }
  }

  /** Draws again if there are new link definitions that it may use. */
  refreshLinks(): void {
    if (this.#mode !== 'rich' || this.#drawnLinks === this.context().links) return;
    if (!this.blocks.some((b) => b.kind === 'markdown' && b.markdown.raw.includes('['))) return;
    this.#clear('rich');
    this.drawRich();
  }

  /** Draws open code as far as it has come. @returns whether it is complete */
  #drawCode(code: CodeText): boolean {
    if (this.#openBlock) {
      this.#openBlock.remove();
      this.#openBlock = undefined;
    }
    if (!this.#openCode) {
      this.#openCode = new CodeBlock(code.info, undefined, true, code.isPlain);
      this.#wrap(this.#openCode.element);
      this.#openCode.append(code.text);
    } else {
      for (const piece of code.pieces) this.#openCode.append(piece);
    }
    code.pieces = [];
    if (!code.closed) {
      this.#openCode.drawWhileOpen(() => performance.now());
      return false;
    }
    this.#openCode.close();
    this.#openCode = undefined;
    return true;
  }

  #wrap(content: Node): HTMLElement {
    const block = this.element.appendChild(document.createElement('div'));
    block.className = 'md-block';
    block.appendChild(content);
    return block;
  }

  #clear(mode: 'plain' | 'rich'): void {
    this.element.replaceChildren();
    this.element.classList.toggle('plain', mode === 'plain');
    this.#mode = mode;
    this.#drawn = 0;
    this.#plainText = undefined;
    this.#openCode = undefined;
    this.#openBlock = undefined;
    this.#drawnLinks = undefined;
  }

  #estimate(charactersPerLine: number): number {
    let lines = 0;
    for (const block of this.blocks) {
      if (block.kind === 'markdown') lines += Math.ceil(block.markdown.raw.length / charactersPerLine) + 1;
      else lines += countLines(block.code.text) + 3;
    }
    return Math.round(lines * 20);
  }
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The page of an element that the browser reports about. */
export const pages = new WeakMap<Element, Page>();

function rawText(block: PageBlock): string {
  if (block.kind === 'markdown') return block.markdown.raw;
  if (block.code.isPlain) return block.code.text;
  return `\`\`\`${block.code.info}\n${block.code.text}\n\`\`\`\n`;
}
