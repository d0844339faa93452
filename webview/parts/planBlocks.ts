import type { Links } from 'marked';
import { CodeBlock } from '../markdown/codeBlock';
import { definitions, renderBlock } from '../markdown/render';
import { type MarkdownBlock, BlockSplitter } from '../markdown/splitter';
import { clip } from '../../src/base/oneLine';

/** A part of a plan that a comment can be about: a heading, a paragraph, an item of a list, a row of a table. */
export interface PlanBlock {
  readonly element: HTMLElement;
  /** Its text, on one line. */
  readonly quote: string;
}

/** The most characters of a block that a comment quotes. */
const MAX_QUOTE = 300;

/** Draws a plan as a document. @returns its blocks in order */
export function drawPlan(text: string, into: HTMLElement): readonly PlanBlock[] {
  const parts: (MarkdownBlock | { readonly info: string; code: string })[] = [];
  const splitter = new BlockSplitter({
    block: (block) => parts.push(block),
    codeOpen: (info) => parts.push({ info, code: '' }),
    codeText: (more) => {
      const last = parts.at(-1)!;
      if ('code' in last) last.code += more;
    },
    codeClose: () => {},
  });
  splitter.push(text);
  splitter.finish();
  const links = parts.reduce<Links>(
    (known, part) => ('raw' in part && part.raw.includes(']:') ? { ...definitions(part.raw), ...known } : known),
    {},
  );
  for (const part of parts) {
    const block = into.appendChild(document.createElement('div'));
    block.className = 'md-block';
    block.appendChild(
      'raw' in part ? renderBlock(part, { links, breaks: false }) : new CodeBlock(part.info, part.code).element,
    );
  }
  return [...into.querySelectorAll<HTMLElement>(BLOCKS)]
    .filter(isOwnBlock)
    .map((element) => ({ element, quote: quoteOf(element) }));
}

const BLOCKS = 'h1, h2, h3, h4, h5, h6, p, li, tr, .code-block, .math.display';

/** A paragraph of a list item belongs to the item. */
function isOwnBlock(element: HTMLElement): boolean {
  return element.parentElement?.closest('li, tr, p, .code-block') === null || element.tagName === 'LI';
}

function quoteOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  // Nested items have their own blocks.
  for (const other of copy.querySelectorAll(':scope > ul, :scope > ol, .code-bar')) other.remove();
  // Paragraphs and cells have no separating character.
  for (const part of copy.querySelectorAll('p, td, th, div, br')) part.after(' ');
  return clip((copy.textContent ?? '').replace(/\s+/g, ' ').trim(), MAX_QUOTE);
}
