import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { FolderView, ServerView, SetupView } from '../../protocol/setupView';
import { editorServerName } from '../../editor/editorCall';
import { additionalDirectories } from './additionalDirectories';
import { awaitsReview, type KnownServer } from '../mcp/knownServer';
import type { ServerOutcome } from '../mcp/passServers';

/** What a session was opened with, besides its `cwd`. */
export interface OpenedSetup {
  readonly servers: readonly ServerOutcome[];
  /** It has the editor's own server. */
  readonly editor?: true;
  /** Absolute folders that were passed on. */
  readonly folders: readonly string[];
  /** Folders that the agent does not take. */
  readonly foldersLeft: readonly string[];
}

/** Who has connected to the editor's own server, and the calls by tool. */
export interface EditorUse {
  readonly clients: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, number>;
}

export interface SetupState {
  /** Absent as long as the session is not open. */
  readonly opened: OpenedSetup | undefined;
  readonly known: readonly KnownServer[];
  readonly agent: string;
  readonly cwd: string;
  /** What was used of the editor's own server. */
  readonly editorUse?: EditorUse | undefined;
  /** The branch of the worktree that the session works in. */
  readonly branch?: string | undefined;
  /** The session works in none of the workspace's folders. */
  readonly isElsewhere?: boolean;
  /** What the next session of this agent would have in its reach. */
  readonly rootsNow: readonly string[];
}

/**
 * Projects what a session was opened with, and how that differs from what is defined now. `undefined` where there is
 * nothing to tell.
 */
export function setupView({
  opened,
  known,
  agent,
  cwd,
  rootsNow,
  editorUse,
  branch,
  isElsewhere = false,
}: SetupState): SetupView | undefined {
  const servers = [
    ...(opened?.editor ? [{ name: editorServerName, state: 'passed', use: useWords(editorUse) } as const] : []),
    ...known.flatMap((server) => serverView(server, opened) ?? []),
    ...(opened?.servers ?? [])
      .filter((outcome) => outcome.state === 'passed' && !known.some(({ key }) => key === outcome.key))
      .map(({ name }): ServerView => ({ name, state: 'passed' })),
  ];
  const folders = folderViews(opened, cwd, rootsNow);
  const changed =
    opened !== undefined &&
    (known.some((server) => isNews(server, opened)) ||
      opened.servers.some((outcome) => isGone(outcome, known)) ||
      haveFoldersChanged(opened, rootsNow, cwd));
  if (servers.length === 0 && folders.length === 0 && !isElsewhere && branch === undefined) return undefined;
  return {
    servers,
    folders,
    ...(branch !== undefined ? { worktree: { branch, path: cwd } } : isElsewhere ? { elsewhere: cwd } : {}),
    ...(opened && opened.foldersLeft.length > 0 ? { foldersWhy: l10n.t('{0} works in one folder only.', agent) } : {}),
    changed,
  };
}

/** Who has connected to the editor's own server, and what they used, in words. */
export function useWords(use: EditorUse | undefined): string {
  if (!use || use.clients.size === 0) return l10n.t('not connected yet');
  const who = l10n.t('connected: {0}', [...use.clients].join(', '));
  if (use.calls.size === 0) return who;
  const calls = [...use.calls].map(([tool, count]) => (count === 1 ? tool : `${tool} × ${count}`));
  return l10n.t('{0}; used: {1}', who, calls.join(', '));
}

function serverView(server: KnownServer, opened: OpenedSetup | undefined): ServerView | undefined {
  const { name, key, fingerprint, adoption, problem } = server;
  const outcome = opened?.servers.find((item) => item.key === key);
  const isSame = outcome?.fingerprint === fingerprint;
  const hasFormer = outcome?.state === 'passed' && !isSame;
  if (problem !== undefined)
    return {
      name,
      state: 'left',
      why: hasFormer ? l10n.t('{0}; this session uses the earlier definition', problem) : problem,
    };
  if (outcome?.state === 'passed' && isSame) return { name, state: 'passed' };
  if (awaitsReview(server)) return { name, state: 'review', why: reviewReason(adoption === 'changed', hasFormer) };
  if (adoption === 'declined') return { name, state: 'off', why: l10n.t('your choice') };
  if (outcome?.state === 'left' && isSame)
    return { name, state: 'left', ...(outcome.why === undefined ? {} : { why: outcome.why }) };
  // What is not open yet has nothing to tell of servers that will simply be passed on.
  return opened ? { name, state: 'left', why: l10n.t('starts with the next session') } : undefined;
}

function reviewReason(hasChanged: boolean, hasFormer: boolean): string {
  if (!hasChanged) return l10n.t('it needs your review');
  return hasFormer
    ? l10n.t('its definition has changed; this session uses the earlier one')
    : l10n.t('its definition has changed');
}

/** The next session gets it, this one did not. */
function isNews({ key, fingerprint, definition, adoption }: KnownServer, opened: OpenedSetup): boolean {
  if (!definition || (adoption !== 'own' && adoption !== 'adopted')) return false;
  const outcome = opened.servers.find((item) => item.key === key);
  return outcome === undefined || outcome.fingerprint !== fingerprint || outcome.state === 'undecided';
}

/** This session got it, the next one does not. */
function isGone({ key, fingerprint, state }: ServerOutcome, known: readonly KnownServer[]): boolean {
  if (state !== 'passed') return false;
  const server = known.find((item) => item.key === key);
  return (
    server === undefined ||
    server.fingerprint !== fingerprint ||
    (server.adoption !== 'own' && server.adoption !== 'adopted')
  );
}

function haveFoldersChanged(opened: OpenedSetup, rootsNow: readonly string[], cwd: string): boolean {
  const before = new Set([...opened.folders, ...opened.foldersLeft]);
  const now = additionalDirectories(rootsNow, cwd);
  return before.size !== now.length || now.some((folder) => !before.has(folder));
}

function folderViews(opened: OpenedSetup | undefined, cwd: string, rootsNow: readonly string[]): FolderView[] {
  if (!opened) return [];
  const next = additionalDirectories(rootsNow, cwd).filter(
    (folder) => !opened.folders.includes(folder) && !opened.foldersLeft.includes(folder),
  );
  if (opened.folders.length + opened.foldersLeft.length + next.length === 0) return [];
  const view =
    (state: FolderView['state']) =>
    (folder: string): FolderView => ({ name: nodePath.basename(folder) || folder, state });
  return [
    view('cwd')(cwd),
    ...opened.folders.map(view('passed')),
    ...opened.foldersLeft.map(view('left')),
    ...next.map(view('next')),
  ];
}
