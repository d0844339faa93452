import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { AcpError } from '../../acp/errors';
import type { SessionInfo } from '../../acp/decodeSessions';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { SessionItemView, SessionsView } from '../../protocol/sessionsView';
import { wantsSignIn } from '../../thread/errorCause';
import { markedWindow } from '../platform/markedWindow';
import type { LiveSession } from './liveSession';
import { plainText } from '../platform/plainText';
import type { SessionIndex, SessionRecord } from './sessionIndex';
import type { SessionService } from './sessionService';

/** Pages that are asked of an agent at once; "Show more" asks for as many again. */
const pagesAtOnce = 2;

interface RemoteSession extends SessionInfo {
  readonly agent: string;
}

/**
 * The list of sessions that the panel shows on demand: those of this workspace from our own index, with what they do
 * now, and those that a running agent lists itself. No agent is started for it.
 */
export class SessionList extends Disposable {
  private isOpen = false;
  private loading = false;
  private problem: string | undefined;
  private remote: readonly RemoteSession[] = [];
  /** Where the next page begins, by agent. Held in memory only (item 68). */
  private readonly cursors = new Map<string, string>();
  private shown: SessionsView | undefined;
  private readonly changeEmitter = this.register(new Emitter<void>());

  /** The view has changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly sessions: SessionService,
    private readonly index: SessionIndex,
    private readonly log: Logger,
  ) {
    super();
    this.register(sessions.onDidChange(() => this.refresh()));
    this.register(sessions.onDidSwitch(() => this.close()));
    this.register(index.onDidChange(() => this.refresh()));
  }

  /** The same object until something in it changes; undefined while the list is closed. */
  get view(): SessionsView | undefined {
    return this.shown;
  }

  async open(): Promise<void> {
    this.isOpen = true;
    this.problem = undefined;
    this.remote = [];
    this.cursors.clear();
    this.refresh();
    await this.load(this.runningAgents());
  }

  close(): void {
    this.isOpen = false;
    this.refresh();
  }

  async toggle(): Promise<void> {
    if (this.isOpen) this.close();
    else await this.open();
  }

  /** Asks the agents for the pages that follow. */
  async more(): Promise<void> {
    await this.load([...this.cursors.keys()]);
  }

  /** Shows the session of an item. A key that is not in the list does nothing. */
  async show(key: string): Promise<void> {
    const remote = this.remote.find((item) => remoteKey(item) === key);
    if (remote) return this.sessions.openRemote(remote.agent, remote.sessionId, remote.cwd, remote.title);
    if (key === this.sessions.active.id) return this.close();
    if (await this.sessions.openSession(key)) return;
    const record = this.index.get(key);
    if (!record) return;
    const remove = l10n.t('Remove from List');
    const chosen = await markedWindow.showWarningMessage(l10n.t('The record of “{0}” no longer exists.', plainText(titleOf(record))), remove);
    if (chosen === remove) this.index.remove(key);
  }

  /** Gives a session a name of the person's own; an empty one gives it back its title. */
  async rename(key: string): Promise<void> {
    const record = this.index.get(key);
    if (!record) return;
    const name = await markedWindow.showInputBox({ title: l10n.t('Parley: Rename Session'), value: titleOf(record), prompt: l10n.t('Only this editor stores the name. The agent does not see it.') });
    if (name === undefined) return;
    const { ownTitle: _former, ...rest } = record;
    this.index.put(name.trim() === '' ? rest : { ...rest, ownTitle: name.trim() });
  }

  /** Deletes a session after asking, on the agent's side too where it can. */
  async delete(key: string): Promise<void> {
    const remote = this.remote.find((item) => remoteKey(item) === key);
    const record = this.index.get(key);
    const title = record ? titleOf(record) : (remote?.title ?? l10n.t('Untitled'));
    const agent = remote?.agent ?? record?.agent ?? '';
    const there = this.sessions.runningAgentNamed(agent)?.features.delete === true && (remote !== undefined || record?.remoteId !== undefined);
    const detail = there ? l10n.t('{0} deletes it too.', agent) : l10n.t('Parley deletes its own record. What {0} stores stays.', agent);
    const confirm = l10n.t('Delete');
    if ((await markedWindow.showWarningMessage(l10n.t('Delete “{0}”?', plainText(title)), { modal: true, detail }, confirm)) !== confirm) return;
    try {
      if (record) await this.sessions.delete(key);
      else if (remote) await this.sessions.runningAgentNamed(agent)?.connection.deleteSession(remote.sessionId);
      this.remote = this.remote.filter((item) => remoteKey(item) !== key && item.sessionId !== record?.remoteId);
    } catch (error) {
      this.problem = l10n.t('{0} could not delete the session: {1}', agent, error instanceof Error ? error.message : String(error));
    }
    this.refresh();
  }

  private runningAgents(): string[] {
    return [...new Set(this.sessions.open.flatMap((item) => (item.runningAgent?.features.list ? [item.agent] : [])))];
  }

  private async load(agents: readonly string[]): Promise<void> {
    if (agents.length === 0) return;
    this.loading = true;
    this.refresh();
    await Promise.all(agents.map((agent) => this.loadFrom(agent)));
    this.loading = false;
    this.refresh();
  }

  private async loadFrom(name: string): Promise<void> {
    const agent = this.sessions.runningAgentNamed(name);
    if (!agent) return;
    const { cwd } = this.sessions.active;
    let cursor = this.cursors.get(name);
    try {
      for (let page = 0; page < pagesAtOnce; page++) {
        const { sessions, nextCursor } = await agent.connection.listSessions(cwd, cursor);
        // What is listed twice is as the agent says last, its folders too (item 69).
        const listed = new Map([...this.remote, ...sessions.map((item) => ({ ...item, agent: name }))].map((item) => [remoteKey(item), item]));
        this.remote = [...listed.values()];
        cursor = nextCursor;
        if (cursor === undefined) break;
        this.cursors.set(name, cursor);
      }
      if (cursor === undefined) this.cursors.delete(name);
    } catch (error) {
      this.cursors.delete(name);
      this.log.warn(`${name}: session/list failed: ${String(error)}`);
      if (wantsSignIn(error)) this.problem = l10n.t('Sign in to see the sessions of {0}.', name);
      else this.problem = l10n.t('{0} could not list its sessions: {1}', name, error instanceof AcpError || error instanceof Error ? error.message : String(error));
    }
  }

  private refresh(): void {
    const before = this.shown;
    const next = this.isOpen ? this.project() : undefined;
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    this.shown = next;
    this.changeEmitter.fire();
  }

  private project(): SessionsView {
    const records = this.index.list();
    const ours = new Set(records.flatMap(({ agent, remoteId }) => (remoteId === undefined ? [] : [remoteKey({ agent, sessionId: remoteId })])));
    const items: SessionItemView[] = records.map((record) => localItem(record, this.sessions.find(record.id), this.sessions.active.id));
    for (const live of this.sessions.open) if (live.imported) items.push(importedItem(live, live.imported, this.sessions.active.id));
    for (const item of this.remote) {
      if (ours.has(remoteKey(item))) continue;
      items.push({
        key: remoteKey(item),
        title: item.title ?? l10n.t('Untitled'),
        agent: item.agent,
        ...(item.updatedAt === undefined ? {} : { updatedAt: item.updatedAt }),
        state: 'atAgent',
        isCurrent: false,
        canRename: false,
        canDelete: this.sessions.runningAgentNamed(item.agent)?.features.delete === true,
        folder: [item.cwd, ...(item.additionalDirectories ?? [])].map((folder) => path.basename(folder)).join(', '),
      });
    }
    items.sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
    return { items, loading: this.loading, hasMore: this.cursors.size > 0, ...(this.problem === undefined ? {} : { problem: this.problem }) };
  }
}

function localItem(record: SessionRecord, live: LiveSession | undefined, activeId: string): SessionItemView {
  return {
    key: record.id,
    title: titleOf(record),
    agent: record.agent,
    updatedAt: record.updatedAt,
    state: stateOf(live),
    isCurrent: record.id === activeId,
    canRename: true,
    canDelete: true,
    folder: path.basename(record.cwd),
  };
}

/** It is in no index: it is listed as long as it is open. */
function importedItem(live: LiveSession, { agent, exportedAt }: NonNullable<LiveSession['imported']>, activeId: string): SessionItemView {
  return { key: live.id, title: live.title ?? l10n.t('Untitled'), agent, updatedAt: exportedAt, state: 'open', isCurrent: live.id === activeId, canRename: false, canDelete: false, folder: l10n.t('Imported') };
}

function stateOf(live: LiveSession | undefined): SessionItemView['state'] {
  if (!live) return 'stored';
  if (live.session.thread.waiting.length > 0) return 'waiting';
  if (live.session.isRunning) return 'running';
  if (live.unread) return live.hasFailed ? 'failed' : 'unread';
  return 'open';
}

function titleOf(record: SessionRecord): string {
  return record.ownTitle ?? record.title ?? l10n.t('Untitled');
}

function remoteKey({ agent, sessionId }: { readonly agent: string; readonly sessionId: string }): string {
  return `${agent}\u0000${sessionId}`;
}
