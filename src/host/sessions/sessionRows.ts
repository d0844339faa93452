import { matchesWords, type SessionItemView, type SessionsView } from '../../protocol/sessionsView';
import type { RunningAgent } from '../agents/agentService';
import { slices } from '../platform/slices';
import type { LiveSession } from './liveSession';
import type { RemoteSession, RemoteSessions } from './remoteSessions';
import { decodeTotals, plus, type Spent, type UsageTotals } from '../../thread/usageTotals';
import { remoteKey, type SessionIndex } from './sessionIndex';
import { importedItem, localItem, remoteItem } from './sessionItems';

/** Rows that are made at once. */
const BATCH = 250;

/** What the rows are made from. */
export interface RowSources {
  readonly find: (id: string) => LiveSession | undefined;
  readonly open: () => readonly LiveSession[];
  readonly runningAgentNamed: (name: string) => RunningAgent | undefined;
  /** The branch of the worktree that a folder is in. */
  readonly branchOf: (folder: string) => string | undefined;
  /** The session that the side bar shows. */
  readonly current: () => string;
  /** The beginning of today, epoch ms. */
  readonly today: () => number;
}

/** Rows of one kind, the newest first. */
class NewestFirst {
  /** @param rows are put in order */
  constructor(readonly rows: SessionItemView[]) {
    rows.sort(byTime);
  }

  /** Puts a row in the place of another one; undefined for none. */
  replace(old: SessionItemView | undefined, row: SessionItemView | undefined): void {
    const at = old ? this.rows.indexOf(old) : -1;
    if (at >= 0 && row && old && timeOf(old) === timeOf(row)) return void (this.rows[at] = row);
    if (at >= 0) this.rows.splice(at, 1);
    if (row) this.rows.splice(this.#placeOf(timeOf(row)), 0, row);
  }

  /** After all that are as new. */
  #placeOf(time: number): number {
    let [from, to] = [0, this.rows.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (timeOf(this.rows[middle]!) >= time) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/**
 * The rows of the list of sessions. There may be hundreds of thousands, and something changes with each word of an
 * agent: so what may have changed is named, and only that is made anew.
 */
export class SessionRows {
  #rows = new Map<string, SessionItemView>();
  #current = new NewestFirst([]);
  #archived = new NewestFirst([]);
  /** Rows that may have changed. */
  readonly #touched = new Set<string>();
  #isStale = true;
  #isFilling = false;
  #words: readonly string[] = [];
  /** The list of the agents that the rows were made from. */
  #listed: readonly RemoteSession[] | undefined;
  #remoteOf = new Map<string, RemoteSession>();
  /** Which session of an agent a record is, by the record's id. */
  #keyOf = new Map<string, string>();
  /** How many records are a session of an agent, by its key. */
  #records = new Map<string, number>();
  /** The agents that the rows were made with. */
  #agents = new Map<string, RunningAgent | undefined>();
  #shownKey = '';
  /** What sessions have used lately, by their keys. */
  readonly #spent = new Map<string, UsageTotals>();

  constructor(
    private readonly sources: RowSources,
    private readonly index: SessionIndex,
    private readonly remote: Pick<RemoteSessions, 'list'>,
  ) {}

  /** All rows have to be made anew: agents have listed others, or have started or ended. */
  get isStale(): boolean {
    return (
      this.#isStale ||
      this.#listed !== this.remote.list ||
      [...this.#agents].some(([name, agent]) => this.sources.runningAgentNamed(name) !== agent)
    );
  }

  touch(key: string): void {
    this.#touched.add(key);
  }

  /** Shows only rows with all of these words. @param words in small letters */
  filter(words: readonly string[]): void {
    if (words.join(' ') === this.#words.join(' ')) return;
    this.#words = words;
    this.#isStale = true;
  }

  /** They are being made anew. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  /** Forgets all rows. */
  clear(): void {
    this.#isStale = true;
    this.#words = [];
    this.#rows = new Map();
    [this.#current, this.#archived] = [new NewestFirst([]), new NewestFirst([])];
    this.#spent.clear();
  }

  /**
   * Makes all rows anew. Of many it lets the host do other things in between, and what was shown stays until it is
   * done.
   */
  async fill(): Promise<void> {
    const [nextPart, words, rows] = [slices(), this.#words, new Map<string, SessionItemView>()];
    const current: SessionItemView[] = [];
    const archived: SessionItemView[] = [];
    let made = 0;
    this.#isStale = false;
    this.#isFilling = true;
    this.#touched.clear();
    this.#agents = new Map();
    this.#listed = this.remote.list;
    this.#remoteOf = new Map();
    this.#keyOf = new Map();
    this.#records = new Map();
    for (const remote of this.#listed) {
      this.#remoteOf.set(remoteKey(remote), remote);
      if (++made % BATCH === 0) await nextPart();
    }
    const keys = [
      ...this.index.list().map(({ id }) => id),
      ...this.sources.open().flatMap(({ id, imported }) => (imported ? id : [])),
    ];
    for (const key of keys) this.#know(key);
    for (const key of chain(keys, this.#remoteOf.keys())) {
      const row = this.make(key);
      if (row) rows.set(key, row);
      if (row && matchesWords(row, words)) (row.isArchived ? archived : current).push(row);
      if (++made % BATCH === 0) await nextPart();
    }
    this.#rows = rows;
    this.#shownKey = this.sources.current();
    this.#current = new NewestFirst(current);
    this.#archived = new NewestFirst(archived);
    this.#isFilling = false;
  }

  /** Makes the rows anew that may have changed. @returns whether one has */
  update(): boolean {
    const current = this.sources.current();
    if (current !== this.#shownKey) for (const key of [current, this.#shownKey]) this.#touched.add(key);
    this.#shownKey = current;
    let isChanged = false;
    for (const key of this.#touched) isChanged = this.#renew(key) || isChanged;
    this.#touched.clear();
    return isChanged;
  }

  /** The newest rows, and the pinned ones however old. @param limit of each kind */
  shown(limit: number): Pick<SessionsView, 'items' | 'archived'> & { readonly hasMore: boolean } {
    const [current, archived] = [this.#current.rows, this.#archived.rows];
    const pinned = current.length > limit ? current.slice(limit).filter(({ isPinned }) => isPinned) : [];
    return {
      items: [...current.slice(0, limit), ...archived.slice(0, limit), ...pinned],
      archived: archived.length,
      hasMore: Math.max(current.length, archived.length) > limit,
    };
  }

  /** What all sessions have used today, also those that the search leaves out: one value for each currency. */
  get today(): readonly Spent[] {
    const sums = new Map<string | undefined, Spent>();
    const day = this.sources.today();
    let tokens = 0;
    for (const { day: last, ofDay } of this.#spent.values()) {
      if (last !== day) continue;
      tokens += ofDay.tokens ?? 0;
      if (ofDay.cost) sums.set(ofDay.cost.currency, plus(sums.get(ofDay.cost.currency) ?? {}, { cost: ofDay.cost }));
    }
    return [...sums.values(), ...(tokens > 0 ? [{ tokens }] : [])];
  }

  #renew(key: string): boolean {
    const before = this.#rows.get(key);
    const others = this.#know(key);
    const row = this.make(key);
    // A session of an agent has one row: that of its record, or that of the agent's list.
    const isOtherChanged = others.map((other) => this.#renew(other)).includes(true);
    if (JSON.stringify(before) === JSON.stringify(row)) return isOtherChanged;
    if (row) this.#rows.set(key, row);
    else this.#rows.delete(key);
    for (const [list, isArchived] of [
      [this.#current, false],
      [this.#archived, true],
    ] as const) {
      const isIn = (item: SessionItemView | undefined) =>
        item && (item.isArchived === true) === isArchived && matchesWords(item, this.#words) ? item : undefined;
      list.replace(isIn(before), isIn(row));
    }
    return true;
  }

  /**
   * Notes which session of an agent a record is.
   * @returns the keys in the agent's list, of before and now, where they differ
   */
  #know(id: string): string[] {
    const record = this.index.get(id);
    const before = this.#keyOf.get(id);
    const now =
      record?.remoteId === undefined ? undefined : remoteKey({ agent: record.agent, sessionId: record.remoteId });
    if (before === now) return [];
    if (before !== undefined) this.#records.set(before, this.#records.get(before)! - 1);
    if (now !== undefined) this.#records.set(now, (this.#records.get(now) ?? 0) + 1);
    if (now === undefined) this.#keyOf.delete(id);
    else this.#keyOf.set(id, now);
    return [before, now].flatMap((key) => key ?? []);
  }

  /** One row as it is now; undefined for none. */
  make(key: string): SessionItemView | undefined {
    const { index, sources } = this;
    this.#spent.delete(key);
    if (index.isHidden(key)) return undefined;
    const live = sources.find(key);
    const isCurrent = key === sources.current();
    if (live?.imported) return importedItem(live, live.imported, isCurrent);
    const record = index.get(key);
    const usage = decodeTotals(record?.usage);
    if (usage?.day === sources.today()) this.#spent.set(key, usage);
    if (record) return localItem(record, live, this.#agentOf(record.agent), isCurrent, sources.branchOf(record.cwd));
    const remote = this.#remoteOf.get(key);
    if (!remote || (this.#records.get(key) ?? 0) > 0) return undefined;
    return remoteItem(remote, index.marksOf(remote.agent, remote.sessionId), this.#agentOf(remote.agent));
  }

  #agentOf(name: string): RunningAgent | undefined {
    if (!this.#agents.has(name)) this.#agents.set(name, this.sources.runningAgentNamed(name));
    return this.#agents.get(name);
  }
}

function* chain(...lists: readonly Iterable<string>[]): Iterable<string> {
  for (const list of lists) yield* list;
}

/** The newest first. */
export function byTime(a: SessionItemView, b: SessionItemView): number {
  return timeOf(b) - timeOf(a);
}

function timeOf({ updatedAt = 0 }: SessionItemView): number {
  return updatedAt;
}
