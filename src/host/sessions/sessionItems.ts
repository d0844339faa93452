import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { sessionTitle } from '../../base/oneLine';
import type { SessionAct, SessionItemView } from '../../protocol/sessionsView';
import { waitsForUser } from '../../thread/thread';
import { decodeTotals } from '../../thread/usageTotals';
import type { RunningAgent } from '../agents/agentService';
import type { LiveSession } from './liveSession';
import type { RemoteSession } from './remoteSessions';
import { remoteKey, type SessionMarks, type SessionRecord } from './sessionIndex';

/**
 * A line for a session that has a record here.
 * @param agent its agent, while that runs @param branch of the worktree that it works in
 */
export function localItem(
  record: SessionRecord,
  live: LiveSession | undefined,
  agent: RunningAgent | undefined,
  isCurrent: boolean,
  branch: string | undefined,
): SessionItemView {
  const { id: key, agent: name, isPinned, isArchived, updatedAt, cwd } = record;
  const usage = decodeTotals(record.usage);
  const isBusy = live?.isBusy === true;
  const canFork = !isBusy && agent?.features.fork === true && record.remoteId !== undefined;
  return {
    key,
    title: titleOf(record, live),
    agent: name,
    updatedAt,
    state: stateOf(live),
    isCurrent,
    ...marksView({ isPinned, isArchived }),
    ...(usage ? { usage: usage.all } : {}),
    // Archiving would stop the agent, and what goes on in the background.
    acts: [
      'openInEditor',
      'openInNewWindow',
      'rename',
      isPinned ? 'unpin' : 'pin',
      ...(isBusy || live?.background.length ? [] : [archiveAct(isArchived)]),
      'continue',
      ...(canFork ? ['fork' as const] : []),
      'delete',
    ],
    folder: branch ?? path.basename(cwd),
  };
}

/** A line for a session that only its agent has. */
export function remoteItem(item: RemoteSession, marks: SessionMarks, agent: RunningAgent | undefined): SessionItemView {
  const { agent: name, updatedAt, cwd, additionalDirectories = [] } = item;
  const { isPinned } = marks;
  const isArchived = marks.isArchived ?? item.isArchived;
  return {
    key: remoteKey(item),
    title: titleOfRemote(item, marks),
    agent: name,
    ...(updatedAt === undefined ? {} : { updatedAt }),
    state: 'atAgent',
    isCurrent: false,
    ...marksView({ isPinned, isArchived }),
    acts: [
      'openInEditor',
      'openInNewWindow',
      'rename',
      isPinned ? 'unpin' : 'pin',
      archiveAct(isArchived),
      ...(agent?.features.delete ? ['delete' as const] : []),
    ],
    folder: [cwd, ...additionalDirectories].map((folder) => path.basename(folder)).join(', '),
  };
}

/** A line for a session that was read from a file. It is in no index, and in the list as long as it is open. */
export function importedItem(
  live: LiveSession,
  { agent, exportedAt }: NonNullable<LiveSession['imported']>,
  isCurrent: boolean,
): SessionItemView {
  return {
    key: live.id,
    title: sessionTitle(live.title ?? '') || untitled(),
    agent,
    updatedAt: exportedAt,
    state: stateOf(live),
    isCurrent,
    acts: [],
    folder: l10n.t('Imported'),
  };
}

/** The title in the list. The panel's header has the same. */
export function titleOf(record: SessionRecord, live?: LiveSession): string {
  return sessionTitle(live?.title ?? record.ownTitle ?? record.title ?? '') || untitled();
}

/** The title of a session that only its agent has. */
export function titleOfRemote(item: RemoteSession, marks: SessionMarks): string {
  return sessionTitle(marks.ownTitle ?? item.title ?? '') || untitled();
}

/**
 * Says why a session is not shown.
 * @param record of it, where it is in the list
 * @param problem why and what to do, in sentences
 */
export function unreadableWords(record: SessionRecord | undefined, problem: string): string {
  return record
    ? l10n.t('The session “{0}” cannot be read: {1} Parley deleted nothing.', titleOf(record), problem)
    : l10n.t('The session cannot be read: {0} Parley deleted nothing.', problem);
}

function untitled(): string {
  return l10n.t('Untitled');
}

function archiveAct(isArchived: boolean | undefined): SessionAct {
  return isArchived ? 'unarchive' : 'archive';
}

function marksView({
  isPinned,
  isArchived,
}: {
  readonly isPinned: boolean | undefined;
  readonly isArchived: boolean | undefined;
}) {
  return { ...(isPinned ? { isPinned } : {}), ...(isArchived ? { isArchived } : {}) };
}

function stateOf(live: LiveSession | undefined): SessionItemView['state'] {
  if (!live) return 'stored';
  if (waitsForUser(live.session.thread)) return 'waiting';
  if (live.session.isRunning) return 'running';
  if (live.connection.view.state === 'failed') return 'failed';
  if (live.unread) return live.hasFailed ? 'failed' : 'unread';
  return live.background.length > 0 ? 'background' : 'open';
}
