import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import type { PartContext } from './context';
import { parentOf } from './nesting';
import { isFoldable, ToolFold } from './toolFold';

/** Entries per group. A group that ends among tool calls takes some more, so that they can fold together. */
const SIZE = 32;
const MAX_SIZE = 96;

/**
 * Some neighbouring entries under one element, which the browser skips while it is far from the viewport. Keeps the
 * folds of finished tool calls.
 */
export class EntryGroup {
  readonly element = document.createElement('div');
  readonly ids: EntryId[] = [];
  private readonly elements = new Map<EntryId, HTMLElement>();
  private folds: { readonly key: string; readonly fold: ToolFold }[] = [];

  constructor(
    private readonly context: PartContext,
    private readonly entry: (id: EntryId) => EntryView | undefined,
  ) {
    this.element.className = 'entry-group open';
  }

  /** Whether the next entry belongs into another group. */
  isFull(next: EntryView): boolean {
    if (this.ids.length < SIZE) return false;
    const last = this.entry(this.ids.at(-1)!);
    return this.ids.length >= MAX_SIZE || next.kind !== 'toolCall' || last?.kind !== 'toolCall';
  }

  /** No more entries will come. */
  seal(): void {
    const height = this.ids.reduce((sum, id) => sum + guessHeight(this.entry(id)), 0);
    this.element.classList.remove('open');
    this.element.style.setProperty('contain-intrinsic-block-size', `auto ${height}px`);
  }

  /** Puts an entry's element in its place; entries of a group are built in any order. */
  place(id: EntryId, element: HTMLElement): void {
    this.elements.set(id, element);
    for (let i = this.ids.indexOf(id) + 1; i < this.ids.length; i++) {
      const after = this.elements.get(this.ids[i]!);
      if (after) {
        this.element.insertBefore(element, after);
        return;
      }
    }
    this.element.appendChild(element);
  }

  /** Folds neighbouring finished tool calls. Call after entries were placed or changed; costs what the group is long. */
  refold(): void {
    const before = new Map(this.folds.map(({ key, fold }) => [key, fold]));
    this.folds = [];
    for (let i = 0; i < this.ids.length; ) {
      const start = i;
      const parent = parentOf(this.entry(this.ids[i]!));
      while (i < this.ids.length && this.foldsUnder(parent, this.ids[i]!)) i++;
      const run = this.ids.slice(start, i);
      if (run.length > 1) this.fold(run, before);
      else for (const id of run) this.unfold(id);
      if (run.length === 0) this.unfold(this.ids[i++]!);
    }
    for (const fold of before.values()) fold.element.remove();
  }

  private foldsUnder(parent: EntryId | undefined, id: EntryId): boolean {
    const view = this.entry(id);
    return isFoldable(view) && parentOf(view) === parent && this.elements.has(id);
  }

  private fold(run: readonly EntryId[], before: Map<string, ToolFold>): void {
    const key = `fold:${run[0]}`;
    const toggle = () => {
      this.context.ui.setExpanded(key, !(this.context.ui.isExpanded(key) ?? false));
      this.context.redraw(run[0]!);
    };
    const fold = before.get(key) ?? new ToolFold(toggle);
    before.delete(key);
    this.folds.push({ key, fold });
    const open = this.context.ui.isExpanded(key) ?? false;
    fold.update(run.map((id) => this.entry(id)).filter(isFoldable), open);
    const first = this.elements.get(run[0]!)!;
    fold.element.classList.toggle('nested', first.classList.contains('nested'));
    const { within } = first.dataset;
    if (within !== undefined) fold.element.dataset['within'] = within;
    if (fold.element.nextSibling !== first) this.element.insertBefore(fold.element, first);
    for (const id of run) {
      const element = this.elements.get(id)!;
      element.hidden = !open;
      element.classList.add('in-fold');
    }
  }

  private unfold(id: EntryId): void {
    const element = this.elements.get(id);
    if (!element?.classList.contains('in-fold')) return;
    element.hidden = false;
    element.classList.remove('in-fold');
  }
}

/** A first guess at how tall an entry will be, for the scroll bar. */
function guessHeight(view: EntryView | undefined): number {
  switch (view?.kind) {
    case 'toolCall':
      return view.content.some((c) => c.type !== 'content') ? 180 : 34;
    case 'agentMessage':
    case 'userMessage':
      return view.content.reduce((sum, c) => sum + (c.type === 'text' ? Math.ceil(c.text.length / 50) * 20 : 60), 24);
    default:
      return 34;
  }
}
