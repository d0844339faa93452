import * as l10n from '@vscode/l10n';
import { DisposableStore, type IDisposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import { isSameContent } from '../../changes/content';
import { linesOf } from '../../changes/lineEdits';
import { fileCount, formatCost, formatDuration, formatTokens } from '../../protocol/format';
import { waitsForUser } from '../../thread/thread';
import { decodeTotals } from '../../thread/usageTotals';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';
import type { Comparison } from './comparisons';
import { isPermissionOnly, permissionWords } from './permissions';
import type { TestRuns } from './testRuns';
import { type WorktreeChange, worktreeChanges } from './worktreeChanges';

/** What one agent made of the prompt. */
export interface Side {
  readonly live: LiveSession;
  /** Of the agent, with its model if that was chosen. */
  readonly name: string;
  readonly worktree: Worktree | undefined;
  /** None before its files were read. */
  readonly changes: readonly WorktreeChange[];
  /** False also if Git could not compare them. */
  readonly isRead: boolean;
}

export interface SideServices {
  readonly sessions: SessionService;
  readonly worktrees: Worktrees;
  readonly tests: TestRuns;
  readonly clock: Clock;
}

/** Threads change with each word of an agent; rows follow this often. Milliseconds. */
const ROWS_MS = 250;
/** Running times go on. */
const SECOND_MS = 1_000;
/** Git looks at the files of a worktree this often while its agent works. */
const FILES_MS = 3_000;

/** What the agents of a comparison have made so far. */
export class ComparedSides {
  #sides: readonly Side[] = [];
  #files: readonly string[] = [];

  constructor(
    readonly comparison: Comparison,
    private readonly services: SideServices,
  ) {}

  /** In the order of the user's choice; empty before `open`. */
  get all(): readonly Side[] {
    return this.#sides;
  }

  /** The labels of all changed files. New ones come last: a row does not move from under the mouse. */
  get files(): readonly string[] {
    const changed = new Set(this.#sides.flatMap(({ changes }) => changes.map(({ label }) => label)));
    const known = this.#files.filter((label) => changed.has(label));
    return (this.#files = [...known, ...[...changed].filter((label) => !known.includes(label)).toSorted()]);
  }

  /** Opens the sessions. `follow` reads their files, which takes seconds where agents changed hundreds. */
  async open(): Promise<void> {
    const { sessions } = this.comparison;
    const sides = await Promise.all(sessions.map((id, i) => this.#opened(id, i).catch(() => undefined)));
    this.#sides = sides.flatMap((side) => side ?? []);
  }

  /** Looks at the worktrees whose files were not read yet. */
  async readAll(): Promise<void> {
    await this.#read(new Set(this.#unread()));
  }

  /** Calls `redraw` whenever the words about the sides may be other ones, until it is disposed. */
  follow(redraw: () => void): IDisposable {
    const { sessions, tests, clock } = this.services;
    const store = new DisposableStore();
    const rows = store.add(new Coalescer(clock, ROWS_MS, redraw));
    const changed = new Set(this.#unread());
    let isReading = false;
    const look = async () => {
      const ids = new Set(changed);
      changed.clear();
      isReading = true;
      await this.#read(ids, () => store.isDisposed || redraw());
      isReading = false;
      if (!store.isDisposed && changed.size > 0) files.schedule();
    };
    const files = store.add(new Coalescer(clock, FILES_MS, () => void look()));
    store.add(
      sessions.onDidChange(({ session: { id }, part }) => {
        if (part !== 'thread' || !this.comparison.sessions.includes(id)) return;
        changed.add(id);
        rows.schedule();
        if (!isReading) files.schedule();
      }),
    );
    store.add(tests.onDidChange(() => rows.schedule()));
    const tick = store.add(
      new Coalescer(clock, SECOND_MS, () => {
        redraw();
        tick.schedule();
      }),
    );
    tick.schedule();
    if (changed.size > 0) void look();
    return store;
  }

  /** "works · 34 s · 2 files · +3 −1 · tests passed in 4 s" */
  about({ live, worktree, changes, isRead }: Side): string {
    const { sessions, clock, tests } = this.services;
    const { at } = this.comparison;
    const { isRunning, thread } = live.session;
    const record = sessions.record(live.id);
    const spent = decodeTotals(record?.usage)?.all;
    const until = isRunning ? clock.now() : (record?.updatedAt ?? at);
    const tested = tests.words(live.id, record?.updatedAt ?? 0);
    return [
      waitsForUser(thread)
        ? l10n.t('waits for you')
        : isRunning
          ? l10n.t('works')
          : live.hasFailed
            ? l10n.t('failed')
            : l10n.t('done'),
      formatDuration(Math.max(0, until - at)),
      worktree === undefined ? l10n.t('no worktree') : isRead ? fileCount(changes.length) : l10n.t('reading its files'),
      ...(changes.length > 0 ? [counts(changes)] : []),
      ...(tested === undefined ? [] : [tested]),
      ...(spent?.tokens === undefined ? [] : [l10n.t('{0} tokens', formatTokens(spent.tokens))]),
      ...(spent?.cost ? [formatCost(spent.cost.amount, spent.cost.currency)] : []),
    ].join(' · ');
  }

  #unread(): readonly string[] {
    return this.#sides.flatMap(({ live: { id }, isRead }) => (isRead ? [] : [id]));
  }

  /** @param told that a side was read; each shows as soon as it is known */
  async #read(ids: ReadonlySet<string>, told: () => void = () => undefined): Promise<void> {
    const reads = this.comparison.sessions.map(async (id, i) => {
      if (!ids.has(id)) return;
      const side = await this.#sideOf(id, i).catch(() => undefined);
      this.#sides = this.#sides.flatMap((known) => (known.live.id === id ? (side ?? []) : known));
      told();
    });
    await Promise.all(reads);
  }

  async #sideOf(id: string, at: number): Promise<Side | undefined> {
    const side = await this.#opened(id, at);
    if (!side?.worktree) return side;
    const found = await worktreeChanges(side.worktree, this.services.worktrees).catch(() => undefined);
    return found ? { ...side, changes: found.changes, isRead: true } : side;
  }

  async #opened(id: string, at: number): Promise<Side | undefined> {
    const live = await this.services.sessions.get(id);
    const name = this.comparison.names[at];
    return live && { live, name: name ?? live.agent, worktree: live.worktree, changes: [], isRead: !live.worktree };
  }
}

/** The state of a side as an icon's name. */
export function iconOf({ live: { session, hasFailed } }: Side): string {
  return waitsForUser(session.thread) ? 'bell-dot' : session.isRunning ? 'loading~spin' : hasFailed ? 'error' : 'check';
}

/** "+3 −1 · Added execute permission": what a change of a file is. */
export function changeWords(change: WorktreeChange): string {
  return [...(isPermissionOnly(change) ? [] : [counts([change])]), ...permissionWords(change)].join(' · ');
}

/** "+3 −1": added and removed lines. */
export function counts(changes: readonly WorktreeChange[]): string {
  let [added, removed] = [0, 0];
  for (const { edits, base, theirs } of changes) {
    if (edits.length === 0 && !isSameContent(base, theirs)) {
      added += theirs.kind === 'text' ? linesOf(theirs.text).length : 0;
      removed += base.kind === 'text' ? linesOf(base.text).length : 0;
    }
    for (const { start, end, lines } of edits) {
      added += lines.length;
      removed += end - start;
    }
  }
  return `+${added} −${removed}`;
}
