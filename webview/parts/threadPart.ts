import * as l10n from '@vscode/l10n';
import type { Dirty } from '../store';
import type { Replica } from '../../src/protocol/patch';
import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import type { PanelUiState } from '../../src/protocol/viewModel';
import { isFocusWithin, keepPlace } from '../lib/focus';
import { slices } from '../lib/frame';
import type { Deadline } from '../lib/frame';
import { ScrollAnchor } from '../lib/scrollAnchor';
import { watchPages } from '../markdown/markdownView';
import type { EntryPart, PartContext } from './context';
import { EntryGroup, type GroupEntries } from './entryGroup';
import { createEntryPart } from './entryPart';
import { GroupList } from './groupList';
import { HandState } from './handState';
import { NearGroups } from './nearGroups';
import { openAll } from './openAll';
import { markNested, type Nesting } from './nesting';
import { Subagents } from './subagents';
import { ViewPlace } from './viewPlace';
import { reveal } from '../lib/reveal';

/** The most pending requests that are drawn at any distance, so that assistive technology finds them. */
const MAX_KEPT = 8;
/** Time for drawing the text of a new group, within the frame that draws it. */
const FIRST_TEXT_MS = 6;

interface ThreadOptions {
  readonly footer: HTMLElement;
  readonly onDidScroll: () => void;
  readonly onDidPin: () => void;
  /** Entries that were far away have been drawn. */
  readonly onDidBuild: (ids: readonly EntryId[]) => void;
  readonly requestFrame: () => void;
}

/**
 * The list of entries. Only entries near the view are in the document, and only patched ones are drawn again, so
 * neither depends on the length of the thread. Drawing only writes; `measure`, called after it, reads.
 */
export class Thread implements GroupEntries {
  /** The scroller, and the log for assistive technology. */
  readonly element = document.createElement('div');
  readonly scroll: ScrollAnchor;
  readonly place: ViewPlace;
  readonly #content = document.createElement('div');
  readonly #list = document.createElement('div');
  readonly #parts = new Map<EntryId, EntryPart>();
  /** @see GroupEntries */
  readonly subagents: Subagents;
  readonly #placed: GroupList;
  readonly #near: NearGroups;
  readonly #hand: HandState;
  /** Groups with pending requests. */
  #kept: ReadonlySet<EntryGroup> = new Set();
  /** Parts with undrawn text. */
  readonly #drawing = new Map<EntryId, EntryPart>();
  /** Drawn groups with undrawn text. */
  readonly #settling = new Set<EntryGroup>();
  /** Entries drawn since the last frame, from a replica that may be newer than the next frame's changes. */
  readonly #fresh = new Set<EntryId>();
  readonly #redrawn = new Set<EntryId>();
  readonly #terminalUsers = new Map<string, Set<EntryId>>();
  #width = 0;
  #epoch = 0;

  constructor(
    private readonly replica: Replica,
    private readonly context: PartContext,
    private readonly options: ThreadOptions,
  ) {
    this.element.className = 'thread';
    this.element.setAttribute('role', 'log');
    this.element.setAttribute('aria-label', l10n.t('Conversation'));
    // Streamed text is not read out in pieces; the announcer reports events.
    this.element.setAttribute('aria-live', 'off');
    this.element.tabIndex = 0;
    this.#content.className = 'thread-content';
    this.#list.className = 'thread-list';
    this.#content.append(this.#list, options.footer);
    this.element.append(this.#content);
    this.scroll = new ScrollAnchor(this.element, this.#content, options.onDidPin, options.onDidScroll);
    this.#hand = new HandState(this.element);
    this.#near = new NearGroups(
      this.element,
      (group) => this.#mustStay(group),
      (group) => this.#handleBuilt(group),
    );
    this.subagents = new Subagents(
      (id) => this.view(id),
      (id) => context.ui.isExpanded(id) ?? false,
    );
    this.#placed = new GroupList({
      element: this.#list,
      subagents: this.subagents,
      create: () => new EntryGroup(context, this),
      isFull: (group, next) => group.isFull(this.view(next)!),
      didCut: (group, rest) =>
        keepPlace(() => {
          this.#near.build(rest);
          group.update();
        }),
      didRemove: (group) => this.#near.forget(group),
    });
    this.place = new ViewPlace({
      scroller: this.element,
      scroll: this.scroll,
      placed: this.#placed,
      near: this.#near,
      standIn: (id) => this.subagents.standIn(id),
      standsFor: (id) => this.standsFor(id),
    });
    this.element.addEventListener('scroll', options.requestFrame, { passive: true });
    const observer = new ResizeObserver(() => this.#handleResize());
    observer.observe(this.#list);
    observer.observe(this.element);
    watchPages(this.element);
  }

  /** Requests that one entry is drawn again in the next frame. */
  redraw(id: EntryId): void {
    this.#redrawn.add(id);
    this.options.requestFrame();
  }

  /**
   * Requests that the elements about restores are drawn again: prompts and changes; once per turn, because the possible
   * restores change.
   */
  redrawRestored(): void {
    for (const id of this.#parts.keys()) {
      const view = this.replica.entries.get(id);
      if (
        view?.kind === 'userMessage' ||
        (view?.kind === 'toolCall' && view.content.some(({ type }) => type === 'diff'))
      )
        this.#redrawn.add(id);
    }
  }

  /** Shows the replica from scratch. */
  reset(scroll: PanelUiState['scroll']): void {
    this.#epoch++;
    slices.clear();
    for (const map of [
      this.#parts,
      this.#placed,
      this.subagents,
      this.#drawing,
      this.#settling,
      this.#fresh,
      this.#redrawn,
      this.#terminalUsers,
      this.#hand,
    ])
      map.clear();
    this.#near.reset(this.groups);
    for (const id of this.replica.order) this.subagents.note(id);
    for (const id of this.replica.order) this.#placed.place(id);
    this.#near.guessAll();
    if (this.groups.length > 0) this.#near.build(this.groups.at(-1)!);
    this.#keepRequests();
    this.place.restore(scroll);
  }

  /** Follows changes of the replica. */
  apply(dirty: Dirty): void {
    this.#near.removeFar();
    const touched = new Set<EntryGroup>();
    const putBack = dirty.earlier.length > 0 ? this.#addEarlier(dirty.earlier, touched) : undefined;
    const changed = new Set([...dirty.replaced, ...this.#redrawn]);
    const last = this.groups.at(-1);
    for (const id of dirty.added) this.#follow(id, this.subagents.note(id), touched, changed);
    for (const id of dirty.replaced) this.#follow(id, this.subagents.note(id), touched, changed);
    // A subagent's entries are shown or folded with its line.
    for (const id of this.#redrawn)
      if (this.subagents.has(id)) for (const group of this.#placed.within(id)) touched.add(group);
    this.#redrawn.clear();
    // Of new entries only the end is always drawn: the user is likely to look at it next.
    if (this.groups.length > 0) this.#near.build(this.groups.at(-1)!);
    if (last !== this.groups.at(-1)) this.#keepRequests();
    for (const id of dirty.appended.keys()) if (this.#fresh.has(id)) changed.add(id);
    for (const terminal of dirty.terminals) for (const id of this.#terminalUsers.get(terminal) ?? []) changed.add(id);
    for (const id of changed) {
      this.#update(id);
      const group = this.#placed.get(id);
      if (group && this.view(id)?.kind === 'toolCall') touched.add(group);
    }
    for (const [id, pieces] of dirty.appended) {
      const part = this.#parts.get(id);
      if (!part || changed.has(id)) continue;
      for (const { part: index, text } of pieces) part.append?.(index, text);
      this.#drawing.set(id, part);
    }
    this.#fresh.clear();
    this.#refresh(touched);
    if (dirty.panel || dirty.earlier.length > 0) this.#keepRequests();
    putBack?.();
    this.place.follow(this.replica.isWhole);
  }

  #refresh(groups: Iterable<EntryGroup>): void {
    for (const group of groups) {
      if (group.isBuilt) group.update();
      else group.guess();
      this.options.onDidBuild(group.ids);
    }
  }

  /**
   * A long thread comes with its end first. Later entries go above it, and move nothing in view.
   * @returns call it once all is drawn
   */
  #addEarlier(ids: readonly EntryId[], touched: Set<EntryGroup>): () => void {
    const inView = this.subagents.awaitsCalls ? this.place.inView() : [];
    const focused = isFocusWithin(this.element);
    const adopted = new Set(this.subagents.noteEarlier(ids));
    const [first] = this.groups;
    const prompt = first?.promptAt(-1);
    for (const group of this.#placed.placeEarlier(ids, [...adopted], (id) => this.drop(id))) touched.add(group);
    for (const id of [...ids, ...adopted])
      for (const parent of this.subagents.ancestorsOf(id)) this.#redrawn.add(parent);
    // A card shows the state of its turn's changes.
    if (first?.promptAt(-1) !== prompt) this.redrawRestored();
    return () => {
      if (adopted.size > 0)
        this.place.putBack(
          inView,
          (id) => adopted.has(id) || this.subagents.ancestorsOf(id).some((parent) => adopted.has(parent)),
        );
      // The focused element may be folded into a call now.
      if (focused && !this.element.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    };
  }

  /** An entry came or changed: it gets its place, and the lines of the subagents above it are updated. */
  #follow(id: EntryId, isLinked: boolean, touched: Set<EntryGroup>, changed: Set<EntryId>): void {
    const groups =
      isLinked && this.#placed.get(id) ? this.#placed.move(id, (moved) => this.drop(moved)) : this.#placed.place(id);
    for (const group of groups) touched.add(group);
    for (const parent of this.subagents.ancestorsOf(id)) changed.add(parent);
    for (const child of this.subagents.adopt(id)) this.#follow(child, true, touched, changed);
  }

  /** Draws text within the frame's time. @returns whether more is to be drawn */
  draw(deadline: Deadline): boolean {
    for (const [id, part] of this.#drawing) {
      if (!(part.draw?.(deadline, true) ?? false)) this.#drawing.delete(id);
    }
    return this.#drawing.size > 0;
  }

  /** Reads layout and scrolls, then draws entries that have come near. */
  measure(): void {
    this.#near.update(() => this.scroll.settle());
    if (this.#near.hasFar) this.options.requestFrame();
    for (const group of this.#settling) {
      if (group.isBuilt && group.ids.some((id) => this.#drawing.has(id))) continue;
      this.#settling.delete(group);
      group.settle();
      for (const id of group.ids) if (this.#parts.has(id)) this.#hand.restore(id, this.#parts.get(id)!.element);
    }
  }

  /** Scrolls to an entry, and opens its fold if needed. @returns its element */
  reveal(id: EntryId): HTMLElement | undefined {
    this.#openSubagents(id);
    const group = this.#placed.get(id);
    if (!group) return undefined;
    this.#near.build(group);
    group.unfold(id);
    this.options.onDidBuild(group.ids);
    const element = this.#parts.get(id)?.element;
    if (!element) return undefined;
    this.scroll.release();
    reveal(element, 'center');
    this.options.requestFrame();
    return element;
  }

  /** Opens the subagents that hide an entry. */
  #openSubagents(id: EntryId): void {
    if (this.subagents.isShown(id)) return;
    for (const parent of this.subagents.ancestorsOf(id)) {
      if (this.context.ui.isExpanded(parent)) continue;
      this.context.ui.setExpanded(parent, true);
      this.#update(parent);
      this.#refresh(this.#placed.within(parent));
    }
  }

  /** Opens all folds in an entry. @returns closes them again */
  openAll(id: EntryId): () => void {
    const view = this.view(id);
    return view ? openAll(view, this.context) : () => {};
  }

  /** The entries that show a terminal, if they were drawn. */
  usersOf(terminal: string): readonly EntryId[] {
    return [...(this.#terminalUsers.get(terminal) ?? [])];
  }

  /** The prompt at or before an entry. */
  promptOf(id: EntryId): EntryId | undefined {
    const group = this.#placed.get(id);
    return group?.promptAt(group.ids.indexOf(id));
  }

  /** The element of an entry, if it is drawn. */
  elementOf(id: EntryId): HTMLElement | undefined {
    return this.#parts.get(id)?.element;
  }

  /** True if an entry is in the document as it is now: it does not wait for a frame to be drawn again. */
  isDrawn(id: EntryId): boolean {
    return this.#parts.has(id) && !this.#redrawn.has(id) && !this.#drawing.has(id);
  }

  /** In display order. */
  get groups(): readonly EntryGroup[] {
    return this.#placed.groups;
  }

  /** All entries in display order. */
  order(): readonly EntryId[] {
    return this.#placed.order();
  }

  /** The element of an entry, or of the fold that hides it; `undefined` if neither is drawn. */
  standsFor(id: EntryId): HTMLElement | undefined {
    const shown = this.subagents.standIn(id);
    return this.#parts.get(shown)?.element ?? this.#placed.get(shown)?.foldLine(shown);
  }

  /** @see GroupEntries */
  view(id: EntryId): EntryView | undefined {
    return this.replica.entries.get(id);
  }

  /** @see GroupEntries */
  nestingOf(id: EntryId): Nesting | undefined {
    const parent = this.subagents.parentOf(id);
    const view = parent === undefined ? undefined : this.view(parent);
    return view?.kind === 'toolCall' ? { title: view.title, depth: this.subagents.depthOf(id) } : undefined;
  }

  /** @see GroupEntries */
  show(id: EntryId): HTMLElement {
    const drawn = this.#parts.get(id);
    if (drawn) return drawn.element;
    const part = createEntryPart(this.view(id)!.kind, this.context);
    part.element.dataset['entry'] = id;
    markNested(part.element, this.nestingOf(id));
    this.#parts.set(id, part);
    this.#fresh.add(id);
    this.#update(id);
    return part.element;
  }

  /** @see GroupEntries */
  drop(id: EntryId): void {
    const part = this.#parts.get(id);
    if (!part) return;
    this.#hand.keep(id, part.element);
    part.element.remove();
    this.#parts.delete(id);
    this.#drawing.delete(id);
  }

  #update(id: EntryId): void {
    const part = this.#parts.get(id);
    const view = this.view(id);
    if (!part || !view) return;
    if (view.kind === 'toolCall') this.#noteTerminals(id, view.content);
    part.update(view);
    this.#drawing.set(id, part);
  }

  /** A group came near: draws its text at once, within a part of a frame. */
  #handleBuilt(group: EntryGroup): void {
    const end = performance.now() + FIRST_TEXT_MS;
    for (const id of group.ids) {
      const part = this.#drawing.get(id);
      if (part && !(part.draw?.(() => performance.now() < end, true) ?? false)) this.#drawing.delete(id);
    }
    this.#settling.add(group);
    this.options.onDidBuild(group.ids);
    this.options.requestFrame();
  }

  /** The user's current group stays, and so does the end, to which every way leads back. */
  #mustStay(group: EntryGroup): boolean {
    if (group === this.groups.at(-1) || this.#kept.has(group)) return true;
    const { element } = group;
    const selection = getSelection();
    return (
      element.contains(document.activeElement) ||
      (selection !== null &&
        !selection.isCollapsed &&
        (element.contains(selection.anchorNode) || element.contains(selection.focusNode))) ||
      [...element.querySelectorAll('audio')].some((audio) => !audio.paused)
    );
  }

  #keepRequests(): void {
    const { pendingQuestions } = this.replica.panel;
    this.#kept = new Set(pendingQuestions.slice(0, MAX_KEPT).flatMap(({ entryId }) => this.#placed.get(entryId) ?? []));
    for (const group of this.#kept) this.#near.build(group);
  }

  #handleResize(): void {
    const { clientWidth } = this.#list;
    if (clientWidth > 0 && clientWidth !== this.#width) {
      if (this.#width > 0) {
        const epoch = this.#epoch;
        slices.add(() => epoch === this.#epoch && this.#near.guessAll());
      }
      this.#width = clientWidth;
    }
    this.options.requestFrame();
  }

  #noteTerminals(id: EntryId, content: readonly { readonly type: string; readonly terminalId?: string }[]): void {
    for (const { terminalId } of content) {
      if (terminalId === undefined) continue;
      const users = this.#terminalUsers.get(terminalId);
      if (users) users.add(id);
      else this.#terminalUsers.set(terminalId, new Set([id]));
    }
  }
}
