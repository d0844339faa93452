import * as l10n from '@vscode/l10n';
import type { Dirty } from '../store';
import type { Replica } from '../../src/protocol/patch';
import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import type { PanelUiState } from '../../src/protocol/viewModel';
import { slices } from '../lib/frame';
import type { Deadline } from '../lib/frame';
import { ScrollAnchor } from '../lib/scrollAnchor';
import { watchPages } from '../markdown/markdownView';
import type { EntryPart, PartContext } from './context';
import { selectedText } from './copySelection';
import { EntryGroup, type GroupEntries } from './entryGroup';
import { createEntryPart } from './entryPart';
import { shownTexts } from './entryText';
import { HandState } from './handState';
import { NearGroups } from './nearGroups';
import { markNested } from './nesting';

/** Of the requests that wait so many are drawn wherever they stand, so that assistive technology finds them. */
const MAX_KEPT = 8;
/** Time for text of a group that comes into the document, within the frame that draws it. */
const FIRST_TEXT_MS = 6;

interface ThreadOptions {
  readonly footer: HTMLElement;
  readonly onDidScroll: () => void;
  readonly onDidPin: () => void;
  /** Entries have come into the document that were far before. */
  readonly onDidBuild: (ids: readonly EntryId[]) => void;
  readonly requestFrame: () => void;
}

/**
 * The list of entries. Only what is near the view is in the document, and only what a patch touched is drawn again, so
 * neither depends on the length of the thread. Drawing only writes; `measure`, called after it, reads.
 */
export class Thread implements GroupEntries {
  /** The scroller, and the log for assistive technology. */
  readonly element = document.createElement('div');
  readonly scroll: ScrollAnchor;
  private readonly content = document.createElement('div');
  private readonly list = document.createElement('div');
  private readonly parts = new Map<EntryId, EntryPart>();
  private readonly groupOf = new Map<EntryId, EntryGroup>();
  private readonly groups: EntryGroup[] = [];
  private readonly near: NearGroups;
  private readonly hand: HandState;
  /** Groups with requests that wait. */
  private kept: ReadonlySet<EntryGroup> = new Set();
  /** Parts with text that is not drawn yet. */
  private readonly drawing = new Map<EntryId, EntryPart>();
  /** Groups that were drawn, yet not all of their text. */
  private readonly settling = new Set<EntryGroup>();
  /** Drawn since the last frame, from a replica that may be newer than what the next frame is told. */
  private readonly fresh = new Set<EntryId>();
  private readonly redrawn = new Set<EntryId>();
  private readonly terminalUsers = new Map<string, Set<EntryId>>();
  private width = 0;
  private epoch = 0;

  constructor(
    private readonly replica: Replica,
    private readonly context: PartContext,
    private readonly options: ThreadOptions,
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
    this.hand = new HandState(this.element);
    this.near = new NearGroups(this.element, (group) => this.mustStay(group), (group) => this.handleBuilt(group));
    this.element.addEventListener('scroll', options.requestFrame, { passive: true });
    const observer = new ResizeObserver(() => this.handleResize());
    observer.observe(this.list);
    observer.observe(this.element);
    watchPages(this.element);
    document.addEventListener('copy', (event) => this.handleCopy(event));
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
    for (const map of [this.parts, this.groupOf, this.drawing, this.settling, this.fresh, this.redrawn, this.terminalUsers, this.hand]) map.clear();
    this.groups.length = 0;
    this.list.replaceChildren();
    this.near.reset(this.groups);
    for (const id of this.replica.order) this.assign(id);
    this.near.guessAll();
    const anchor = scroll && this.groupOf.get(scroll.entryId);
    for (const group of [anchor, this.groups.at(-1)]) if (group) this.near.build(group);
    this.keepRequests();
    if (scroll && anchor) this.scroll.holdAt(() => this.goTo(scroll));
    else this.scroll.pin();
  }

  /** Follows changes of the replica. */
  apply(dirty: Dirty): void {
    const touched = new Set<EntryGroup>();
    const before = this.groups.length;
    for (const id of dirty.added) touched.add(this.assign(id));
    // Of what was added only the end is drawn wherever the view is: it is the next to be looked at.
    for (const group of this.groups.slice(before, -1)) group.guess();
    const last = this.groups.at(-1);
    if (last) this.near.build(last);
    const changed = new Set([...dirty.replaced, ...this.redrawn]);
    this.redrawn.clear();
    for (const id of dirty.appended.keys()) if (this.fresh.has(id)) changed.add(id);
    for (const terminal of dirty.terminals) for (const id of this.terminalUsers.get(terminal) ?? []) changed.add(id);
    for (const id of changed) {
      this.update(id);
      const group = this.groupOf.get(id);
      if (group && this.replica.entries.get(id)?.kind === 'toolCall') touched.add(group);
    }
    for (const [id, pieces] of dirty.appended) {
      const part = this.parts.get(id);
      if (!part || changed.has(id)) continue;
      for (const { part: index, text } of pieces) part.append?.(index, text);
      this.drawing.set(id, part);
    }
    this.fresh.clear();
    for (const group of touched) {
      group.update();
      this.options.onDidBuild(group.ids);
    }
    if (dirty.panel) this.keepRequests();
  }

  /** Draws text within the frame's time. @returns whether more is to be drawn */
  draw(deadline: Deadline): boolean {
    for (const [id, part] of this.drawing) {
      if (!(part.draw?.(deadline, true) ?? false)) this.drawing.delete(id);
    }
    return this.drawing.size > 0;
  }

  /** Reads layout and scrolls, then draws what has come near. */
  measure(): void {
    this.near.update(() => this.scroll.settle());
    for (const group of this.settling) {
      if (group.isBuilt && group.ids.some((id) => this.drawing.has(id))) continue;
      this.settling.delete(group);
      group.settle();
      for (const id of group.ids) if (this.parts.has(id)) this.hand.restore(id, this.parts.get(id)!.element);
    }
  }

  /** Where the user is: the entry at the top edge; `undefined` at the end. */
  position(): PanelUiState['scroll'] {
    if (this.scroll.atEnd) return undefined;
    const { top } = this.element.getBoundingClientRect();
    const group = this.groups[this.near.indexBelow(top)];
    if (!group) return undefined;
    const entryId = group.ids.find((id) => this.isBelowTop(id)) ?? group.ids[0]!;
    return { entryId, offset: Math.round((this.standsFor(entryId) ?? group.element).getBoundingClientRect().top - top) };
  }

  /** Brings an entry into view, out of a fold where it is in one. @returns its element */
  reveal(id: EntryId): HTMLElement | undefined {
    const group = this.groupOf.get(id);
    if (!group) return undefined;
    this.near.build(group);
    group.unfold(id);
    this.options.onDidBuild(group.ids);
    const element = this.parts.get(id)?.element;
    if (!element) return undefined;
    this.scroll.release();
    element.scrollIntoView({ block: 'center' });
    this.options.requestFrame();
    return element;
  }

  /** Opens all that is folded in an entry. @returns closes it again */
  openAll(id: EntryId): () => void {
    const view = this.view(id);
    if (!view) return () => {};
    const cards = view.kind === 'toolCall' ? view.content.filter((c) => c.type !== 'content') : [];
    const keys = [id, `details:${id}`, `all:${id}:-1`, ...cards.flatMap((card, i) => (card.type === 'terminal' ? `rows:${card.terminalId}` : `all:${id}:${i}`))];
    const { ui } = this.context;
    const before = keys.map((key) => [key, ui.isExpanded(key)] as const);
    for (const key of keys) ui.setExpanded(key, true);
    this.context.redraw(id);
    return () => {
      for (const [key, wasOpen] of before) ui.setExpanded(key, wasOpen);
      this.context.redraw(id);
    };
  }

  /** The entries that show a terminal, as far as they were drawn. */
  usersOf(terminal: string): readonly EntryId[] {
    return [...(this.terminalUsers.get(terminal) ?? [])];
  }

  /** The entry at the top of the view. */
  topEntry(): EntryId | undefined {
    return this.groups[this.near.indexBelow(this.element.getBoundingClientRect().top)]?.ids.find((id) => this.isBelowTop(id));
  }

  /** Scrolls as the user does. */
  scrollBy(by: number): void {
    this.scroll.release();
    this.element.scrollTop += by;
  }

  /** The element of an entry, if it is drawn. */
  elementOf(id: EntryId): HTMLElement | undefined {
    return this.parts.get(id)?.element;
  }

  /** The element of an entry, or else the line that stands for it with others; `undefined` where neither is drawn. */
  standsFor(id: EntryId): HTMLElement | undefined {
    return this.parts.get(id)?.element ?? this.groupOf.get(id)?.foldLine(id);
  }

  /** @see GroupEntries */
  view(id: EntryId): EntryView | undefined {
    return this.replica.entries.get(id);
  }

  /** @see GroupEntries */
  show(id: EntryId): HTMLElement {
    const drawn = this.parts.get(id);
    if (drawn) return drawn.element;
    const part = createEntryPart(this.view(id)!.kind, this.context);
    part.element.dataset['entry'] = id;
    markNested(part.element, this.groupOf.get(id)!.nestingOf(id));
    this.parts.set(id, part);
    this.fresh.add(id);
    this.update(id);
    return part.element;
  }

  /** @see GroupEntries */
  drop(id: EntryId): void {
    const part = this.parts.get(id);
    if (!part) return;
    this.hand.keep(id, part.element);
    part.element.remove();
    this.parts.delete(id);
    this.drawing.delete(id);
  }

  private isBelowTop(id: EntryId): boolean {
    return (this.standsFor(id)?.getBoundingClientRect().bottom ?? -Infinity) > this.element.getBoundingClientRect().top;
  }

  private goTo({ entryId, offset }: NonNullable<PanelUiState['scroll']>): void {
    const element = this.standsFor(entryId);
    if (!element) return;
    const by = element.getBoundingClientRect().top - this.element.getBoundingClientRect().top - offset;
    if (Math.abs(by) > 0.5) this.element.scrollTop += by;
  }

  private assign(id: EntryId): EntryGroup {
    let group = this.groups.at(-1);
    if (!group || group.isFull(this.view(id)!)) {
      group = new EntryGroup(this.context, this, group?.ids.at(-1));
      this.groups.push(group);
      this.list.appendChild(group.element);
    }
    group.ids.push(id);
    this.groupOf.set(id, group);
    return group;
  }

  private update(id: EntryId): void {
    const part = this.parts.get(id);
    const view = this.view(id);
    if (!part || !view) return;
    if (view.kind === 'toolCall') this.noteTerminals(id, view.content);
    part.update(view);
    this.drawing.set(id, part);
  }

  /** A group came near: its text is drawn at once as far as a part of a frame suffices. */
  private handleBuilt(group: EntryGroup): void {
    const end = performance.now() + FIRST_TEXT_MS;
    for (const id of group.ids) {
      const part = this.drawing.get(id);
      if (part && !(part.draw?.(() => performance.now() < end, true) ?? false)) this.drawing.delete(id);
    }
    this.settling.add(group);
    this.options.onDidBuild(group.ids);
    this.options.requestFrame();
  }

  /** What the user is at stays where it is, and so does the end, which everything leads back to. */
  private mustStay(group: EntryGroup): boolean {
    if (group === this.groups.at(-1) || this.kept.has(group)) return true;
    const { element } = group;
    const selection = getSelection();
    return (
      element.contains(document.activeElement) ||
      (selection !== null && !selection.isCollapsed && (element.contains(selection.anchorNode) || element.contains(selection.focusNode))) ||
      [...element.querySelectorAll('audio')].some((audio) => !audio.paused)
    );
  }

  private handleCopy(event: ClipboardEvent): void {
    const selection = getSelection();
    if (!selection || event.defaultPrevented || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    const text = selectedText(selection, this.groups, (id) => shownTexts(this.view(id)!, (terminal) => this.replica.terminals.get(terminal)).join('\n'));
    if (text === undefined) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  }

  private keepRequests(): void {
    const { pendingQuestions } = this.replica.panel;
    this.kept = new Set(pendingQuestions.slice(0, MAX_KEPT).flatMap(({ entryId }) => this.groupOf.get(entryId) ?? []));
    for (const group of this.kept) this.near.build(group);
  }

  private handleResize(): void {
    const { clientWidth } = this.list;
    if (clientWidth > 0 && clientWidth !== this.width) {
      if (this.width > 0) {
        const { epoch } = this;
        slices.add(() => epoch === this.epoch && this.near.guessAll());
      }
      this.width = clientWidth;
    }
    this.options.requestFrame();
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
