import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import type { PartContext } from './context';
import { guessHeight, LINE } from './entryHeight';
import { nestingOf, parentOf } from './nesting';
import { isFoldable, ToolFold } from './toolFold';

/** Entries per group. A group that ends among calls that may fold together takes some more. */
const SIZE = 16;
const MAX_SIZE = 96;

/** Makes and removes the entries of a group. */
export interface GroupEntries {
  view(id: EntryId): EntryView | undefined;
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
 * Some neighbouring entries under one element. Near the view they are drawn; far from it the element is empty and has the
 * height that they had, or will have about. Keeps the folds of finished calls.
 */
export class EntryGroup {
  readonly element = document.createElement('div');
  readonly ids: EntryId[] = [];
  private folds = new Map<string, ToolFold>();
  private readonly foldOf = new Map<EntryId, ToolFold>();
  private drawn = new Set<EntryId>();
  private built = false;
  private height: number | undefined;
  /** What it measured, divided by the guess. */
  private error = 1;

  /** @param above the entry right above the first one, if there is one */
  constructor(
    private readonly context: PartContext,
    private readonly entries: GroupEntries,
    private readonly above: EntryId | undefined,
  ) {
    this.element.className = 'entry-group';
  }

  /** Whether the entries are in the document. */
  get isBuilt(): boolean {
    return this.built;
  }

  /** Whether the next entry belongs into another group. */
  isFull(next: EntryView): boolean {
    if (this.ids.length < SIZE) return false;
    return this.ids.length >= MAX_SIZE || !mayFold(next) || !mayFold(this.entries.view(this.ids.at(-1)!));
  }

  /** Draws the entries. Until `settle` the element is not smaller than it was, as far as that was measured. */
  build(): void {
    if (this.built) return;
    this.built = true;
    this.element.style.removeProperty('block-size');
    if (this.height !== undefined) this.element.style.setProperty('min-block-size', `${this.height}px`);
    this.update();
  }

  /** All of it is drawn. */
  settle(): void {
    this.element.style.removeProperty('min-block-size');
  }

  /** @param height what it measures now */
  unbuild(height: number): void {
    if (!this.built) return;
    this.built = false;
    this.height = height;
    this.error = height / this.estimate();
    for (const id of this.drawn) this.entries.drop(id);
    this.drawn.clear();
    this.folds.clear();
    this.foldOf.clear();
    this.element.replaceChildren();
    this.settle();
    this.element.style.setProperty('block-size', `${height}px`);
  }

  /** Takes a guess as its height. Where it was measured at another width, the guess is as wrong as it was then. */
  guess(): void {
    if (this.built) return;
    this.element.style.setProperty('block-size', `${Math.round(this.estimate() * this.error)}px`);
  }

  /** Follows entries that were added or changed, and folds neighbouring finished calls. Costs what the group is long. */
  update(): void {
    if (!this.built) return;
    const before = this.folds;
    this.folds = new Map();
    this.foldOf.clear();
    const shown: HTMLElement[] = [];
    const drawn = new Set<EntryId>();
    for (const { ids, fold: key } of this.runs()) {
      const fold = key === undefined ? undefined : (before.get(key) ?? new ToolFold(() => this.toggle(key, ids[0]!)));
      if (key !== undefined && fold) {
        this.folds.set(key, fold);
        for (const id of ids) this.foldOf.set(id, fold);
        this.drawFold(fold, ids, this.isOpen(key));
        shown.push(fold.element);
        if (!this.isOpen(key)) continue;
      }
      for (const id of ids) {
        const element = this.entries.show(id);
        element.classList.toggle('in-fold', fold !== undefined);
        drawn.add(id);
        shown.push(element);
      }
    }
    for (const id of this.drawn) if (!drawn.has(id)) this.entries.drop(id);
    for (const [key, fold] of before) if (!this.folds.has(key)) fold.element.remove();
    this.drawn = drawn;
    this.place(shown);
  }

  /** The line that stands for an entry with others while they are folded. */
  foldLine(id: EntryId): HTMLElement | undefined {
    return this.foldOf.get(id)?.element;
  }

  /** Opens the fold that an entry is in, if it is in one. */
  unfold(id: EntryId): void {
    const fold = this.runs().find(({ ids }) => ids.includes(id))?.fold;
    if (fold === undefined || this.isOpen(fold)) return;
    this.context.ui.setExpanded(fold, true);
    this.update();
  }

  /** Whose entry it is, where it is a subagent's. */
  nestingOf(id: EntryId): ReturnType<typeof nestingOf> {
    return nestingOf(this.entries.view(id)!, this.ids[this.ids.indexOf(id) - 1] ?? this.above, (other) => this.entries.view(other));
  }

  private isOpen(fold: string): boolean {
    return this.context.ui.isExpanded(fold) ?? false;
  }

  private toggle(fold: string, first: EntryId): void {
    this.context.ui.setExpanded(fold, !this.isOpen(fold));
    this.context.redraw(first);
  }

  private estimate(): number {
    const terminal = (id: string) => this.context.terminal(id);
    const guess = (id: EntryId): number => {
      try {
        return guessHeight(this.entries.view(id)!, this.context.ui.isExpanded(id), terminal);
      } catch {
        // What cannot be shown is a line that says so.
        return LINE;
      }
    };
    const heightOf = ({ ids, fold }: Run): number => {
      const entries = fold !== undefined && !this.isOpen(fold) ? [] : ids;
      return entries.reduce((sum, id) => sum + guess(id), fold === undefined ? 0 : LINE);
    };
    return this.runs().reduce((sum, run) => sum + heightOf(run), 0);
  }

  private runs(): readonly Run[] {
    const runs: Run[] = [];
    for (let i = 0; i < this.ids.length; ) {
      const start = i;
      const parent = parentOf(this.entries.view(this.ids[i]!));
      while (i < this.ids.length && this.foldsUnder(parent, this.ids[i]!)) i++;
      if (i === start) i++;
      const ids = this.ids.slice(start, i);
      runs.push({ ids, fold: ids.length > 1 ? `fold:${ids[0]}` : undefined });
    }
    return runs;
  }

  private foldsUnder(parent: EntryId | undefined, id: EntryId): boolean {
    const view = this.entries.view(id);
    return isFoldable(view) && parentOf(view) === parent;
  }

  private drawFold(fold: ToolFold, ids: readonly EntryId[], isOpen: boolean): void {
    fold.update(ids.map((id) => this.entries.view(id)).filter(isFoldable), isOpen);
    const first = ids[0]!;
    const within = this.nestingOf(first);
    fold.element.classList.toggle('nested', within !== undefined);
    if (within?.label !== undefined) fold.element.dataset['within'] = within.label;
  }

  /** Puts the elements in order. What another part put between them stays behind what it follows. */
  private place(shown: readonly HTMLElement[]): void {
    const known = new Set<Node>(shown);
    let next = this.element.firstChild;
    for (const element of shown) {
      while (next && !known.has(next)) next = next.nextSibling;
      if (next === element) next = element.nextSibling;
      else this.element.insertBefore(element, next);
    }
  }
}

/** Whether a call may come to stand in a fold, once it is finished. */
function mayFold(view: EntryView | undefined): boolean {
  return view?.kind === 'toolCall' && view.content.every((c) => c.type === 'content');
}
