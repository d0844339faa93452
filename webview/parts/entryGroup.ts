import type { EntryId } from '../../src/protocol/entryId';
import { beginsTurn, type EntryView } from '../../src/protocol/entryView';
import type { PartContext } from './context';
import { guessHeight, LINE } from './entryHeight';
import { markNested, type Nesting } from './nesting';
import type { Subagents } from './subagents';
import { isFoldable, ToolFold } from './toolFold';

/**
 * How much a group takes, in lines like that of a finished call: it is drawn in one go, so what is taller counts more.
 * A group that ends among calls that may fold together takes some more.
 */
const SIZE = 16;
const MAX_SIZE = 96;
/** What stands between texts. */
const CARD = 4;
const TEXT_PER_LINE = 400;

/** Makes and removes the entries of a group. */
export interface GroupEntries {
  readonly subagents: Subagents;
  view(id: EntryId): EntryView | undefined;
  /** Whose entry it is, where it is a subagent's. */
  nestingOf(id: EntryId): Nesting | undefined;
  /** The element of an entry, which is drawn if it was not. */
  show(id: EntryId): HTMLElement;
  /** The entry is not shown any more. */
  drop(id: EntryId): void;
}

/** Neighbouring entries: one that stands for itself, or finished calls behind one line. */
interface Run {
  readonly ids: readonly EntryId[];
  readonly fold: string | undefined;
}

/**
 * Some neighbouring entries under one element. Near the view they are drawn; far from it the element is empty and has
 * the height that they had, or will have about. Keeps the folds of finished calls.
 */
export class EntryGroup {
  readonly element = document.createElement('div');
  readonly ids: EntryId[] = [];
  #folds = new Map<string, ToolFold>();
  readonly #foldOf = new Map<EntryId, ToolFold>();
  #drawn = new Set<EntryId>();
  #built = false;
  #height: number | undefined;
  /** The prompt that the entry right above the first one is or follows. */
  #promptAbove: EntryId | undefined;
  /** What it measured, divided by the guess. */
  #error = 1;
  /** All of it is folded into a subagent's line, when it was last looked at. */
  #empty = false;

  constructor(
    private readonly context: PartContext,
    private readonly entries: GroupEntries,
  ) {
    this.element.className = 'entry-group';
  }

  /**
   * Takes note of the prompt that the group follows.
   * @param above the group right above, if there is one
   * @returns whether it is another now
   */
  follow(above: EntryGroup | undefined): boolean {
    const before = this.#promptAbove;
    this.#promptAbove = above?.promptAt(above.ids.length - 1);
    return this.#promptAbove !== before;
  }

  /**
   * The beginning of the turn that an entry belongs to, mostly its prompt. Costs what the group is long, also where the
   * prompt is far above.
   */
  promptAt(index: number): EntryId | undefined {
    return this.ids.findLast((id, at) => at <= index && beginsTurn(this.entries.view(id))) ?? this.#promptAbove;
  }

  /** Whether the entries are in the document. */
  get isBuilt(): boolean {
    return this.#built;
  }

  /** Whether there is nothing to draw: what is folded away costs nothing. */
  get isEmpty(): boolean {
    return this.#empty;
  }

  /** Whether the next entry belongs into another group. */
  isFull(next: EntryView): boolean {
    // Looked at only now, because a call gets its diff after it was added.
    const size = this.ids.reduce((sum, id) => sum + this.#sizeOf(id), 0);
    if (size < SIZE) return false;
    return size >= MAX_SIZE || !mayFold(next) || !mayFold(this.entries.view(this.ids.at(-1)!));
  }

  /** Takes the next entry. */
  add(id: EntryId): void {
    this.ids.push(id);
  }

  /** Draws the entries. Until `settle` the element is not smaller than it was, as far as that was measured. */
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

  /** @param height what it measures now */
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

  /** Takes a guess as its height. Where it was measured at another width, the guess is as wrong as it was then. */
  guess(): void {
    if (this.#built) return;
    this.element.style.setProperty('block-size', `${Math.round(this.#estimate() * this.#error)}px`);
  }

  /** Entries that are not folded into a subagent's line. */
  get shownIds(): readonly EntryId[] {
    return this.ids.filter((id) => this.entries.subagents.isShown(id));
  }

  /** Hands over the entries from one on, for the group that comes to follow this one. */
  cutOff(from: number): readonly EntryId[] {
    const rest = this.ids.splice(from);
    for (const id of rest) this.#drawn.delete(id);
    return rest;
  }

  /** An entry goes elsewhere. Call `update` after it. */
  remove(id: EntryId): void {
    this.ids.splice(this.ids.indexOf(id), 1);
    this.#drawn.delete(id);
  }

  /**
   * Follows entries that were added or changed, and folds neighbouring finished calls. Costs what the group is long.
   */
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

  /** The line that stands for an entry with others while they are folded. */
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

  /** What a subagent did is behind its line for the most part, and many groups of it would be elements for nothing. */
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

  /** About how tall an entry is, px. */
  #guessOf(id: EntryId): number {
    try {
      // The line of a subagent opens other entries.
      return guessHeight(
        this.entries.view(id)!,
        this.context.ui.isExpanded(this.entries.subagents.has(id) ? `details:${id}` : id),
        (terminal) => this.context.terminal(terminal),
      );
    } catch {
      // What cannot be shown is a line that says so.
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

  /** Puts the elements in order. What another part put between them stays behind what it follows. */
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

/** Whether a call may come to stand in a fold, once it is finished. */
function mayFold(view: EntryView | undefined): boolean {
  return view?.kind === 'toolCall' && view.content.every((c) => c.type === 'content');
}
