import type { ContentView } from './contentView';
import type { EntryId } from './entryId';
import type { EntryView } from './entryView';
import type { TerminalRow, TerminalView } from './terminalView';
import type { PanelView, ThreadView } from './viewModel';

/** One change of the panel's state. Patches apply in order; their cost does not depend on the thread's length. */
export type ViewPatch =
  /** Replaces the named fields of the panel. A field that is `undefined` here is removed. */
  | {
      readonly op: 'panel/set';
      readonly fields: Partial<{ [K in keyof PanelView]: PanelView[K] | undefined }>;
      readonly cleared?: readonly (keyof PanelView)[];
    }
  | { readonly op: 'entry/add'; readonly entry: EntryView }
  /** Entries that the snapshot left out, before the first or after the last received one; `rest` more will follow. */
  | {
      readonly op: 'entry/addRest';
      readonly at: 'start' | 'end';
      readonly entries: readonly EntryView[];
      readonly rest: number;
    }
  | { readonly op: 'entry/replace'; readonly entry: EntryView }
  /** Appends to the text of `content[part]`; with `part` = `content.length` a new text part begins. */
  | { readonly op: 'entry/appendText'; readonly id: EntryId; readonly part: number; readonly text: string }
  /** Closes a message or thought: no text will be appended. Its text stays the same object. */
  | {
      readonly op: 'entry/close';
      readonly id: EntryId;
      readonly durationMs?: number;
      /** See `AgentMessageView`. */ readonly endsTurn?: true;
    }
  | { readonly op: 'terminal/set'; readonly terminal: TerminalView }
  /**
   * Replaces all rows from number `start` (absolute) on, drops rows before `firstRow`. `start` is never before the
   * receiver's first row.
   */
  | {
      readonly op: 'terminal/rows';
      readonly terminalId: string;
      readonly firstRow: number;
      readonly start: number;
      readonly rows: readonly TerminalRow[];
    };

/** The effect of a batch of patches; the view redraws only this. */
export interface Touched {
  panel: boolean;
  readonly added: EntryId[];
  /** Added before all known entries, in their order. */
  readonly earlier: EntryId[];
  /** The last remaining entries have arrived. */
  completed: boolean;
  readonly replaced: Set<EntryId>;
  /** Entries whose text is now complete; only `streaming` and a duration have changed. */
  readonly closed: Set<EntryId>;
  /**
   * Text appended, per entry and part, in order. Only for entries that were neither added nor replaced in the batch.
   */
  readonly appended: { readonly id: EntryId; readonly part: number; readonly text: string }[];
  readonly terminals: Set<string>;
}

/**
 * The receiver's copy of the state. It is mutable on purpose: a patch must not copy a list of 100,000 entries.
 * Only `reset` and `apply` change it.
 */
export class Replica {
  threadId = '';
  panel: PanelView;
  readonly order: EntryId[] = [];
  readonly entries = new Map<EntryId, EntryView>();
  readonly terminals = new Map<string, TerminalView>();
  #rest = 0;

  constructor(view: ThreadView) {
    this.panel = view.panel;
    this.reset(view);
  }

  /** True if all entries have arrived. Those near the view come first, the rest follows in patches. */
  get isWhole(): boolean {
    return this.#rest === 0;
  }

  /** Replaces the state by a snapshot. */
  reset(view: ThreadView): void {
    this.threadId = view.threadId;
    this.panel = view.panel;
    this.#rest = view.rest ?? 0;
    this.order.length = 0;
    this.entries.clear();
    this.terminals.clear();
    for (const entry of view.entries) {
      this.order.push(entry.id);
      this.entries.set(entry.id, entry);
    }
    for (const terminal of view.terminals) this.terminals.set(terminal.terminalId, terminal);
  }

  /**
   * Applies patches in order.
   * @throws Error if a patch does not fit this state; the caller must then ask for a snapshot.
   */
  apply(patches: readonly ViewPatch[]): Touched {
    const touched: Touched = {
      panel: false,
      added: [],
      earlier: [],
      completed: false,
      replaced: new Set(),
      closed: new Set(),
      appended: [],
      terminals: new Set(),
    };
    for (const patch of patches) this.#applyOne(patch, touched);
    return touched;
  }

  #applyOne(patch: ViewPatch, touched: Touched): void {
    switch (patch.op) {
      case 'panel/set': {
        const next = { ...this.panel, ...patch.fields } as Record<string, unknown>;
        for (const key of patch.cleared ?? []) delete next[key];
        this.panel = next as unknown as PanelView;
        touched.panel = true;
        return;
      }
      case 'entry/add':
        this.#take(patch.entry);
        this.order.push(patch.entry.id);
        touched.added.push(patch.entry.id);
        return;
      case 'entry/addRest': {
        for (const entry of patch.entries) this.#take(entry);
        const ids = patch.entries.map(({ id }) => id);
        if (patch.at === 'start') this.order.unshift(...ids);
        else this.order.push(...ids);
        if (patch.at === 'start') touched.earlier.unshift(...ids);
        else touched.added.push(...ids);
        this.#rest = patch.rest;
        touched.completed ||= patch.rest === 0;
        return;
      }
      case 'entry/replace':
        this.#require(patch.entry.id);
        this.entries.set(patch.entry.id, patch.entry);
        touched.replaced.add(patch.entry.id);
        return;
      case 'entry/appendText': {
        const entry = this.#require(patch.id);
        this.entries.set(patch.id, appendText(entry, patch.part, patch.text));
        touched.appended.push({ id: patch.id, part: patch.part, text: patch.text });
        return;
      }
      case 'entry/close': {
        const entry = this.#require(patch.id);
        if (entry.kind !== 'agentMessage' && entry.kind !== 'thought')
          throw new Error(`entry ${patch.id} cannot be closed`);
        const duration =
          entry.kind === 'thought' && patch.durationMs !== undefined ? { durationMs: patch.durationMs } : {};
        const ends = entry.kind === 'agentMessage' && patch.endsTurn ? { endsTurn: true as const } : {};
        this.entries.set(patch.id, { ...entry, ...duration, ...ends, streaming: false });
        touched.closed.add(patch.id);
        return;
      }
      case 'terminal/set':
        this.terminals.set(patch.terminal.terminalId, patch.terminal);
        touched.terminals.add(patch.terminal.terminalId);
        return;
      case 'terminal/rows': {
        const terminal = this.terminals.get(patch.terminalId);
        if (!terminal) throw new Error(`terminal ${patch.terminalId} is unknown`);
        const kept = terminal.rows.slice(
          Math.max(0, patch.firstRow - terminal.firstRow),
          Math.max(0, patch.start - terminal.firstRow),
        );
        this.terminals.set(patch.terminalId, { ...terminal, firstRow: patch.firstRow, rows: [...kept, ...patch.rows] });
        touched.terminals.add(patch.terminalId);
        return;
      }
    }
  }

  #take(entry: EntryView): void {
    if (this.entries.has(entry.id)) throw new Error(`entry ${entry.id} is here already`);
    this.entries.set(entry.id, entry);
  }

  #require(id: EntryId): EntryView {
    const entry = this.entries.get(id);
    if (!entry) throw new Error(`entry ${id} is unknown`);
    return entry;
  }
}

function appendText(entry: EntryView, part: number, text: string): EntryView {
  if (
    entry.kind !== 'agentMessage' &&
    entry.kind !== 'thought' &&
    entry.kind !== 'userMessage' &&
    entry.kind !== 'compaction'
  ) {
    throw new Error(`entry ${entry.id} has no text`);
  }
  const last = entry.content[part];
  if (part > entry.content.length || (last !== undefined && last.type !== 'text'))
    throw new Error(`entry ${entry.id} has no text part ${part}`);
  const next: ContentView = { type: 'text', text: (last?.type === 'text' ? last.text : '') + text };
  const content = entry.content.slice(0, part);
  content.push(next);
  return { ...entry, content: content.concat(entry.content.slice(part + 1)) };
}
