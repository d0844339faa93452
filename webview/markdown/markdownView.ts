import { ControlFilter } from '../../src/base/controlSequences';
import { slices } from '../lib/frame';
import type { Deadline } from '../lib/frame';
import { completeTail } from './completeTail';
import { charactersPerLine } from './lineLength';
import { Page, PAGE_SIZE, pages } from './page';
import type { CodeText } from './page';
import { definitions } from './render';
import type { RenderContext } from './render';
import { type BlockSink, BlockSplitter, type MarkdownBlock } from './splitter';

/** If more than this arrives within one frame, only the last page is drawn rich. */
const FLOOD = 6144;
/** The pages at the end of a new text that are rich at once, if there is time. */
const FIRST_RICH = 6;
/** Pages per chapter: the browser lays out a few chapters, not a thousand pages. */
const CHAPTER = 32;
/** Text is split in portions, so that a message of many megabytes does not block a frame. */
const PORTION = 65_536;

/** How a text is drawn. */
export interface TextOptions {
  /** A single line break breaks the line. */
  readonly breaks?: boolean;
  /** It is not Markdown, but a tool's output. */
  readonly isPlain?: boolean;
  /** The user decides on it: nothing of it may be left out, not even a colour. */
  readonly isAsked?: boolean;
}

/**
 * One Markdown text, whole or growing. `append` only notes the text; `draw` splits and draws it, called once per frame.
 * The final DOM depends on the text alone, not on its chunks.
 */
export class MarkdownView {
  readonly element: HTMLElement;
  readonly #pages: Page[] = [];
  #context: RenderContext;
  #splitter!: BlockSplitter | PlainSplitter;
  #controls = new ControlFilter();
  #inbox: string[] = [];
  #inboxSize = 0;
  #complete = false;
  #finished = false;
  #chapter: HTMLElement | undefined;
  #code: CodeText | undefined;
  #firstNew = 0;
  #tailCost = 0;
  #tailDrawnAt = 0;
  #tailTimer = false;

  /** @param options how the text is drawn */
  constructor(private readonly options: TextOptions = {}) {
    this.element = document.createElement('div');
    this.element.className = options.isPlain ? 'markdown plain' : 'markdown';
    this.#context = { links: {}, breaks: options.breaks ?? false };
    this.#splitter = this.#newSplitter();
  }

  append(text: string): void {
    if (text === '') return;
    this.#inbox.push(text);
    this.#inboxSize += text.length;
  }

  /** True once the end has been drawn; further text needs a `reset`. */
  get isFinished(): boolean {
    return this.#finished;
  }

  /** No more text will come. */
  finish(): void {
    this.#complete = true;
  }

  /** Starts over with another text. */
  reset(text: string): void {
    this.#pages.length = 0;
    this.element.replaceChildren();
    this.#chapter = undefined;
    this.#context = { ...this.#context, links: {} };
    this.#splitter = this.#newSplitter();
    this.#controls = new ControlFilter();
    this.#inbox = [];
    this.#inboxSize = 0;
    this.#complete = this.#finished = false;
    this.#code = undefined;
    this.append(text);
  }

  /**
   * Draws the text since the last call. Newest pages first, since the user looks at them; pages without time are plain
   * text until the browser reports that they are near.
   * @param near false for a text far from the viewport: all of it is plain until it comes near
   * @returns whether there is more to do in the next frame
   */
  draw(deadline: Deadline, near = true): boolean {
    if (this.#finished) return false;
    const flood = this.#inboxSize > FLOOD;
    this.#firstNew = Math.max(0, this.#pages.length - 1);
    this.#takeInbox(deadline);
    if (this.#complete && this.#inboxSize === 0) this.#close();
    const first = this.#firstNew;
    const richFrom = near || !this.#finished ? this.#pages.length - (flood ? 1 : FIRST_RICH) : Infinity;
    for (let i = this.#pages.length - 1; i >= first; i--) {
      const page = this.#pages[i]!;
      const last = i === this.#pages.length - 1;
      if (i >= richFrom && (last || deadline())) page.drawRich();
      else page.draw();
    }
    if (!this.#finished) this.#drawTail();
    return this.#inboxSize > 0 || this.#tailTimer;
  }

  #takeInbox(deadline: Deadline): void {
    if (this.#inbox.length === 0) return;
    const text = this.#inbox.length === 1 ? this.#inbox[0]! : this.#inbox.join('');
    let taken = 0;
    do {
      const portion = taken === 0 && text.length <= PORTION ? text : text.slice(taken, taken + PORTION);
      this.#splitter.push(this.options.isAsked ? portion : this.#controls.push(portion));
      taken += PORTION;
    } while (taken < text.length && deadline());
    this.#inbox = taken < text.length ? [text.slice(taken)] : [];
    this.#inboxSize = Math.max(0, text.length - taken);
  }

  #close(): void {
    this.#splitter.push(this.#controls.end());
    this.#splitter.finish();
    this.#finished = true;
    this.#pages.at(-1)?.seal(charactersPerLine());
    for (const page of this.#pages) page.refreshLinks();
  }

  /** Draws the open block, as often as its cost allows: a long list must not be parsed in each frame. */
  #drawTail(): void {
    this.#tailTimer = false;
    const open = this.#splitter.open;
    if (this.#code || open.raw.trim() === '') return;
    const start = performance.now();
    if (start - this.#tailDrawnAt < this.#tailCost * 3) {
      this.#tailTimer = true;
      return;
    }
    const page = this.#pageForNext();
    if (!page.rich) page.drawRich();
    page.drawOpen({ ...open, raw: completeTail(open.raw) });
    this.#tailDrawnAt = performance.now();
    this.#tailCost = this.#tailDrawnAt - start;
  }

  #newSplitter(): BlockSplitter | PlainSplitter {
    return new (this.options.isPlain ? PlainSplitter : BlockSplitter)({
      block: (block) => this.#addBlock(block),
      codeOpen: (info) => {
        this.#code = { info, ...(this.options.isPlain ? { isPlain: true } : {}), text: '', pieces: [], closed: false };
        this.#pageForNext().add({ kind: 'code', code: this.#code });
      },
      codeText: (text) => {
        const code = this.#code!;
        code.text += text;
        code.pieces.push(text);
        this.#pages.at(-1)!.size += text.length;
      },
      codeClose: () => {
        this.#code!.closed = true;
        this.#code = undefined;
      },
    });
  }

  #addBlock(block: MarkdownBlock): void {
    this.#pageForNext().add({ kind: 'markdown', markdown: block });
    if (/^[ \t>*+\-\d.)]*\[[^\]\n\r\u2028\u2029]+\]:/m.test(block.raw)) this.#define(block.raw);
  }

  #define(raw: string): void {
    const found = definitions(raw);
    const fresh = Object.keys(found).filter((name) => !(name in this.#context.links));
    if (fresh.length === 0) return;
    // The first definition of a name wins.
    this.#context = { ...this.#context, links: { ...found, ...this.#context.links } };
  }

  /** The page for the next block. */
  #pageForNext(): Page {
    const last = this.#pages.at(-1);
    if (last && last.size < PAGE_SIZE) return last;
    last?.seal(charactersPerLine());
    if (this.#pages.length % CHAPTER === 0) this.#openChapter();
    const page = new Page(() => this.#context);
    this.#pages.push(page);
    this.#chapter!.appendChild(page.element);
    return page;
  }

  #openChapter(): void {
    if (this.#chapter) {
      const height = this.#pages.slice(-CHAPTER).reduce((sum, page) => sum + page.height, 0);
      this.#chapter.classList.remove('open');
      this.#chapter.style.setProperty('contain-intrinsic-block-size', `auto ${height}px`);
    }
    this.#chapter = this.element.appendChild(document.createElement('div'));
    this.#chapter.className = 'md-chapter open';
  }
}

/** Rich pages out of sight, oldest first; beyond a number they become plain text again. */
const far = new Set<Page>();
const MAX_FAR = 80;

/** Follows which pages below `root` are near. */
export function watchPages(root: HTMLElement): void {
  root.addEventListener(
    'contentvisibilityautostatechange',
    (event) => {
      const page = pages.get(event.target as Element);
      if (!page) return;
      page.near = !(event as ContentVisibilityAutoStateChangeEvent).skipped;
      if (page.near) {
        far.delete(page);
        if (!page.rich) slices.add(() => page.near && page.element.isConnected && page.drawRich());
      } else if (page.rich) {
        far.add(page);
        for (const oldest of far) {
          if (far.size <= MAX_FAR) break;
          far.delete(oldest);
          if (!oldest.heavy && oldest.element.isConnected) slices.add(() => !oldest.near && oldest.drawPlain());
        }
      }
    },
    true,
  );
}

/** Takes a text that is not Markdown, such as a file or a search result, as one block of code. */
class PlainSplitter {
  readonly open: MarkdownBlock = { raw: '' };
  #isOpen = false;

  constructor(private readonly sink: BlockSink) {}

  push(text: string): void {
    if (text === '') return;
    if (!this.#isOpen) this.sink.codeOpen('');
    this.#isOpen = true;
    this.sink.codeText(text);
  }

  finish(): void {
    if (this.#isOpen) this.sink.codeClose();
  }
}
