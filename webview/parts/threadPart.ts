import * as l10n from '@vscode/l10n';
import type { Dirty } from '../store';
import type { Replica } from '../../src/protocol/patch';
import type { EntryId } from '../../src/protocol/entryId';
import type { PanelUiState } from '../../src/protocol/viewModel';
import { slices } from '../lib/frame';
import type { Deadline } from '../lib/frame';
import { ScrollAnchor } from '../lib/scrollAnchor';
import { watchPages } from '../markdown/markdownView';
import type { EntryPart, PartContext } from './context';
import { EntryGroup } from './entryGroup';
import { createEntryPart } from './entryPart';
import { markNested } from './nesting';

/** So many entries are built at once when a thread is shown; the others follow in slices, from the end upwards. */
const FIRST_BUILT = 24;
const PER_SLICE = 4;

/**
 * The list of entries. Only what a patch touched is drawn again, whatever the length of the thread. Drawing only
 * writes; `measure`, called after it, reads.
 */
export class Thread {
  /** The scroller, and the log for assistive technology. */
  readonly element = document.createElement('div');
  readonly scroll: ScrollAnchor;
  private readonly content = document.createElement('div');
  private readonly list = document.createElement('div');
  private readonly parts = new Map<EntryId, EntryPart>();
  private readonly groupOf = new Map<EntryId, EntryGroup>();
  private groups: EntryGroup[] = [];
  /** Parts with text that is not drawn yet. */
  private readonly drawing = new Set<EntryPart>();
  private readonly redrawn = new Set<EntryId>();
  private readonly terminalUsers = new Map<string, Set<EntryId>>();
  private epoch = 0;

  constructor(
    private readonly replica: Replica,
    private readonly context: PartContext,
    options: { readonly onDidScroll: () => void; readonly onDidPin: () => void; readonly footer: HTMLElement },
  ) {
    this.element.className = 'thread';
    this.element.setAttribute('role', 'log');
    this.element.setAttribute('aria-label', l10n.t('Conversation'));
    // Streamed text is not read out piece by piece; the announcer says when there is something to hear.
    this.element.setAttribute('aria-live', 'off');
    this.element.tabIndex = 0;
    this.content.className = 'thread-content';
    this.list.className = 'thread-list';
    this.content.append(this.list, options.footer);
    this.element.append(this.content);
    this.scroll = new ScrollAnchor(this.element, this.content, options.onDidPin, options.onDidScroll);
    watchPages(this.element);
  }

  /** Asks for one entry to be drawn again in the next frame. */
  redraw(id: EntryId): void {
    this.redrawn.add(id);
  }

  /** Asks for all prompts to be drawn again; once per turn, because there is something else to restore. */
  redrawPrompts(): void {
    for (const id of this.parts.keys()) if (this.replica.entries.get(id)?.kind === 'userMessage') this.redrawn.add(id);
  }

  /** Shows the replica from scratch. */
  reset(scroll: PanelUiState['scroll']): void {
    this.epoch++;
    slices.clear();
    for (const map of [this.parts, this.groupOf, this.drawing, this.redrawn, this.terminalUsers]) map.clear();
    this.groups = [];
    this.list.replaceChildren();
    const { order } = this.replica;
    for (const id of order) this.assign(id);
    const anchor = scroll ? order.indexOf(scroll.entryId) : -1;
    const end = anchor >= 0 ? Math.min(order.length, anchor + FIRST_BUILT) : order.length;
    const start = anchor >= 0 ? Math.max(0, anchor - 4) : Math.max(0, order.length - FIRST_BUILT);
    for (let i = start; i < end; i++) this.build(order[i]!, true);
    for (const group of new Set(order.slice(start, end).map((id) => this.groupOf.get(id)!))) group.refold();
    for (let i = end; i < order.length; i += PER_SLICE) this.buildLater(i, Math.min(order.length, i + PER_SLICE));
    for (let i = 0; i < start; i += PER_SLICE) this.buildLater(i, Math.min(start, i + PER_SLICE));
    if (scroll && anchor >= 0) this.scroll.holdAt(() => this.goTo(scroll));
    else this.scroll.pin();
  }

  /** Follows changes of the replica. */
  apply(dirty: Dirty): void {
    const refold = new Set<EntryGroup>();
    for (const id of dirty.added) {
      this.build(id, true);
      refold.add(this.groupOf.get(id)!);
    }
    const changed = new Set([...dirty.replaced, ...this.redrawn]);
    this.redrawn.clear();
    for (const terminal of dirty.terminals) for (const id of this.terminalUsers.get(terminal) ?? []) changed.add(id);
    for (const id of changed) {
      this.update(id);
      const group = this.groupOf.get(id);
      if (group && this.replica.entries.get(id)?.kind === 'toolCall') refold.add(group);
    }
    for (const [id, pieces] of dirty.appended) {
      const part = this.parts.get(id);
      if (!part) continue;
      for (const { part: index, text } of pieces) part.append?.(index, text);
      this.drawing.add(part);
    }
    for (const group of refold) group.refold();
  }

  /** Draws text within the frame's time. @returns whether more is to be drawn */
  draw(deadline: Deadline): boolean {
    for (const part of this.drawing) {
      if (!(part.draw?.(deadline, true) ?? false)) this.drawing.delete(part);
    }
    return this.drawing.size > 0;
  }

  /** Reads layout and scrolls. */
  measure(): void {
    this.scroll.settle();
  }

  /** Where the person is: the entry at the top edge; `undefined` at the end. */
  position(): PanelUiState['scroll'] {
    if (this.scroll.atEnd) return undefined;
    const top = this.element.getBoundingClientRect().top;
    const below = (element: HTMLElement | undefined) => element !== undefined && element.getBoundingClientRect().bottom > top;
    const group = this.groups.find((g) => below(g.element));
    const entryId = group?.ids.find((id) => below(this.parts.get(id)?.element));
    if (entryId === undefined) return undefined;
    return { entryId, offset: Math.round(this.parts.get(entryId)!.element.getBoundingClientRect().top - top) };
  }

  /** Brings an entry into view. @returns its element */
  reveal(id: EntryId): HTMLElement | undefined {
    const element = this.parts.get(id)?.element;
    if (!element) return undefined;
    this.scroll.release();
    element.scrollIntoView({ block: 'center' });
    return element;
  }

  /** The element of an entry, if it is built. */
  elementOf(id: EntryId): HTMLElement | undefined {
    return this.parts.get(id)?.element;
  }

  private goTo({ entryId, offset }: NonNullable<PanelUiState['scroll']>): void {
    const element = this.parts.get(entryId)?.element;
    if (!element) return;
    const by = element.getBoundingClientRect().top - this.element.getBoundingClientRect().top - offset;
    if (Math.abs(by) > 0.5) this.element.scrollTop += by;
  }

  private assign(id: EntryId): EntryGroup {
    const view = this.replica.entries.get(id)!;
    let group = this.groups.at(-1);
    if (!group || group.isFull(view)) {
      group?.seal();
      group = new EntryGroup(this.context, (entry) => this.replica.entries.get(entry));
      this.groups.push(group);
      this.list.appendChild(group.element);
    }
    group.ids.push(id);
    this.groupOf.set(id, group);
    return group;
  }

  private build(id: EntryId, near: boolean): void {
    const view = this.replica.entries.get(id);
    if (!view || this.parts.has(id)) return;
    const group = this.groupOf.get(id) ?? this.assign(id);
    const part = createEntryPart(view.kind, this.context);
    part.element.dataset['entry'] = id;
    markNested(part.element, view, group.ids[group.ids.indexOf(id) - 1], (other) => this.replica.entries.get(other));
    this.parts.set(id, part);
    this.update(id, near);
    group.place(id, part.element);
  }

  private update(id: EntryId, near = true): void {
    const part = this.parts.get(id);
    const view = this.replica.entries.get(id);
    if (!part || !view) return;
    if (view.kind === 'toolCall') this.noteTerminals(id, view.content);
    part.update(view);
    if (near) this.drawing.add(part);
    else if (part.draw?.(() => true, false)) this.drawing.add(part);
  }

  private buildLater(from: number, to: number): void {
    const epoch = this.epoch;
    slices.add(() => {
      if (epoch !== this.epoch) return;
      const ids = this.replica.order.slice(from, to);
      for (const id of ids) this.build(id, false);
      for (const group of new Set(ids.map((id) => this.groupOf.get(id)!))) group.refold();
    });
  }

  private noteTerminals(id: EntryId, content: readonly { readonly type: string; readonly terminalId?: string }[]): void {
    for (const { terminalId } of content) {
      if (terminalId === undefined) continue;
      const users = this.terminalUsers.get(terminalId);
      if (users) users.add(id);
      else this.terminalUsers.set(terminalId, new Set([id]));
    }
  }
}
