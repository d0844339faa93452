import { withLineFeeds } from './lineFeeds';

/**
 * The text of a document after one edit during an agent's write, and the author of that edit. Steps follow each other.
 */
export interface WriteStep {
  readonly by: 'agent' | 'person';
  readonly text: string;
}

/** Zero-based, as in VS Code. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface Span {
  readonly start: Place;
  readonly end: Place;
}

/** One replacement in a document; `range` in the text before it. */
export interface SeenEdit {
  readonly range: Span;
  readonly text: string;
}

/**
 * True if edits look like typing: at most one at each cursor, over the selection or at the cursor within its line and
 * the next. Formatters edit in other and in many places.
 * @param cursors the selections of the focused editor, from before the edits; none if it shows another document.
 */
export function isTyping(edits: readonly SeenEdit[], cursors: readonly Span[]): boolean {
  return (
    edits.length > 0 &&
    edits.length <= cursors.length &&
    edits.every(({ range }) => cursors.some((cursor) => isAt(range, cursor)))
  );
}

function isAt(range: Span, cursor: Span): boolean {
  if (isSame(range.start, cursor.start) && isSame(range.end, cursor.end)) return true;
  const touches = isSame(range.start, cursor.start) || isSame(range.end, cursor.end);
  return isSame(cursor.start, cursor.end) && touches && range.end.line - range.start.line <= 1;
}

function isSame(a: Place, b: Place): boolean {
  return a.line === b.line && a.character === b.character;
}

/** The cursor position after typing this. */
export function behind({ range: { start }, text }: SeenEdit): Span {
  const lines = withLineFeeds(text).split('\n');
  const last = lines.at(-1)!;
  const at = {
    line: start.line + lines.length - 1,
    character: (lines.length === 1 ? start.character : 0) + last.length,
  };
  return { start: at, end: at };
}

/**
 * Follows a document through an agent's write: the edit, and the save with all its formatters. Reports come in order.
 * The edit is recognized by its text, because VS Code applies it to exactly the text that it was made for or not at
 * all. Before and after the save, only the user changes the document. During the save, edits that look like typing are
 * the user's, and the rest are the formatters'.
 */
export class WriteSteps {
  readonly #list: WriteStep[] = [];
  readonly #target: string;
  #isApplied = false;
  #isSaving = false;
  #typedAt: readonly Span[] = [];

  /** @param before the present text of the document. @param text the text that the agent wants to write. */
  constructor(before: string, text: string) {
    this.#target = withLineFeeds(text);
    if (withLineFeeds(before) === this.#target) this.#applied(before);
  }

  /** The steps so far; neighbouring steps of the same author are joined. */
  get steps(): readonly WriteStep[] {
    return this.#list;
  }

  get hasTyping(): boolean {
    return this.#list.some(({ by }) => by === 'person');
  }

  /** The document was changed. @param text its new text. @param cursors see `isTyping`. */
  changed(text: string, edits: readonly SeenEdit[], cursors: readonly Span[]): void {
    if (!this.#isApplied) {
      if (withLineFeeds(text) === this.#target) this.#applied(text);
      return;
    }
    // Typing may be faster than the event that reports the cursor.
    const isTyped = !this.#isSaving || isTyping(edits, cursors) || isTyping(edits, this.#typedAt);
    this.#typedAt = isTyped ? edits.map(behind) : [];
    this.#add({ by: isTyped ? 'person' : 'agent', text });
  }

  /** A save of the document begins, either Parley's or an automatic one. */
  saving(): void {
    this.#isSaving = true;
  }

  /** The document is saved. */
  saved(): void {
    this.#isSaving = false;
  }

  #applied(text: string): void {
    this.#isApplied = true;
    this.#add({ by: 'agent', text });
  }

  #add(step: WriteStep): void {
    if (this.#list.at(-1)?.by === step.by) this.#list.pop();
    this.#list.push(step);
  }
}
