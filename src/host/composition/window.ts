import { homedir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { stackOf } from '../../base/errorText';
import { handleListenerErrors } from '../../base/event';
import { rememberLoginPath } from '../../node/environment';
import { watchPrograms } from '../../node/programWatch';
import { Watchdog } from '../../node/watchdog';
import type { ParleyApi } from '../ask/parleyApi';
import { FirstSteps } from '../attention/firstSteps';
import type { WindowSaves } from '../changes/disk/saveAnnouncer';
import { protectedPlaces } from '../files/pathPolicy';
import { systemClock } from '../platform/clock';
import { markedWindow } from '../platform/markedWindow';
import { SessionDirectory } from '../sessions/sessionDirectory';
import { SessionIndex } from '../sessions/sessionIndex';
import { Worktrees } from '../worktrees/worktrees';
import { FileState } from '../storage/fileState';
import { StorageTrouble } from '../storage/storageTrouble';
import { type AgentRequests, createAgentRequests } from './agentRequests';
import { createAgents } from './agents';
import { scratchFolder } from '../storage/windowStorage';
import type { Basis } from './basis';
import { createChanges } from './changes';
import { createEditorServer } from './createEditorServer';
import { createPanel } from './createPanel';
import { createReview } from './createReview';
import { createSessions } from './sessions';

/** What the extension's entry needs of a window in which Parley is used. */
export interface OpenWindow {
  /** VS Code has made the webview of the side bar. */
  attachSideBar(view: vscode.WebviewView): void;
  /** VS Code brings back a tab. @param state what its webview has kept @param isClosed the user has closed it again */
  restoreTab(tab: vscode.WebviewPanel, state: unknown, isClosed: () => boolean): Promise<void>;
  /** Opens a link to Parley, from anywhere. */
  openLink(uri: vscode.Uri): Promise<void>;
  /** See `ParleyExports`. */
  getApi(version: unknown, context: unknown): Promise<ParleyApi>;
  /** The agent of the session that was used last; "" before one was selected. */
  readonly agent: string;
  /** Whether Parley itself is writing a file just now. */
  isWriting(path: string): boolean;
  shutdown(): Promise<void>;
}

const loginPathKey = 'parley.loginPath';

/**
 * Tells the user of permission rules that came into the settings by another way than Parley. Loaded once there is any
 * rule.
 */
function watchRules({ own, log }: Basis, { rules }: AgentRequests): void {
  const tell = async () => (await import('../permissions/permissionViews')).tellOfPending(await rules.get());
  const look = () =>
    void tell().catch((error: unknown) => log.error(`New permission rules were not told: ${String(error)}`));
  own(
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('parley.permissions.rules') && look(),
    ),
  );
  if (vscode.workspace.getConfiguration('parley').inspect('permissions.rules')?.globalValue !== undefined) look();
}

/** Builds all services and joins them. Nothing is spawned here. */
export function openWindow(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  storage: string,
  saves: WindowSaves,
): OpenWindow {
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  own(handleListenerErrors((error) => log.error(`An event listener failed: ${stackOf(error)}`)));
  protectedPlaces.protect({
    storage: [context.globalStorageUri, context.storageUri, context.logUri].flatMap((uri) => (uri ? [uri.fsPath] : [])),
    extensions: vscode.extensions.all.map(({ extensionPath }) => extensionPath),
    program: vscode.env.appRoot,
    home: homedir(),
    open: [scratchFolder(context)],
  });
  const clock = systemClock;
  rememberLoginPath(
    {
      known: context.globalState.get<string>(loginPathKey),
      keep: (found) => void context.globalState.update(loginPathKey, found),
    },
    clock,
  );
  const trouble = own(new StorageTrouble(clock));
  const state = own(new FileState({ file: path.join(storage, 'state.json'), what: 'state', clock, log, trouble }));
  const watchdog = own(watchPrograms(new Watchdog(context.asAbsolutePath('dist/watchdog.js'))));
  const basis: Basis = { context, log, clock, storage: { folder: storage, state, trouble }, watchdog, own };

  const directory = new SessionDirectory();
  const index = own(new SessionIndex(state));
  const worktrees = own(new Worktrees(state, log));
  const changes = createChanges(basis, directory, saves, worktrees);
  const requests = createAgentRequests(basis, directory, index, changes, worktrees);
  const agents = createAgents(basis, directory, requests, worktrees);
  const editor = createEditorServer(basis, directory, requests, changes, () => review.problems);
  const parts = createSessions(basis, directory, { index, worktrees }, agents, requests, changes, editor);
  const review = createReview(basis, changes, parts, editor);
  const { panels, draft, editors, openLink, getApi } = createPanel(basis, requests, changes, agents, parts, review);

  watchRules(basis, requests);
  const { service: sessions, deletion, attachmentStore } = parts;
  const { transcripts } = parts.storage;
  own(
    trouble.onDidBegin(() => {
      const told = panels.isVisible ? undefined : trouble.view(sessions.active.id);
      if (!told) return;
      const again = l10n.t('Try Again');
      void markedWindow
        .showWarningMessage(`${told.title} ${told.detail}`, again)
        .then((chosen) => chosen === again && trouble.retry());
    }),
  );
  own(new FirstSteps(sessions, changes.service.decisions, requests.gate));
  own(sessions.onDidChange((change) => panels.markFor(change)));
  // The list of sessions has the titles.
  own(index.onDidChange(() => panels.mark()));
  requests.terminals.onDidOpen((terminals) => {
    own(
      terminals.onDidPatch(({ sessionId, patch }) => {
        panels.markTerminal(sessionId, patch);
        if (patch.op === 'terminal/set') sessions.find(sessionId)?.noteCommand();
      }),
    );
    own(
      terminals.onDidRun(({ sessionId, terminalId, isRunning, at }) =>
        changes.disk.command(sessionId, terminalId, isRunning, at),
      ),
    );
  });
  own(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files)
        for (const item of [changes.checkpoints, changes.contents, changes.unclaimed])
          item.moved(oldUri.fsPath, newUri.fsPath);
    }),
  );
  own(
    sessions.onDidDetach(({ id }) => {
      requests.terminals.ifAsked((terminals) => terminals.endSession(id));
      editor.server.ifAsked((server) => server.end(id));
      changes.disk.end(id, basis.clock.now());
      requests.files.ifAsked((files) => files.disposeSession(id));
    }),
  );
  const forgetAttachments = async (id: string): Promise<void> => {
    const { attachmentsOnlyIn } = await import('../sessions/sentAttachments');
    const others = index.list().flatMap((record) => (record.id === id ? [] : [transcripts.fileOf(record.id)]));
    for (const attachment of await attachmentsOnlyIn(transcripts.fileOf(id), others))
      await attachmentStore.delete(attachment);
  };
  own(
    sessions.onDidDelete((deleted) => {
      const { id, waitUntil } = deleted;
      waitUntil(draft.forget(id));
      // No panel shows them any more.
      changes.unclaimed.dismiss(changes.unclaimed.of(id));
      // The saved review names contents, too.
      const saved = changes.store.settled().catch(() => undefined);
      waitUntil(saved.then(() => changes.checkpoints.forget(id)));
      waitUntil(requests.history.get().then((history) => history.forget(deleted)));
      waitUntil(forgetAttachments(id));
    }),
  );
  own(
    sessions.onDidClose(({ id }) => {
      requests.terminals.ifAsked((terminals) => terminals.disposeSession(id));
      // Pending changes outlive their session.
      if (!changes.service.pendingSessions.includes(id)) changes.service.disposeSession(id);
    }),
  );
  own(changes.service.onDidChangeChanges(() => changes.store.schedule()));

  changes.restore().catch((error: unknown) => log.error(`Pending changes could not be read: ${String(error)}`));
  if (index.hasHidden)
    deletion
      .get()
      .then((found) => found.resume())
      .catch((error: unknown) => log.error(`What was deleted could not be removed: ${String(error)}`));
  void sessions.restore().then(async () => {
    for (const swept of [changes.checkpoints.sweep(), attachmentStore.sweep(clock.now(), draft.kept())])
      swept.catch((error: unknown) => log.error(`What is old could not be removed: ${String(error)}`));
    // The start script asks for the panel.
    if (process.env['PARLEY_OPEN_ON_START'] === '1') await panels.revealSideBar();
  });
  return {
    attachSideBar: (view) => panels.attachSideBar(view),
    restoreTab: async (tab, state, isClosed) => (await editors.get()).restore(tab, state, isClosed),
    openLink,
    getApi,
    get agent() {
      return sessions.active.agent;
    },
    isWriting: (file) => changes.service.isWriting(file),
    shutdown: async () => {
      const deleted = deletion.opened?.close();
      transcripts.close(sessions.open.flatMap(({ id, session }) => (session.isRunning ? [id] : [])));
      changes.flushSync();
      state.flush();
      await Promise.all([deleted, sessions.shutdown()]);
    },
  };
}
