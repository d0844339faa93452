import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import { isActive } from './toolStatus';

/** The state of a subagent. */
export interface SubagentState {
  readonly status:
    | 'running'
    | 'paused'
    | 'waiting'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'stopped'
    | 'blocked'
    | 'unfinished'
    | 'rejected';
  /** The number of its own calls. */
  readonly calls: number;
  /** Its current activity, in the words of its last call. */
  readonly activity?: string;
}

/** Deeper subagents count as this deep. It limits the work that an agent can cause. */
const MAX_DEPTH = 8;

interface Node {
  parent: EntryId | undefined;
  /** 1 below the agent itself. */
  depth: number;
  readonly children: EntryId[];
  calls: number;
  /** Children that still run, even if their own call has ended. */
  readonly busy: Set<EntryId>;
  /** Children that contain a pending question. */
  readonly asking: Set<EntryId>;
  latest: EntryId | undefined;
}

/**
 * The entries of each call's subagent, and its state. Handles one entry at a time; the cost depends on the depth alone.
 */
export class Subagents {
  readonly #nodes = new Map<EntryId, Node>();
  /** Children of calls that have not come. */
  #waiting = new Map<EntryId, Set<EntryId>>();

  /** @param view finds an entry @param isOpen whether the user opened a subagent */
  constructor(
    private readonly view: (id: EntryId) => EntryView | undefined,
    private readonly isOpen: (id: EntryId) => boolean,
  ) {}

  /** Another thread is shown. */
  clear(): void {
    this.#nodes.clear();
    this.#waiting.clear();
  }

  /** Adds or updates an entry. @returns whether it has just got a parent */
  note(id: EntryId): boolean {
    const view = this.view(id);
    const wanted = view && 'parentId' in view ? view.parentId : undefined;
    const isLinked =
      wanted !== undefined && this.parentOf(id) === undefined && this.#link(id, wanted, view!.kind === 'toolCall');
    if (wanted !== undefined && !this.view(wanted))
      this.#waiting.set(wanted, (this.#waiting.get(wanted) ?? new Set()).add(id));
    this.#settle(id);
    return isLinked;
  }

  /**
   * Adds entries before all others.
   * @returns earlier children of calls among them
   */
  noteEarlier(ids: readonly EntryId[]): readonly EntryId[] {
    const later = this.#waiting;
    this.#waiting = new Map();
    for (const id of ids) this.note(id);
    for (const [call, children] of later)
      this.#waiting.set(call, new Set([...(this.#waiting.get(call) ?? []), ...children]));
    return ids.flatMap((id) => this.adopt(id));
  }

  /** True if any child came before its call. */
  get awaitsCalls(): boolean {
    return this.#waiting.size > 0;
  }

  /** A call has come. @returns its children that came before it */
  adopt(call: EntryId): readonly EntryId[] {
    const waiting = this.#waiting.get(call);
    if (!waiting) return [];
    this.#waiting.delete(call);
    return [...waiting].filter((id) => this.note(id));
  }

  /** True if this call has children. */
  has(id: EntryId): boolean {
    return (this.#nodes.get(id)?.children.length ?? 0) > 0;
  }

  /** The state of a call's subagent; `undefined` if it has none. */
  state(id: EntryId): SubagentState | undefined {
    const view = this.view(id);
    const node = this.#nodes.get(id);
    if (view?.kind !== 'toolCall' || (!view.isSubagent && !node?.children.length)) return undefined;
    const latest = node?.latest !== undefined && node.busy.has(node.latest) ? this.view(node.latest) : undefined;
    const activity = latest?.kind === 'toolCall' ? { activity: latest.title } : {};
    return {
      status: this.#asks(id)
        ? 'waiting'
        : view.status === 'pending' || (view.status === 'completed' && node !== undefined && node.busy.size > 0)
          ? 'running'
          : view.status,
      calls: node?.calls ?? 0,
      ...activity,
    };
  }

  parentOf(id: EntryId): EntryId | undefined {
    return this.#nodes.get(id)?.parent;
  }

  depthOf(id: EntryId): number {
    return this.#nodes.get(id)?.depth ?? 0;
  }

  childrenOf(id: EntryId): readonly EntryId[] {
    return this.#nodes.get(id)?.children ?? [];
  }

  /** The ancestor calls, the nearest first. */
  ancestorsOf(id: EntryId): readonly EntryId[] {
    const found: EntryId[] = [];
    for (let at = this.parentOf(id); at !== undefined; at = this.parentOf(at)) found.push(at);
    return found;
  }

  /** The last descendant of a call, or the call itself. */
  lastOf(id: EntryId): EntryId {
    let last = id;
    for (let next: EntryId | undefined = id; next !== undefined; next = this.childrenOf(next).at(-1)) last = next;
    return last;
  }

  /** The entry right above a child; `undefined` for an entry outside of subagents. */
  above(id: EntryId): EntryId | undefined {
    const parent = this.parentOf(id);
    if (parent === undefined) return undefined;
    const siblings = this.childrenOf(parent);
    const before = siblings[siblings.lastIndexOf(id) - 1];
    return before === undefined ? parent : this.lastOf(before);
  }

  /** True if it is not folded. A pending question never is. */
  isShown(id: EntryId): boolean {
    return this.standIn(id) === id;
  }

  /** The entry itself, or the folded call that hides it. */
  standIn(id: EntryId): EntryId {
    let shown = id;
    let at = id;
    for (const parent of this.ancestorsOf(id)) {
      if (!this.isOpen(parent) && !this.#asks(at)) shown = parent;
      at = parent;
    }
    return shown;
  }

  #link(id: EntryId, wanted: EntryId, isCall: boolean): boolean {
    if (wanted === id || this.view(wanted)?.kind !== 'toolCall' || this.ancestorsOf(wanted).includes(id)) return false;
    const height = this.#heightOf(id);
    let parent: EntryId | undefined = wanted;
    while (parent !== undefined && this.depthOf(parent) + height >= MAX_DEPTH) parent = this.parentOf(parent);
    if (parent === undefined) return false;
    const above = this.#nodeOf(parent);
    above.children.push(id);
    if (isCall) above.calls++;
    const node = this.#nodeOf(id);
    node.parent = parent;
    this.#sink(id, above.depth + 1);
    return true;
  }

  /** Updates the state of the calls above. */
  #settle(id: EntryId): void {
    let at = id;
    for (const parent of this.ancestorsOf(id)) {
      const node = this.#nodes.get(parent)!;
      const view = this.view(at);
      const isBusy = (view?.kind === 'toolCall' && isActive(view.status)) || (this.#nodes.get(at)?.busy.size ?? 0) > 0;
      if (isBusy && at === id && view?.kind === 'toolCall') node.latest = at;
      put(node.busy, at, isBusy);
      put(node.asking, at, this.#asks(at));
      at = parent;
    }
  }

  #asks(id: EntryId): boolean {
    const view = this.view(id);
    return (view?.kind === 'toolCall' && view.permissions.length > 0) || (this.#nodes.get(id)?.asking.size ?? 0) > 0;
  }

  /** The number of levels below. */
  #heightOf(id: EntryId): number {
    return this.childrenOf(id).reduce((height, child) => Math.max(height, 1 + this.#heightOf(child)), 0);
  }

  #sink(id: EntryId, depth: number): void {
    const node = this.#nodes.get(id);
    if (!node) return;
    node.depth = depth;
    for (const child of node.children) this.#sink(child, depth + 1);
  }

  #nodeOf(id: EntryId): Node {
    const known = this.#nodes.get(id);
    if (known) return known;
    const node: Node = {
      parent: undefined,
      depth: 0,
      children: [],
      calls: 0,
      busy: new Set(),
      asking: new Set(),
      latest: undefined,
    };
    this.#nodes.set(id, node);
    return node;
  }
}

function put(set: Set<EntryId>, id: EntryId, isIn: boolean): void {
  if (isIn) set.add(id);
  else set.delete(id);
}
