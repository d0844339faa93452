import type { EntryId } from '../../src/protocol/entryId';
import type { FoundLine } from '../../src/protocol/sessionsView';
import type { Thread } from '../parts/threadPart';
import { drawnText, rangeOf } from './drawnText';
import { CURRENT } from './highlighter';
import { findLine } from './lineMatch';
import { isCutOff, showRange } from './showRange';

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
