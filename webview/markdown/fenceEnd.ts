import { classifyLine, closesFence, matchFence } from './lines';
import type { Fence } from './lines';

/** What may have fences of its own. */
const markdown = /^(?:md|mdx|markdown|mkd|rmd|qmd)\b/i;

/**
 * Finds the end of a code block. Models put a Markdown file into a fence of three that has fences of three itself: one
 * with a language opens another block in it, and the next end is the end of that one. Without a language nobody can
 * tell an inner beginning from the end; such fences come in pairs, so that what follows is right either way.
 */
export class FenceEnd {
  readonly #inner: Fence[] = [];
  #nests: boolean | undefined;

  constructor(private readonly fence: Fence) {
    this.#nests = markdown.test(fence.info) ? true : fence.info === '' ? undefined : false;
  }

  /** Whether a block may have others in it. @param source from its fence on */
  static mayNest(fence: Fence, source: string): boolean {
    return markdown.test(fence.info) || (fence.info === '' && /^[^\n]*\n\s*(?:#{1,6} |---\n)/.test(source));
  }

  /** Takes the next line. @returns whether it ends the block */
  ends(line: string): boolean {
    const closes = closesFence(line, this.#inner.at(-1) ?? this.fence);
    if (closes && this.#inner.pop() === undefined) return true;
    if (closes) return false;
    // A block without a language is Markdown where it begins like a file of it.
    if (this.#nests === undefined && line.trim() !== '') this.#nests = /^(?:#{1,6} |---$)/.test(line.trim());
    const { indent, first } = classifyLine(line, 0, line.length);
    const opened =
      this.#nests && this.#inner.length === 0 && indent < 4 ? matchFence(line.slice(first), indent) : undefined;
    if (opened && /^[\w+#.-]/.test(opened.info)) this.#inner.push(opened);
    return false;
  }
}
