import type { EntryId } from '../../src/protocol/entryId';
import { beginsTurn, type EntryView } from '../../src/protocol/entryView';
import type { PartContext } from './context';
import { guessHeight, LINE } from './entryHeight';
import { markNested, type Nesting } from './nesting';
import type { Subagents } from './subagents';
import { isFoldable, ToolFold } from './toolFold';

/**
 * The size of a group, in lines like that of a finished call: it is drawn at once, so taller entries count more. A
 * group that ends among calls that may fold together takes some more.
 */
const SIZE = 16;
const MAX_SIZE = 96;
/** The size of a card. */
const CARD = 4;
const TEXT_PER_LINE = 400;

/** Creates and removes the entries of a group. */
export interface GroupEntries {
  readonly subagents: Subagents;
  view(id: EntryId): EntryView | undefined;
  /** The subagent of an entry, if any. */
  nestingOf(id: EntryId): Nesting | undefined;
  /** The element of an entry, which is drawn if needed. */
  show(id: EntryId): HTMLElement;
  /** The entry is not shown any more. */
  drop(id: EntryId): void;
}

/** Adjacent entries: a single one, or finished calls behind one line. */
interface Run {
  readonly ids: readonly EntryId[];
  readonly fold: string | undefined;
}

/**
 * Some adjacent entries under one element. Near the view they are drawn; far from it the element is empty and has their
 * measured or estimated height. Keeps the folds of finished calls.
 */
export class EntryGroup {
  readonly element = document.createElement('div');
  readonly ids: EntryId[] = [];
  #folds = new Map<string, ToolFold>();
  readonly #foldOf = new Map<EntryId, ToolFold>();
  #drawn = new Set<EntryId>();
  #built = false;
  #height: number | undefined;
  /** The prompt at or before the entry right above the first one. */
  #promptAbove: EntryId | undefined;
  /** The measured height, divided by the guess. */
  #error = 1;
  /** True if all of it was folded into a subagent's line at the last check. */
  #empty = false;

  constructor(
    private readonly context: PartContext,
    private readonly entries: GroupEntries,
  ) {
    this.element.className = 'entry-group';
  }

  /**
   * Updates the prompt before the group.
   * @param above the group right above, if there is one
   * @returns whether it has changed
   */
  follow(above: EntryGroup | undefined): boolean {
    const before = this.#promptAbove;
    this.#promptAbove = above?.promptAt(above.ids.length - 1);
    return this.#promptAbove !== before;
  }

  /**
   * The beginning of an entry's turn, usually its prompt. The cost depends on the group's length, even if the prompt is
   * far above.
   */
  promptAt(index: number): EntryId | undefined {
    return this.ids.findLast((id, at) => at <= index && beginsTurn(this.entries.view(id))) ?? this.#promptAbove;
  }

  /** True if the entries are in the document. */
  get isBuilt(): boolean {
    return this.#built;
  }

  /** True if there is nothing to draw: folded entries cost nothing. */
  get isEmpty(): boolean {
    return this.#empty;
  }

  /** True if the next entry belongs in another group. */
  isFull(next: EntryView): boolean {
    // Computed only now, because a call gets its diff after it was added.
    const size = this.ids.reduce((sum, id) => sum + this.#sizeOf(id), 0);
    if (size < SIZE) return false;
    return size >= MAX_SIZE || !mayFold(next) || !mayFold(this.entries.view(this.ids.at(-1)!));
  }

  /** Takes the next entry. */
  add(id: EntryId): void {
    this.ids.push(id);
  }

  /** Draws the entries. Until `settle`, the element is at least as tall as measured before. */
  build(): void {
    if (this.#built) return;
    this.#built = true;
    this.element.style.removeProperty('block-size');
    if (this.#height !== undefined) this.element.style.setProperty('min-block-size', `${this.#height}px`);
    this.update();
  }

  /** All of it is drawn. */
  settle(): void {
    this.element.style.removeProperty('min-block-size');
  }

  /** @param height the current measurement */
  unbuild(height: number): void {
    if (!this.#built) return;
    this.#built = false;
    this.#height = height;
    const guess = this.#estimate();
    if (guess > 0) this.#error = height / guess;
    for (const id of this.#drawn) this.entries.drop(id);
    this.#drawn.clear();
    this.#folds.clear();
    this.#foldOf.clear();
    this.element.replaceChildren();
    this.settle();
    this.element.style.setProperty('block-size', `${height}px`);
  }

  /** Sets its height to the guess, corrected by the error of the last measurement at another width. */
  guess(): void {
    if (this.#built) return;
    this.element.style.setProperty('block-size', `${Math.round(this.#estimate() * this.#error)}px`);
  }

  /** Entries that are not folded into a subagent's line. */
  get shownIds(): readonly EntryId[] {
    return this.ids.filter((id) => this.entries.subagents.isShown(id));
  }

  /** Returns the entries from one on, for the next group. */
  cutOff(from: number): readonly EntryId[] {
    const rest = this.ids.splice(from);
    for (const id of rest) this.#drawn.delete(id);
    return rest;
  }

  /** Removes an entry that moves elsewhere. Call `update` afterwards. */
  remove(id: EntryId): void {
    this.ids.splice(this.ids.indexOf(id), 1);
    this.#drawn.delete(id);
  }

  /** Draws added or changed entries, and folds adjacent finished calls. The cost depends on the group's length. */
  update(): void {
    if (!this.#built) return;
    const before = this.#folds;
    this.#folds = new Map();
    this.#foldOf.clear();
    const shown: HTMLElement[] = [];
    const drawn = new Set<EntryId>();
    for (const { ids, fold: key } of this.#runs()) {
      const fold = key === undefined ? undefined : (before.get(key) ?? new ToolFold(() => this.#toggle(key, ids[0]!)));
      if (key !== undefined && fold) {
        this.#folds.set(key, fold);
        for (const id of ids) this.#foldOf.set(id, fold);
        this.#drawFold(fold, ids, this.#isOpen(key));
        shown.push(fold.element);
        if (!this.#isOpen(key)) continue;
      }
      for (const id of ids) {
        const element = this.entries.show(id);
        element.classList.toggle('in-fold', fold !== undefined);
        drawn.add(id);
        shown.push(element);
      }
    }
    for (const id of this.#drawn) if (!drawn.has(id)) this.entries.drop(id);
    for (const [key, fold] of before) if (!this.#folds.has(key)) fold.element.remove();
    this.#drawn = drawn;
    this.#place(shown);
  }

  /** The line of a fold that contains the entry, while it is closed. */
  foldLine(id: EntryId): HTMLElement | undefined {
    return this.#foldOf.get(id)?.element;
  }

  /** Opens the fold that an entry is in, if it is in one. */
  unfold(id: EntryId): void {
    const fold = this.#runs().find(({ ids }) => ids.includes(id))?.fold;
    if (fold === undefined || this.#isOpen(fold)) return;
    this.context.ui.setExpanded(fold, true);
    this.update();
  }

  /** The entries of a subagent are usually behind its line, so many groups for them would be useless elements. */
  #sizeOf(id: EntryId): number {
    const view = this.entries.view(id)!;
    if (!this.entries.subagents.isShown(id)) return 1;
    return view.kind === 'toolCall' ? this.#guessOf(id) / LINE : sizeOfText(view);
  }

  #isOpen(fold: string): boolean {
    return this.context.ui.isExpanded(fold) ?? false;
  }

  #toggle(fold: string, first: EntryId): void {
    this.context.ui.setExpanded(fold, !this.#isOpen(fold));
    this.context.redraw(first);
  }

  /** The estimated height of an entry, px. */
  #guessOf(id: EntryId): number {
    try {
      // A subagent's line opens other entries.
      return guessHeight(
        this.entries.view(id)!,
        this.context.ui.isExpanded(this.entries.subagents.has(id) ? `details:${id}` : id),
        (terminal) => this.context.terminal(terminal),
      );
    } catch {
      // A part that failed shows one line.
      return LINE;
    }
  }

  #estimate(): number {
    const heightOf = ({ ids, fold }: Run): number => {
      const entries = fold !== undefined && !this.#isOpen(fold) ? [] : ids;
      return entries.reduce((sum, id) => sum + this.#guessOf(id), fold === undefined ? 0 : LINE);
    };
    return this.#runs().reduce((sum, run) => sum + heightOf(run), 0);
  }

  #runs(): readonly Run[] {
    const runs: Run[] = [];
    const shown = this.shownIds;
    this.#empty = shown.length === 0;
    for (let i = 0; i < shown.length;) {
      const start = i;
      const parent = this.entries.subagents.parentOf(shown[i]!);
      while (i < shown.length && this.#foldsUnder(parent, shown[i]!)) i++;
      if (i === start) i++;
      const ids = shown.slice(start, i);
      runs.push({ ids, fold: ids.length > 1 ? `fold:${ids[0]}` : undefined });
    }
    return runs;
  }

  #foldsUnder(parent: EntryId | undefined, id: EntryId): boolean {
    const { subagents } = this.entries;
    return isFoldable(this.entries.view(id)) && !subagents.has(id) && subagents.parentOf(id) === parent;
  }

  #drawFold(fold: ToolFold, ids: readonly EntryId[], isOpen: boolean): void {
    fold.update(ids.map((id) => this.entries.view(id)).filter(isFoldable), isOpen);
    markNested(fold.element, this.entries.nestingOf(ids[0]!));
  }

  /** Puts the elements in order. Elements that another part has inserted stay behind their predecessor. */
  #place(shown: readonly HTMLElement[]): void {
    const known = new Set<Node>(shown);
    let next = this.element.firstChild;
    for (const element of shown) {
      while (next && !known.has(next)) next = next.nextSibling;
      if (next === element) next = element.nextSibling;
      else this.element.insertBefore(element, next);
    }
  }
}

function sizeOfText(view: EntryView): number {
  if (view.kind !== 'agentMessage' && view.kind !== 'userMessage') return 1;
  return view.content.reduce((sum, c) => sum + (c.type === 'text' ? c.text.length / TEXT_PER_LINE : CARD), 2);
}

/** True if a call may be folded once it is finished. */
function mayFold(view: EntryView | undefined): boolean {
  return view?.kind === 'toolCall' && view.content.every((c) => c.type === 'content');
}
