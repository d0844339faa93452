import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter, handleListenerErrors } from './base/event';
import { markedWindow } from './host/markedWindow';
import { AgentService } from './host/sessions/agentService';
import { AgentTerminals } from './host/terminals/agentTerminal';
import { announceSaves, windowSaves } from './host/disk/announceSaves';
import { Attachments } from './host/attachments/attachments';
import { AttachmentStore } from './host/attachments/attachmentStore';
import { DraftAttachments } from './host/attachments/draftAttachments';
import { TerminalCommands } from './host/attachments/terminalCommands';
import { Attention } from './host/attention/attention';
import { BaselineDocuments } from './host/review/baselineDocuments';
import { ChangeBadges } from './host/review/changeBadges';
import { ChangesAtOnce } from './host/review/changesAtOnce';
import { Checkpoints } from './host/checkpoints/checkpoints';
import { systemClock } from './host/clock';
import { Commands } from './host/commands';
import { ReviewTeller } from './host/comments/reviewTeller';
import { defaultAgentName, readAgents, terminalVariables } from './host/configuration';
import { FileIndex } from './host/files/fileIndex';
import { FileState } from './host/stores/fileState';
import { FollowAgent } from './host/panel/followAgent';
import { loadPrograms } from './host/agents/loadPrograms';
import { guardGlobs, Guards } from './host/review/guards';
import { HunkDecorations } from './host/review/hunkDecorations';
import { HunkLenses } from './host/review/hunkLenses';
import { HunkReview } from './host/review/hunkReview';
import { Keeping } from './host/review/keeping';
import { askOutside } from './host/files/outsideQuestion';
import { InputAnswers } from './host/mcp/inputAnswers';
import { ServerSources } from './host/mcp/serverSources';
import { wholeFiles } from './host/review/wholeFiles';
import { OpaqueReview } from './host/review/opaqueReview';
import { PermissionCommands } from './host/permissions/permissionCommands';
import { PermissionGate } from './host/permissions/permissionGate';
import { PermissionHistory } from './host/permissions/permissionHistory';
import { readRules } from './host/permissions/ruleSettings';
import { PanelController } from './host/panel/panelController';
import { PanelSource } from './host/panel/panelSource';
import { PermissionAnswers } from './host/permissions/permissionAnswers';
import { PromptBuilder } from './host/sessions/promptBuilder';
import { Review } from './host/review/review';
import { reviewQuestions } from './host/review/reviewQuestions';
import { ReviewService } from './host/review/reviewService';
import { ReviewStore } from './host/review/reviewStore';
import { SessionFolders } from './host/sessions/sessionFolders';
import { SessionIndex } from './host/sessions/sessionIndex';
import { SessionList } from './host/sessions/sessionList';
import { SessionRouter } from './host/sessions/sessionRouter';
import type { ScopeLookup, SessionScope } from './host/sessions/sessionScope';
import { SessionService } from './host/sessions/sessionService';
import { SessionSetup } from './host/sessions/sessionSetup';
import { ApiKeys } from './host/signIn/apiKeys';
import { askForKey } from './host/signIn/askForKey';
import { runSignIn } from './host/signIn/signInTerminal';
import { withoutSecrets } from './host/signIn/withoutSecrets';
import { StatusBar } from './host/attention/statusBar';
import { TerminalService } from './host/terminals/terminalService';
import { ThreadPanel } from './host/panel/threadPanel';
import { TranscriptRecorder } from './host/sessions/transcriptRecorder';
import { TranscriptStore } from './host/sessions/transcriptStore';
import { windowStorage } from './host/stores/windowStorage';
import { TurnFollower } from './host/disk/turnFollower';
import { WorkspaceFiles } from './host/files/workspaceFiles';
import { userEnvironment } from './node/environment';
import { loadPtyBackend } from './node/pty';
import { watchPrograms } from './node/programWatch';
import { Watchdog } from './node/watchdog';
import { lastTurn } from './thread/lastTurn';
import { lastPromptAt } from './thread/prompts';

/** What `deactivate` has to wait for. */
let shutdown: (() => Promise<void>) | undefined;

/** Builds the graph of services, registers them, and returns. Nothing is spawned here. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  const log = own(vscode.window.createOutputChannel('Parley', { log: true }));
  own(handleListenerErrors((error) => log.error(`Something that was told of an event failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)));
  const clock = systemClock;
  const apiKeys = new ApiKeys(context.secrets);
  const agentSettings = () => readAgents(context.extensionUri);
  const agents = () => agentSettings().agents;
  for (const problem of agentSettings().problems) log.warn(`parley.agents: ${problem}`);
  for (const problem of readRules().problems) log.warn(`parley.permissions.rules: ${problem}`);

  // Files and terminals look sessions up in the service that is built on them, further down.
  const scopes: ScopeLookup = (id): SessionScope | undefined => sessions.scope(id);

  const turnOf = (id: string): string | undefined => {
    const found = sessions.find(id);
    return found && lastTurn(found.session.thread);
  };

  const report = (message: string) => void markedWindow.showWarningMessage(message);
  const baselines = own(new BaselineDocuments());
  const guards = own(new Guards());
  const storage = windowStorage(context);
  const checkpoints = own(new Checkpoints({ folder: path.join(storage, 'checkpoints'), promptOf: (id) => lastPromptAt(sessions.find(id)?.session.thread), bytes: () => opaque.bytes, clock, log }));
  const announce: ReviewStore['announce'] = (...write) => reviewStore.announce(...write);
  const reviewService = own(new ReviewService({ scopes, isGuarded: guards.isGuarded, baselines, clock, log, confirm, turnOf, report, checkpoints, announce, settled: () => reviewStore.settled(), whole: () => opaque, deleted: () => opaque.deleted }));
  const opaque: OpaqueReview = own(new OpaqueReview({ recorder: reviewService.guard, folder: path.join(storage, 'opaque'), files: wholeFiles, waiting: () => review.changes(), turnOf, isGuarded: guards.isGuarded, confirm, report, clock, log }));
  const saves = windowSaves(context, clock);
  own(announceSaves(saves, (file) => reviewService.isWriting(file)));
  const diskChanges = own(new TurnFollower({ saves, scopes, review: reviewService, opaque, clock, log, environment: userEnvironment, isGuarded: guards.isGuarded, copiesFolder: path.join(storage, 'before') }));
  const keeping = own(new Keeping(reviewService, opaque.changes));
  const review: Review = own(new Review(reviewService, keeping, () => sessions.active.cwd, clock, opaque.changes, { ...reviewQuestions, isGuarded: guards.isGuarded, movedFrom: opaque.renames.fromOf }));
  const hunks = own(new HunkReview(review));
  own(new HunkDecorations((document) => hunks.placesOf(document), review.onDidChange));
  own(new HunkLenses(() => review.places(), (document) => hunks.placesOf(document), review.onDidChange, guards.isGuarded));
  own(new ChangeBadges(review));
  const files = new WorkspaceFiles({
    scopes,
    recorder: reviewService,
    log,
    askOutside: async (scope, file, access, token) => {
      const session = sessions.find(scope.sessionId)?.session;
      return session !== undefined && askOutside(session, file, access, token);
    },
    warn: ({ sessionId }, title, detail) => sessions.find(sessionId)?.session.notify({ severity: 'warning', title, detail }),
    missingFileReads: (scope) => (sessions.find(scope.sessionId)?.runningAgent?.quirks.missingFileReadsEmpty ? 'empty' : 'error'),
  });
  const watchdog = own(watchPrograms(new Watchdog(context.asAbsolutePath('dist/watchdog.js'))));
  const nativeTerminals = own(new AgentTerminals());
  const terminals = own(
    new TerminalService({
      scopes,
      clock,
      log,
      environment: userEnvironment,
      variables: terminalVariables,
      watchdog,
      show: nativeTerminals.show,
    }),
  );
  const permissionHistory = new PermissionHistory(own(new FileState(path.join(storage, 'permissions.json'), clock, log)));
  const permissions = new PermissionGate({
    scopes,
    guards: (folder) => guardGlobs(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder))?.uri),
    rules: () => readRules().rules,
    isTrusted: () => vscode.workspace.isTrusted,
    history: permissionHistory,
    titleOf: ({ id, thread }) => sessionIndex.get(id)?.ownTitle ?? thread.title ?? '',
    clock,
    log,
  });
  const router = new SessionRouter(files, terminals, log, (session, params, token) => permissions.request(session, params, token));
  const programs = loadPrograms(context, agents, watchdog, log);
  const agentService = own(new AgentService((routeKey, name) => router.handlersFor(routeKey, () => sessions.homeOf(name)), String(context.extension.packageJSON.version), withoutSecrets(log, () => [...apiKeys.used, ...inputAnswers.used]), programs, watchdog));
  const state = own(new FileState(path.join(storage, 'state.json'), clock, log));
  const reviewStore: ReviewStore = own(new ReviewStore(path.join(storage, 'review'), () => reviewService.saved, clock, log));
  const transcripts = own(new TranscriptStore(path.join(storage, 'threads'), clock, log));
  const attachmentStore = new AttachmentStore(path.join(storage, 'attachments'), log);
  const sessionIndex = own(new SessionIndex(state));
  // Two folders up from our own storage lies the person's profile, with VS Code's list of MCP servers.
  const servers = own(new ServerSources({ userFile: vscode.Uri.joinPath(context.globalStorageUri, '../../mcp.json').fsPath, workspaceState: state, globalState: context.globalState, log }));
  const inputAnswers = new InputAnswers(context.secrets, state);
  const folders = own(new SessionFolders(state, homedir()));
  const setup = own(new SessionSetup({ servers, answers: inputAnswers, folders, userHome: homedir(), log }));
  const sessions: SessionService = own(
    new SessionService({
      setup,
      disk: diskChanges,
      folders,
      index: sessionIndex,
      agents: agentService,
      router,
      transcripts,
      prompts: new PromptBuilder(attachmentStore),
      state,
      clock,
      log,
      signIn: {
        keys: apiKeys,
        clock,
        log,
        askForKey: async (agent, method) => apiKeys.use(await askForKey(agent, method)),
        run: (command) => runSignIn(command, { environment: userEnvironment, backend: loadPtyBackend }),
        done: own(new Emitter()),
      },
      agentNamed: (name) => agents().find((agent) => agent.name === name),
      problemOf: (name) => agentSettings().problems.find((problem) => problem.startsWith(`“${name}”`)),
      initialAgent: defaultAgentName,
      isPanelInSight: () => panel.isVisible && vscode.window.state.focused,
    }),
  );

  const draftAttachments = own(new DraftAttachments({ store: attachmentStore, state, session: () => sessions.active.session, onDidSwitch: sessions.onDidSwitch }));
  const follow = own(new FollowAgent(sessions, clock, log));
  const checkpointCommands = async () => {
    const { CheckpointCommands } = await import('./host/lazy/checkpointCommands');
    return new CheckpointCommands({ active: () => sessions.active, checkpoints, guard: reviewService.guard, baselines, confirm, report, log });
  };
  const notes = own(new ReviewTeller({ review, service: reviewService, sessions, hunks, state, log }));
  const sessionList = own(new SessionList(sessions, sessionIndex, log));
  const changesAtOnce = own(new ChangesAtOnce({ review, keeping, guards, sessions, index: sessionIndex, state, clock, turnOf }));
  const source = own(
    new PanelSource({
      sessions,
      state,
      attachments: () => draftAttachments.views,
      changes: () => review.changes(),
      checkpoints: (id) => checkpoints.view(id),
      fileStates: (id) => notes.fileStates(id),
      notes: () => notes.view,
      keepsIn: () => changesAtOnce.keepsIn,
      turnChanges: () => changesAtOnce.turns.ended,
      terminals: (id) => terminals.views(id),
      sessionsView: () => sessionList.view,
      follows: () => follow.isFollowing,
      setup: () => setup.view(sessions.active),
      ownTitle: (id) => sessionIndex.get(id)?.ownTitle,
    }),
  );
  const panel = own(new ThreadPanel(context.extensionUri, source, clock, log));
  const attachments = new Attachments({
    store: attachmentStore,
    draft: draftAttachments,
    terminals: own(new TerminalCommands()),
    cwd: () => sessions.active.cwd,
    reveal: () => panel.reveal(),
    deliver: (message) => panel.deliver(message),
  });
  const permissionCommands = new PermissionCommands(permissions, permissionHistory, sessions);
  const answers = own(new PermissionAnswers({ sessions, panel, clock, log }));
  const commands = own(
    new Commands({
      answers,
      sessions,
      permissions: permissionCommands,
      sessionList,
      panel,
      agents,
      programs,
      apiKeys,
      log,
      attachments,
      serverPicker: async () => new (await import('./host/lazy/serverPicker')).ServerPicker(servers, inputAnswers, (key) => sessions.active.setup?.servers.find((outcome) => outcome.key === key)),
      folders,
      hunks,
      follow,
      checkpoints: checkpointCommands,
      keepFile: (uri) => reviewStore.whenRead.then(() => withChange(review.pathOf(uri), (file) => review.keep({ path: file }))),
      undoFile: (uri) => reviewStore.whenRead.then(() => withChange(review.pathOf(uri), (file) => review.undo({ path: file }))),
    }),
  );
  const fileIndex = own(new FileIndex(log));
  own(
    new PanelController({
      panel,
      sessions,
      sessionList,
      commands,
      permissions: permissionCommands,
      answers,
      review,
      checkpoints: checkpointCommands,
      hunks,
      notes,
      keepsIn: changesAtOnce,
      attachments,
      draftAttachments,
      findFiles: (text) => fileIndex.query(text, 50),
      openTerminal: (sessionId, terminalId) => terminals.open(sessionId, terminalId),
      saveUi: (ui) => source.saveUi(ui),
      baselines, log,
    }),
  );
  own(new StatusBar(sessions, clock));
  own(new Attention(sessions, panel, clock));
  own(new TranscriptRecorder(sessions, terminals, transcripts));

  // So that the first `@` need not wait for the list of files.
  own(panel.onDidChangeVisibility((visible) => (changesAtOnce.showPanel(visible), visible && fileIndex.warm())));
  own(sessions.onDidChange(() => panel.publisher.mark()));
  own(vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => [checkpoints, opaque].forEach((item) => item.moved(oldUri.fsPath, newUri.fsPath)))));
  own(follow.onDidChange(() => panel.publisher.mark()));
  for (const source of [changesAtOnce, checkpoints, notes, draftAttachments, setup, sessionList, sessionIndex]) own(source.onDidChange(() => panel.publisher.mark()));
  own(sessions.onDidSwitch(() => panel.publisher.reset()));
  own(sessions.onDidDetach(({ id }) => {
    terminals.endSession(id);
    diskChanges.end(id);
    files.disposeSession(id);
  }));
  own(sessions.onDidDelete(({ id }) => void [draftAttachments, checkpoints].forEach((item) => void item.forget(id))));
  own(sessions.onDidClose(({ id }) => {
    terminals.disposeSession(id);
    // Changes that wait for review outlive their session.
    if (!reviewService.pendingSessions.includes(id)) reviewService.disposeSession(id);
  }));
  own(reviewService.onDidChangeChanges(() => {
    panel.publisher.mark();
    reviewStore.schedule();
  }));
  own(opaque.changes.onDidChange(() => panel.publisher.mark()));
  own(review.onDidChange(() => opaque.schedule()));
  own(terminals.onDidPatch(({ sessionId, patch }) => {
    if (sessionId === sessions.active.session.id) panel.publisher.markTerminal(patch);
  }));
  own(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley') && panel.publisher.mark()));

  shutdown = async () => {
    transcripts.flushSync();
    reviewStore.flushSync();
    opaque.flushSync();
    state.flush();
    await sessions.shutdown();
  };
  void reviewStore.open((saved, unsaved) => reviewService.restore(saved, unsaved)).finally(() => opaque.open());
  void sessions.restore().then(async () => {
    void checkpoints.sweep();
    void attachmentStore.sweep(clock.now(), draftAttachments.kept());
    // The start script asks for the panel; nobody else opens it by himself.
    if (process.env['PARLEY_OPEN_ON_START'] === '1') await panel.reveal();
  });
}

/** VS Code waits a few seconds for this. */
export async function deactivate(): Promise<void> {
  await shutdown?.();
}

async function confirm(message: string, action: string): Promise<boolean> {
  return (await markedWindow.showWarningMessage(message, { modal: true }, action)) === action;
}

async function withChange(file: string | undefined, act: (file: string) => Promise<void>): Promise<void> {
  if (file === undefined) void markedWindow.showInformationMessage('There is no change of an agent to review in this editor.');
  else await act(file);
}
