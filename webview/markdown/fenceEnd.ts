import { classifyLine, closesFence, matchFence } from './lines';
import type { Fence } from './lines';

/** Languages that may contain fences. */
const markdown = /^(?:md|mdx|markdown|mkd|rmd|qmd)\b/i;

/**
 * Finds the end of a code block. Models put a Markdown file with fences of three into a fence of three: a fence with a
 * language opens an inner block, and the next fence closes that one. Without a language, an inner opening cannot be
 * told from the end; such fences come in pairs, so the text after them is right either way.
 */
export class FenceEnd {
  readonly #inner: Fence[] = [];
  #nests: boolean | undefined;

  constructor(private readonly fence: Fence) {
    this.#nests = markdown.test(fence.info) ? true : fence.info === '' ? undefined : false;
  }

  /** True if a block may contain others. @param source from its fence on */
  static mayNest(fence: Fence, source: string): boolean {
    return markdown.test(fence.info) || (fence.info === '' && /^[^\n]*\n\s*(?:#{1,6} |---\n)/.test(source));
  }

  /** Takes the next line. @returns whether it ends the block */
  ends(line: string): boolean {
    const closes = closesFence(line, this.#inner.at(-1) ?? this.fence);
    if (closes && this.#inner.pop() === undefined) return true;
    if (closes) return false;
    // A block without a language is Markdown if it begins like a Markdown file.
    if (this.#nests === undefined && line.trim() !== '') this.#nests = /^(?:#{1,6} |---$)/.test(line.trim());
    const { indent, first } = classifyLine(line, 0, line.length);
    const opened =
      this.#nests && this.#inner.length === 0 && indent < 4 ? matchFence(line.slice(first), indent) : undefined;
    if (opened && /^[\w+#.-]/.test(opened.info)) this.#inner.push(opened);
    return false;
  }
}
