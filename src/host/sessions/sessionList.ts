import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { EntryId } from '../../protocol/entryId';
import {
  type FoundLine,
  type SessionAct,
  type SessionItemView,
  type SessionsView,
  wordsOf,
} from '../../protocol/sessionsView';
import { findEntry } from '../../thread/actionTexts';
import { markedWindow } from '../platform/markedWindow';
import type { SessionDeletion } from './sessionDeletion';
import { RemoteSessions, type RemoteSession } from './remoteSessions';
import type { LiveSession } from './liveSession';
import { remoteKey, type SessionIndex, type SessionMarkFields } from './sessionIndex';
import { titleOf, titleOfRemote, unreadableWords } from './sessionItems';
import { byTime, SessionRows } from './sessionRows';
import { SessionSearch } from './sessionSearch';
import type { SessionService } from './sessionService';
import { dayOf } from './sessionUsage';
import { type TranscriptStore, UnreadableTranscript } from './transcriptStore';

/** Rows that the panel gets at once, of current and of archived sessions; "Show More" gives as many again. */
const ROWS_AT_ONCE = 500;
/** What happens in sessions is shown so soon. */
const SOON_MS = 50;

export interface SessionListOptions {
  readonly sessions: SessionService;
  readonly index: SessionIndex;
  readonly deletion: SessionDeletion;
  readonly transcripts: TranscriptStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly panels: {
    /** Brings a line of an entry of the active session into view. */
    revealEntry(entryId: EntryId, found: FoundLine): void;
  };
}

/** A session that the user wants in a tab, in this window or one of its own. */
interface TabWish {
  readonly session: LiveSession;
  readonly place: 'editor' | 'window';
  readonly waitUntil: (work: Promise<void>) => void;
}

/**
 * The list of sessions that the panel shows on demand: those of this workspace from our own index, with what they do
 * now, and those that a running agent lists itself. No agent is started for it.
 */
export class SessionList extends Disposable {
  #isOpen = false;
  /** An act of the list itself shows another session; the list stays open. */
  #isActing = false;
  #problem: string | undefined;
  readonly #remote: RemoteSessions;
  readonly #search: SessionSearch;
  readonly #rows: SessionRows;
  #limit = ROWS_AT_ONCE;
  /** The rows of the view have changed since it was made. */
  #isChanged = true;
  readonly #soon: Coalescer;
  #page: ReturnType<SessionRows['shown']> = { items: [], archived: 0, hasMore: false };
  #shown: SessionsView | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());

  readonly #tabEmitter = this.register(new Emitter<TabWish>());

  readonly #archiveEmitter = this.register(new Emitter<string>());

  /** A session was archived that worked in this folder. */
  readonly onDidArchive = this.#archiveEmitter.event;
  /** The user wants a session in a tab. */
  readonly onDidWantTab = this.#tabEmitter.event;
  /** The view has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: SessionListOptions) {
    super();
    const { sessions, index, deletion, clock, log } = options;
    this.#remote = new RemoteSessions(sessions.runningAgentNamed, log, () => this.#refresh());
    this.#search = this.register(new SessionSearch({ ...options, changed: () => this.#refresh() }));
    this.register(deletion.onDidChange(() => this.#refresh()));
    this.register(deletion.onDidDeleteAtAgent((key) => this.#remote.replace(key, undefined)));
    const { find, runningAgentNamed } = sessions;
    this.#rows = new SessionRows(
      {
        find: (id) => find.call(sessions, id),
        open: () => sessions.open,
        runningAgentNamed,
        branchOf: (folder) => sessions.branchOf(folder),
        current: () => sessions.views.sideBar.session.id,
        today: () => dayOf(clock.now()),
      },
      index,
      this.#remote,
    );
    this.#soon = this.register(new Coalescer(clock, SOON_MS, () => this.#refresh()));
    const touch = (key: string) => {
      if (!this.#isOpen) return;
      this.#rows.touch(key);
      this.#soon.schedule();
    };
    this.register(sessions.onDidChange(({ session }) => touch(session.id)));
    this.register(sessions.onDidClose(({ id }) => touch(id)));
    this.register(
      sessions.views.onDidSwitch(({ view }) => view === sessions.views.sideBar && !this.#isActing && this.close()),
    );
    this.register(
      index.onDidChange((key) => {
        touch(key);
        this.#soon.flushNow();
      }),
    );
  }

  /** The same object until something in it changes; undefined while the list is closed. */
  get view(): SessionsView | undefined {
    return this.#shown;
  }

  async open(): Promise<void> {
    const { sessions } = this.options;
    this.#isOpen = true;
    this.#limit = ROWS_AT_ONCE;
    this.#rows.clear();
    await this.#remote.load(
      [...new Set(sessions.open.flatMap((item) => (item.runningAgent?.features.list ? [item.agent] : [])))],
      sessions.active.cwd,
    );
    await this.options.deletion.resumeAtAgents(({ key }) =>
      this.#remote.find(key) ? true : this.#remote.hasMore ? undefined : false,
    );
  }

  close(): void {
    // What failed while the list was closed is said when it is open again.
    if (this.#isOpen) {
      this.#problem = undefined;
      this.options.deletion.dismiss();
    }
    this.#isOpen = false;
    void this.#search.search('');
    this.#rows.clear();
    this.#refresh();
  }

  async toggle(): Promise<void> {
    if (this.#isOpen) this.close();
    else await this.open();
  }

  /** Shows older ones, or asks the agents for the pages that follow. */
  async more(): Promise<void> {
    if (this.#page.hasMore) {
      this.#limit += ROWS_AT_ONCE;
      this.#isChanged = true;
      return this.#refresh();
    }
    await this.#remote.more();
  }

  /** Looks for a text in all transcripts. */
  async find(text: string): Promise<void> {
    if (!this.#isOpen) return;
    this.#rows.filter(wordsOf(text));
    this.#refresh();
    await this.#search.search(text);
  }

  /** Shows the session of an item. A key that is not in the list does nothing. */
  async show(key: string): Promise<void> {
    const { sessions, index } = this.options;
    const remote = this.#remote.find(key);
    if (remote) return void (await this.#showRemote(remote));
    if (sessions.views.showing(key)) this.close();
    if (sessions.views.sideBar.shows(key) || index.isHidden(key) || (await sessions.openSession(key))) return;
    const record = index.get(key);
    if (!record) return;
    const remove = l10n.t('Remove from List');
    if (
      (await markedWindow.showWarningMessage(
        l10n.t('The session “{0}” no longer exists.', titleOf(record)),
        remove,
      )) === remove
    )
      index.remove(key);
  }

  /** Shows the session of a line that was found, at that line. */
  async showHit(id: string): Promise<void> {
    const { sessions, panels } = this.options;
    const hit = this.#search.hit(id);
    if (!hit) return;
    // The search ends with the list.
    const text = this.#search.view?.text ?? '';
    await this.show(hit.key);
    if (sessions.active.id !== hit.key) return;
    const entryId = findEntry(sessions.active.session.thread, hit.line);
    if (entryId !== undefined) panels.revealEntry(entryId, { text, line: hit.line });
  }

  /** Does what the menu offers for sessions. Those that do not offer it are left out. @returns whether one offers it */
  async act(act: SessionAct, keys: readonly string[]): Promise<boolean> {
    const items = keys
      .flatMap((key) => this.#rows.make(key) ?? [])
      .filter(({ acts }) => acts.includes(act))
      .sort(byTime);
    const [first] = items;
    if (!first) return false;
    this.#problem = undefined;
    this.options.deletion.dismiss();
    await this.#carryOut(act, first, items);
    return true;
  }

  async #carryOut(act: SessionAct, first: SessionItemView, items: readonly SessionItemView[]): Promise<void> {
    switch (act) {
      case 'openInEditor':
      case 'openInNewWindow': {
        const remote = this.#remote.find(first.key);
        // Another session may be in front by then.
        const session = await (remote ? this.#showRemote(remote) : this.#read(first.key));
        if (!session) return;
        const opening: Promise<void>[] = [];
        this.#tabEmitter.fire({
          session,
          place: act === 'openInEditor' ? 'editor' : 'window',
          waitUntil: (work) => void opening.push(work),
        });
        return void (await Promise.all(opening));
      }
      case 'rename':
        return this.#rename(first);
      case 'fork':
        return this.options.sessions
          .fork(first.key)
          .catch((error: unknown) =>
            this.#fail(l10n.t('“{0}” could not be forked: {1}', first.title, reasonOf(error))),
          );
      case 'continue':
        return vscode.commands.executeCommand('parley.continueSession', first.key);
      case 'pin':
      case 'unpin':
        for (const { key } of items) this.#mark(key, { isPinned: act === 'pin' ? true : undefined });
        return;
      case 'archive':
      case 'unarchive':
        for (const { key } of items) await this.#archive(key, act === 'archive');
        return;
      case 'delete':
        return this.#delete(items.map(({ key }) => key));
    }
  }

  /** Brings back what was deleted last. */
  undoDelete(): void {
    this.options.deletion.undo();
  }

  /** A session that is here. Where it cannot be read the list says why. */
  async #read(key: string): Promise<LiveSession | undefined> {
    const { sessions, index } = this.options;
    try {
      return await sessions.get(key);
    } catch (error) {
      if (!(error instanceof UnreadableTranscript)) throw error;
      this.#fail(unreadableWords(index.get(key), error.message));
      return undefined;
    }
  }

  async #showRemote(remote: RemoteSession): Promise<LiveSession | undefined> {
    const { sessions, index } = this.options;
    const { agent, sessionId, cwd, title, isArchived } = remote;
    const marks = { ...(isArchived ? { isArchived } : {}), ...index.marksOf(agent, sessionId) };
    const session = await sessions.openRemote(agent, sessionId, cwd, title, marks);
    index.mark(agent, sessionId, { ownTitle: undefined, isPinned: undefined, isArchived: undefined });
    return session;
  }

  /** Gives a session another name; an empty one gives it back the agent's title. */
  async #rename({ key, title, agent: name }: SessionItemView): Promise<void> {
    const { sessions, index } = this.options;
    const remoteId = this.#remote.find(key)?.sessionId ?? index.get(key)?.remoteId;
    const agent = remoteId === undefined ? undefined : sessions.runningAgentNamed(name);
    const isTold = agent?.features.setTitle === true;
    const prompt = isTold
      ? l10n.t('{0} gets the new name too.', name)
      : l10n.t('Only Parley uses this name. {0} keeps its own.', name);
    const typed = (
      await markedWindow.showInputBox({
        title: l10n.t('Parley: Rename Session'),
        value: title,
        prompt,
        ignoreFocusOut: true,
      })
    )?.trim();
    if (typed === undefined || typed === title) return;
    this.#mark(key, { ownTitle: typed === '' ? undefined : typed });
    if (!isTold || typed === '') return;
    try {
      // The agent may have shortened it.
      this.#mark(key, { ownTitle: await agent.connection.setTitle(remoteId!, typed) });
    } catch (error) {
      this.#fail(l10n.t('{0} rejected the new name: {1}', name, reasonOf(error)));
    }
  }

  /** An archived session is closed, and leaves the list until the user asks for archived ones. */
  async #archive(key: string, archived: boolean): Promise<void> {
    const { sessions, index } = this.options;
    const remote = this.#remote.find(key);
    const name = remote?.agent ?? index.get(key)?.agent ?? '';
    const remoteId = remote?.sessionId ?? index.get(key)?.remoteId;
    const agent = sessions.runningAgentNamed(name);
    if (archived && !remote) await this.#acting(() => sessions.putAway(key));
    this.#mark(key, { isArchived: archived ? true : undefined });
    const folder = index.get(key)?.cwd;
    if (archived && folder !== undefined) this.#archiveEmitter.fire(folder);
    if (!agent?.features.archive || remoteId === undefined) return;
    try {
      await (archived ? agent.connection.archiveSession(remoteId) : agent.connection.unarchiveSession(remoteId));
      this.#remote.replace(remoteKey({ agent: name, sessionId: remoteId }), { isArchived: archived });
      // The agent's own word is enough.
      if (remote) this.#mark(key, { isArchived: undefined });
    } catch (error) {
      this.#fail(
        archived
          ? l10n.t('{0} could not archive the session: {1}', name, reasonOf(error))
          : l10n.t('{0} could not unarchive the session: {1}', name, reasonOf(error)),
      );
    }
  }

  /** Closes sessions and takes them from the list. They are deleted when the time for Undo is over. */
  async #delete(keys: readonly string[]): Promise<void> {
    const { sessions, index, deletion } = this.options;
    deletion.add(keys, (key) => {
      const remote = this.#remote.find(key);
      return (
        remote && {
          agent: remote.agent,
          sessionId: remote.sessionId,
          title: titleOfRemote(remote, index.marksOf(remote.agent, remote.sessionId)),
        }
      );
    });
    await this.#acting(async () => {
      for (const key of keys) await sessions.putAway(key);
    });
  }

  #mark(key: string, fields: SessionMarkFields): void {
    const remote = this.#remote.find(key);
    if (remote) this.options.index.mark(remote.agent, remote.sessionId, fields);
    else this.options.index.patch(key, fields);
  }

  async #acting(work: () => Promise<void>): Promise<void> {
    this.#isActing = true;
    try {
      await work();
    } finally {
      this.#isActing = false;
    }
  }

  #fail(problem: string): void {
    this.#problem = problem;
    this.options.log.warn(problem);
    this.#refresh();
  }

  #refresh(): void {
    if (this.#isOpen && this.#rows.isStale && !this.#rows.isFilling) {
      this.#isChanged = true;
      const filled = this.#rows.fill();
      // Few rows are made at once.
      if (this.#rows.isFilling) void filled.then(() => this.#refresh());
    }
    const before = this.#shown;
    this.#shown = this.#isOpen ? this.#project() : undefined;
    if (this.#shown !== before) this.#changeEmitter.fire();
  }

  /** The same object where nothing has changed. */
  #project(): SessionsView {
    const before = this.#shown;
    const { deletion } = this.options;
    const problem = this.#problem ?? deletion.problem ?? this.#remote.problem;
    const { view: search } = this.#search;
    const deleted = deletion.list;
    // What was shown stays while many rows are made anew.
    if (!this.#rows.isFilling && (this.#rows.update() || this.#isChanged)) {
      this.#isChanged = false;
      this.#page = this.#rows.shown(this.#limit);
    }
    const { items, archived, hasMore } = this.#page;
    const { today } = this.#rows;
    const next: SessionsView = {
      items,
      archived,
      loading: this.#remote.isLoading,
      hasMore: hasMore || this.#remote.hasMore,
      ...(problem === undefined ? {} : { problem }),
      ...(search ? { search } : {}),
      ...(today.length > 0 ? { today } : {}),
      ...(deleted.length > 0
        ? { deleted: { count: deleted.length, ...(deleted.length === 1 ? { title: deleted[0]!.title } : {}) } }
        : {}),
    };
    return before && isSameView(before, next) ? before : next;
  }
}

function reasonOf(error: unknown): string {
  return messageOf(error);
}

/** Rows are the same objects where nothing in them has changed. */
function isSameView(a: SessionsView, b: SessionsView): boolean {
  const rest = (view: SessionsView) => JSON.stringify({ ...view, items: [] });
  return (
    (a.items === b.items || (a.items.length === b.items.length && a.items.every((item, i) => item === b.items[i]))) &&
    rest(a) === rest(b)
  );
}
