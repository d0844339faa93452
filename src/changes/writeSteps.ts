import { withLineFeeds } from './lineFeeds';

/**
 * What a document held after one thing that happened to it while an agent's write ran, and whose that was. Steps follow
 * each other.
 */
export interface WriteStep {
  readonly by: 'agent' | 'person';
  readonly text: string;
}

/** Zero-based, as VS Code counts. */
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
 * Whether edits look like what keys do: at each cursor at most one, over what is selected there, or beginning or ending
 * at the cursor within its line and the next. Formatters edit elsewhere, and in many places.
 * @param cursors the selections of the editor that has the keyboard, from before the edits; none where it shows another
 * document.
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

/** Where the cursor stands once this was typed. */
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
 * Follows a document through an agent's write: the edit, and the save with all that formats on it. What is told of
 * comes in the order in which it happened. The edit is known by the text that it leaves, because VS Code applies it to
 * the text that it was made for or not at all. Before the save begins, and after it has ended, nothing but the user
 * changes the document; while it runs what looks like typing is the user's, and the rest is the formatters'.
 */
export class WriteSteps {
  readonly #list: WriteStep[] = [];
  readonly #target: string;
  #isApplied = false;
  #isSaving = false;
  #typedAt: readonly Span[] = [];

  /** @param before what the document holds. @param text what the agent wants it to hold. */
  constructor(before: string, text: string) {
    this.#target = withLineFeeds(text);
    if (withLineFeeds(before) === this.#target) this.#applied(before);
  }

  /** What happened so far; neighbours of the same author are one. */
  get steps(): readonly WriteStep[] {
    return this.#list;
  }

  get hasTyping(): boolean {
    return this.#list.some(({ by }) => by === 'person');
  }

  /** The document was changed. @param text what it holds now. @param cursors see `isTyping`. */
  changed(text: string, edits: readonly SeenEdit[], cursors: readonly Span[]): void {
    if (!this.#isApplied) {
      if (withLineFeeds(text) === this.#target) this.#applied(text);
      return;
    }
    // Keys may be faster than what tells of the cursor.
    const isTyped = !this.#isSaving || isTyping(edits, cursors) || isTyping(edits, this.#typedAt);
    this.#typedAt = isTyped ? edits.map(behind) : [];
    this.#add({ by: isTyped ? 'person' : 'agent', text });
  }

  /** A save of the document begins, ours or an automatic one. */
  saving(): void {
    this.#isSaving = true;
  }

  /** The document is on disk. */
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
