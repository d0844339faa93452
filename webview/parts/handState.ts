import type { EntryId } from '../../src/protocol/entryId';

/** The user's change to one of the browser's own controls in an entry. */
interface Kept {
  /** The path of child indices from the entry's element. */
  readonly path: readonly number[];
  readonly tag: string;
  readonly left: number;
  readonly top: number;
  readonly isOpen: boolean;
}

/** The most touched elements of one entry. */
const MAX_TOUCHED = 64;

/**
 * Remembers the DOM state of entries that are not drawn for a while: scroll positions within code or output, and opened
 * details.
 */
export class HandState {
  readonly #touched = new Map<EntryId, Set<Element>>();
  readonly #kept = new Map<EntryId, readonly Kept[]>();

  /** @param thread contains the watched entries */
  constructor(private readonly thread: HTMLElement) {
    for (const type of ['scroll', 'toggle'] as const)
      thread.addEventListener(type, (event) => this.#note(event.target), { capture: true, passive: true });
  }

  /** Another thread is shown. */
  clear(): void {
    this.#touched.clear();
    this.#kept.clear();
  }

  /** Call before an entry's element is removed. */
  keep(id: EntryId, element: Element): void {
    // The browser reports an opened element a moment later.
    const touched = new Set([
      ...(this.#touched.get(id) ?? []),
      ...[...element.querySelectorAll('details[open]')].slice(0, MAX_TOUCHED),
    ]);
    this.#touched.delete(id);
    // It was removed again before its state was restored.
    if (this.#kept.has(id)) return;
    const kept = [...touched]
      .filter((one) => element.contains(one))
      .map((one): Kept => ({
        path: pathTo(one, element),
        tag: one.tagName,
        left: one.scrollLeft,
        top: one.scrollTop,
        isOpen: one instanceof HTMLDetailsElement && one.open,
      }));
    if (kept.length > 0) this.#kept.set(id, kept);
  }

  /** Call it once an entry is drawn anew, after its layout. @returns whether there was something to restore */
  restore(id: EntryId, element: Element): boolean {
    const kept = this.#kept.get(id);
    if (!kept) return false;
    this.#kept.delete(id);
    for (const { path, tag, left, top, isOpen } of kept) {
      const found = path.reduce<Element | undefined>((parent, at) => parent?.children[at], element);
      if (found?.tagName !== tag) continue;
      if (found instanceof HTMLDetailsElement) found.open = isOpen;
      else found.scrollTo({ left, top, behavior: 'instant' });
      this.#note(found);
    }
    return true;
  }

  /** True if there is something to restore. */
  has(id: EntryId): boolean {
    return this.#kept.has(id);
  }

  #note(target: EventTarget | null): void {
    if (!(target instanceof Element) || target === this.thread) return;
    const id = target.closest<HTMLElement>('[data-entry]')?.dataset['entry'];
    if (id === undefined) return;
    const touched = this.#touched.get(id) ?? new Set();
    this.#touched.set(id, touched);
    if (touched.size < MAX_TOUCHED) touched.add(target);
  }
}

function pathTo(element: Element, root: Element): number[] {
  const path: number[] = [];
  for (let at = element; at !== root; at = at.parentElement!) path.unshift([...at.parentElement!.children].indexOf(at));
  return path;
}
