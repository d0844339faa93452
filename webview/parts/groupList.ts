import type { EntryId } from '../../src/protocol/entryId';
import type { EntryGroup } from './entryGroup';
import type { Subagents } from './subagents';

/** The number of groups in a section. */
const SIZE = 32;

/**
 * The elements of groups, in sections. The browser visits all children of a box in which a height changes, so thousands
 * of groups in one box cost some milliseconds in each frame.
 */
class GroupSections {
  constructor(private readonly list: HTMLElement) {}

  clear(): void {
    this.list.replaceChildren();
  }

  /** Adds groups before all others. */
  prepend(elements: readonly HTMLElement[]): void {
    const sections: HTMLElement[] = [];
    for (let i = 0; i < elements.length; i += SIZE) {
      const section = create();
      section.append(...elements.slice(i, i + SIZE));
      sections.push(section);
    }
    this.list.prepend(...sections);
  }

  /**
   * Adds a group after another, or as the first one. Moves none, because a moved element loses its focus and its scroll
   * position.
   */
  addAfter(before: HTMLElement | undefined, element: HTMLElement): void {
    const section = before?.parentElement;
    if (!before || !section) return this.prepend([element]);
    if (section.childElementCount < SIZE) return before.after(element);
    const next = create();
    next.append(element);
    // In the middle of a full section, it begins one within that section.
    (before === section.lastElementChild ? section : before).after(next);
  }

  remove(element: HTMLElement): void {
    let section = element.parentElement;
    element.remove();
    while (section && section !== this.list && !section.hasChildNodes()) {
      const parent: HTMLElement | null = section.parentElement;
      section.remove();
      section = parent;
    }
  }
}

function create(): HTMLElement {
  const section = document.createElement('div');
  section.className = 'entry-section';
  return section;
}

export interface GroupListOptions {
  /** The parent of the groups. */
  readonly element: HTMLElement;
  readonly subagents: Subagents;
  create(): EntryGroup;
  /** True if the next entry belongs in another group. */
  isFull(group: EntryGroup, next: EntryId): boolean;
  /** A drawn group was split. @param rest the second part, which must be drawn */
  didCut(group: EntryGroup, rest: EntryGroup): void;
  didRemove(group: EntryGroup): void;
}

/**
 * All groups of entries in display order: as they came, except that a subagent's entries follow its call. So an entry
 * may be inserted in the middle; the group there is then split.
 */
export class GroupList {
  readonly groups: EntryGroup[] = [];
  readonly #groupOf = new Map<EntryId, EntryGroup>();

  readonly #sections: GroupSections;

  constructor(private readonly options: GroupListOptions) {
    this.#sections = new GroupSections(options.element);
  }

  /** Another thread is shown. */
  clear(): void {
    this.groups.length = 0;
    this.#groupOf.clear();
    this.#sections.clear();
  }

  get(id: EntryId): EntryGroup | undefined {
    return this.#groupOf.get(id);
  }

  /** All entries in display order. */
  order(): EntryId[] {
    return this.groups.flatMap(({ ids }) => ids);
  }

  /**
   * Inserts an entry and its children. Children of a call without a place are inserted with the call.
   * @returns the groups that changed
   */
  place(id: EntryId): ReadonlySet<EntryGroup> {
    const changed = new Set<EntryGroup>();
    if (this.#groupOf.has(id)) return changed;
    const above = this.options.subagents.above(id);
    if (above === undefined || this.#groupOf.has(above)) this.#placeAll(id, above, changed);
    return changed;
  }

  /** An entry now belongs to a subagent. @param drop called for each entry that is no longer drawn */
  move(id: EntryId, drop: (id: EntryId) => void): ReadonlySet<EntryGroup> {
    const changed = new Set<EntryGroup>();
    this.#take(id, drop, changed);
    for (const group of this.place(id)) changed.add(group);
    return withEntries(changed);
  }

  /**
   * Inserts entries before all others.
   * @param adopted existing entries that now belong to one of them
   * @param drop called for each entry that is no longer drawn
   * @returns the groups that changed
   */
  placeEarlier(
    ids: readonly EntryId[],
    adopted: readonly EntryId[],
    drop: (id: EntryId) => void,
  ): ReadonlySet<EntryGroup> {
    const changed = new Set<EntryGroup>();
    for (const id of adopted) this.#take(id, drop, changed);
    const groups = this.#gather(ids.filter((id) => this.options.subagents.parentOf(id) === undefined));
    this.groups.unshift(...groups);
    this.#sections.prepend(groups.map(({ element }) => element));
    // The first group now follows another prompt, and so do the next ones, up to a prompt.
    this.groups.every((group, i) => group.follow(this.groups[i - 1]) || i < groups.length);
    for (const group of groups) changed.add(group);
    // Earlier children of an existing call move below that call.
    for (const id of [...ids, ...adopted]) for (const group of this.place(id)) changed.add(group);
    return withEntries(changed);
  }

  /** The groups with a call and its children. */
  within(id: EntryId): readonly EntryGroup[] {
    const first = this.#groupOf.get(id);
    const last = this.#groupOf.get(this.options.subagents.lastOf(id));
    if (!first || !last) return [];
    return first === last ? [first] : this.groups.slice(this.groups.indexOf(first), this.groups.indexOf(last) + 1);
  }

  /** Removes an entry and its children from their places. */
  #take(id: EntryId, drop: (id: EntryId) => void, changed: Set<EntryGroup>): void {
    const group = this.#groupOf.get(id);
    if (!group) return;
    drop(id);
    group.remove(id);
    this.#groupOf.delete(id);
    if (group.ids.length === 0) this.#remove(group);
    else changed.add(group);
    for (const child of this.options.subagents.childrenOf(id)) this.#take(child, drop, changed);
  }

  /** Makes new groups of entries with their children. */
  #gather(ids: readonly EntryId[]): EntryGroup[] {
    const groups: EntryGroup[] = [];
    const add = (id: EntryId) => {
      let group = groups.at(-1);
      if (!group || this.options.isFull(group, id)) groups.push((group = this.options.create()));
      this.#put(id, group);
      this.options.subagents.childrenOf(id).forEach(add);
    };
    ids.forEach(add);
    return groups;
  }

  #put(id: EntryId, group: EntryGroup): void {
    group.add(id);
    this.#groupOf.set(id, group);
  }

  #placeAll(id: EntryId, above: EntryId | undefined, changed: Set<EntryGroup>): EntryId {
    this.#insert(id, above, changed);
    let last = id;
    for (const child of this.options.subagents.childrenOf(id)) last = this.#placeAll(child, last, changed);
    return last;
  }

  #insert(id: EntryId, above: EntryId | undefined, changed: Set<EntryGroup>): void {
    let group = above === undefined ? this.groups.at(-1) : this.#groupOf.get(above)!;
    if (group && above !== undefined && group.ids.at(-1) !== above)
      this.#cut(group, group.ids.indexOf(above) + 1, changed);
    if (!group || this.options.isFull(group, id)) group = this.#addAfter(group);
    this.#put(id, group);
    changed.add(group);
  }

  #cut(group: EntryGroup, at: number, changed: Set<EntryGroup>): void {
    const rest = this.#addAfter(group);
    for (const id of group.cutOff(at)) this.#put(id, rest);
    rest.follow(group);
    changed.add(group).add(rest);
    if (group.isBuilt) this.options.didCut(group, rest);
  }

  #addAfter(group: EntryGroup | undefined): EntryGroup {
    const next = this.options.create();
    next.follow(group);
    if (!group || group === this.groups.at(-1)) this.groups.push(next);
    else this.groups.splice(this.groups.indexOf(group) + 1, 0, next);
    this.#sections.addAfter(group?.element, next.element);
    return next;
  }

  #remove(group: EntryGroup): void {
    this.groups.splice(this.groups.indexOf(group), 1);
    this.#sections.remove(group.element);
    this.options.didRemove(group);
  }
}

/** Leaves out removed groups. */
function withEntries(groups: Set<EntryGroup>): ReadonlySet<EntryGroup> {
  for (const group of groups) if (group.ids.length === 0) groups.delete(group);
  return groups;
}
