import type { EntryId } from '../../src/protocol/entryId';
import type { FoundLine } from '../../src/protocol/sessionsView';
import type { Thread } from '../parts/threadPart';
import { drawnText, rangeOf } from './drawnText';
import { CURRENT } from './highlighter';
import { withoutMarks } from './search';

/** The number of frames in which unchanged text is searched: folded content is drawn in one of the next ones. */
const LOOKS = 30;

/** Scrolls to a line of a visible entry, opens its fold, and marks it. */
export class FoundLinePlace {
  #looks = 0;
  #seen: string | undefined;
  #close: (() => void) | undefined;
  #isOver = false;

  constructor(
    private readonly thread: Thread,
    private readonly id: EntryId,
    private readonly found: FoundLine,
  ) {
    CSS.highlights.delete(CURRENT);
    // Any action of the user ends the mark.
    for (const type of ['keydown', 'pointerdown'] as const)
      window.addEventListener(type, () => this.end(), { capture: true, once: true });
    this.#look();
  }

  /** Ends the search and the mark. */
  end(): void {
    if (!this.#isOver) CSS.highlights.delete(CURRENT);
    this.#isOver = true;
  }

  #look(): void {
    if (this.#isOver) return;
    const range = this.#find();
    if (range && (this.#close || !isCutOff(range))) return this.#hold(range);
    if (!this.#close) this.#close = this.thread.openAll(this.id);
    else if (this.#looks > LOOKS) return this.#close();
    requestAnimationFrame(() => this.#look());
  }

  /** Keeps the position while its surroundings get their height. */
  #hold(range: Range | undefined): void {
    this.#mark(range);
    this.thread.scroll.holdAt(() => {
      // The text was drawn anew.
      if (range?.collapsed) this.#mark((range = this.#find()));
      if (!range) return;
      showRange(range);
      const [view, box] = [this.thread.element.getBoundingClientRect(), range.getBoundingClientRect()];
      this.thread.element.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
    });
    this.thread.scroll.settle();
  }

  #find(): Range | undefined {
    const element = this.thread.elementOf(this.id);
    const drawn = element && drawnText(element);
    this.#looks = drawn?.text === this.#seen ? this.#looks + 1 : 0;
    this.#seen = drawn?.text;
    const place = drawn && findLine(drawn.text, this.found);
    return place && rangeOf(drawn, place);
  }

  #mark(range: Range | undefined): void {
    if (!this.#isOver && range) CSS.highlights.set(CURRENT, new Highlight(range));
  }
}

/**
 * Finds a stored line in drawn text, which lacks marks and addresses of links: the line that shares most words with it,
 * and more than half of them, since the line of a fold may have one of them, too.
 * @returns the position of its first searched word
 */
export function findLine(drawn: string, { line, text }: FoundLine): readonly [start: number, end: number] | undefined {
  const wanted = new Set(wordsOf(withoutMarks(line.replaceAll(/\]\([^()]*\)/g, ' '))));
  let most = wanted.size / 2;
  let at: RegExpExecArray | undefined;
  for (const match of drawn.matchAll(/[^\n]+/g)) {
    const shared = new Set(wordsOf(match[0]).filter((word) => wanted.has(word))).size;
    if (shared <= most) continue;
    most = shared;
    at = match;
  }
  if (!at) return undefined;
  const sought = text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const word = sought.length > 0 ? new RegExp(sought.join('|'), 'iu').exec(at[0]) : null;
  const start = at.index + (word?.index ?? 0);
  return [start, start + (word ?? at)[0].length];
}

function wordsOf(line: string): readonly string[] {
  return line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Opens the folds of a match in an entry, and scrolls its own scrollers, such as code and output. */
export function showRange(range: Range): void {
  const element = range.startContainer.parentElement!;
  for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null) at.open = true;
  // The code of a diagram.
  element.closest('pre[hidden]')?.dispatchEvent(new Event('beforematch'));
  const scroller = element.closest<HTMLElement>('pre, .diff, .terminal-rows');
  if (!scroller) return;
  const [box, inner] = [range.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (box.top < inner.top || box.bottom > inner.bottom) scroller.scrollTop += box.top - inner.top - inner.height / 2;
  if (box.left < inner.left || box.right > inner.right) scroller.scrollLeft += box.left - inner.left - inner.width / 2;
}

/** True if a match is in the hidden part of a long prompt. */
export function isCutOff(range: Range): boolean {
  const shown = range.startContainer.parentElement?.closest('.folded .content > .markdown');
  return shown ? range.getBoundingClientRect().bottom > shown.getBoundingClientRect().bottom : false;
}
