import * as vscode from 'vscode';
import type { CheckPicker } from '../agents/check/checkPicker';
import { CurrentFile } from '../attachments/currentFile';
import { statePrefix } from '../attachments/draftAttachments';
import { TerminalCommands } from '../attachments/terminalCommands';
import { Attention } from '../attention/attentionService';
import { StatusBar } from '../attention/statusBar';
import { FileIndex } from '../files/fileIndex';
import { ChatPanels } from '../panel/chatPanels';
import { Commands } from '../panel/commands';
import { FollowDoor } from '../panel/followDoor';
import { PermissionAnswers } from '../panel/permissionAnswers';
import type { SessionEditors } from '../panel/sessionEditors';
import { chatViewId } from '../platform/chatViewId';
import { uiKey } from '../sessions/sessionService';
import type { AgentRequests } from './agentRequests';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { ReviewParts } from './createReview';
import { createGallery } from './createGallery';
import { createView, type ViewServices } from './createView';
import type { GalleryWays } from './openGallery';
import type { Sessions } from './sessions';

/**
 * The views with the chat, the commands, and what calls the user.
 * @param isKnown whether a session of this id is in the list
 */
export function createPanel(
  basis: Basis,
  requests: AgentRequests,
  changes: Changes,
  { service: sessions, ...agents }: Sessions,
  { door, ...review }: ReviewParts,
  isKnown: (id: string) => boolean,
) {
  const { own, context, clock, log, state, trouble } = basis;
  const { terminals } = requests;
  const { views } = sessions;
  const panels = own(new ChatPanels(views));
  const follow = own(
    new FollowDoor(async () => new (await import('../panel/followAgent')).FollowAgent(sessions, clock, log)),
  );
  const parts: Sessions = { service: sessions, ...agents };
  const ways: GalleryWays = { show: () => panels.revealSideBar(), signIn: () => commands.signIn() };
  const gallery = createGallery(basis, parts, ways);
  let check: Promise<CheckPicker> | undefined;
  let tabs: Promise<SessionEditors> | undefined;
  const editors = () =>
    (tabs ??= import('../panel/sessionEditors').then((lazy) =>
      own(
        new lazy.SessionEditors({
          sessions,
          panels,
          extensionUri: context.extensionUri,
          isKnown,
          moveDraft: (from, to) => {
            for (const keyOf of [uiKey, (key: string) => statePrefix + key]) {
              void state.update(keyOf(to), state.get(keyOf(from)));
              void state.update(keyOf(from), undefined);
            }
          },
          createPanel: (view, show) => createView(basis, services, view, show),
          clock,
        }),
      ),
    ));
  const starters = gallery.starters(() => panels.mark());
  for (const event of [gallery.door.onDidChange, views.onDidSwitch])
    own((event as (listener: () => void) => { dispose(): void })(() => void starters.refresh()));
  void starters.refresh();
  const permissions = async () =>
    new (await import('../panel/permissionCommands')).PermissionCommands(
      requests.gate,
      await requests.history.get(),
      await requests.rules.get(),
      sessions,
    );
  const answers = own(new PermissionAnswers({ sessions, panels, clock, log }));
  const commands: Commands = own(
    new Commands({
      answers,
      sessions,
      permissions,
      sessionList: agents.list,
      panel: panels,
      editors,
      agents: agents.agents,
      gallery: () => gallery.door,
      programs: agents.programs,
      check: () => (check ??= import('./openCheck').then(({ openCheck }) => openCheck(basis, parts, ways))),
      apiKeys: agents.apiKeys,
      log,
      attachments: () => panels.active.attachments(),
      serverPicker: async () =>
        new (await import('../mcp/serverPicker')).ServerPicker(agents.servers, await agents.inputAnswers(), (key) =>
          sessions.active.setup?.servers.find((outcome) => outcome.key === key),
        ),
      folders: agents.folders,
      hunks: door.hunks,
      memory: agents.options,
      follow,
      rewinds: review.rewindCommands,
      keepFile: review.keepFile,
      undoFile: review.undoFile,
      files: async () =>
        new (await import('../panel/sessionFiles')).SessionFiles({
          sessions,
          terminals: (id) => terminals.opened?.views(id) ?? [],
          reveal: () => panels.revealSideBar(),
          clock,
        }),
    }),
  );
  const files = own(new FileIndex(log, clock));
  const current = own(new CurrentFile());
  own(current.onDidChange(() => panels.mark()));
  const services: ViewServices = {
    source: {
      sessions,
      changes: (id) => changes.review.changes(id),
      unclaimed: (id) => changes.unclaimed.view(id),
      checkpoints: (id) => changes.checkpoints.view(id),
      fileStates: (id) => door.fileStates(id),
      notes: (id) => door.opened?.notes.view(id),
      unsaved: (id) => trouble.view(id),
      keepsIn: () => door.opened?.autoKeep?.countdown.view,
      kept: (id) => door.kept.view(id),
      turnChanges: (id) => door.turns.ended(id),
      terminals: (id) => terminals.opened?.views(id) ?? [],
      currentFile: () => current.view,
      sessionsView: () => agents.list.view,
      agentIcons: () => gallery.door.iconsByAgent ?? starters.icons,
      gallery: () => gallery.door,
      starters: () => starters.view,
      follows: (id) => follow.follows(id),
      setup: (live) => agents.setup.view(live),
      favorites: (agent) => agents.options.favoritesOf(agent),
      forms: new Map(),
    },
    controller: {
      panels,
      sessions,
      sessionList: agents.list,
      gallery: gallery.door,
      commands,
      permissions,
      answers,
      review: changes.review,
      rewinds: review.rewindCommands,
      pending: door,
      optionMemory: agents.options,
      findFiles: (text) => files.query(text, 50),
      retrySaving: () => trouble.retry(),
      openTerminal: (sessionId, terminalId) => terminals.opened?.open(sessionId, terminalId) ?? false,
      stopTerminal: (sessionId, terminalId) => terminals.opened?.stop(sessionId, terminalId) ?? false,
      baselines: changes.baselines,
      unclaimed: changes.unclaimed,
    },
    attachments: { store: agents.attachmentStore, terminals: own(new TerminalCommands()) },
  };
  const sideBar = createView(basis, services, views.sideBar, () =>
    vscode.commands.executeCommand(`${chatViewId}.focus`),
  );
  panels.add(sideBar);
  own(new StatusBar(sessions, clock));
  own(new Attention(sessions, panels, clock));
  // So that the first `@` need not wait for the list of files.
  own(
    panels.onDidChangeVisibility(({ isVisible }) => {
      door.showPanel(panels.isVisible);
      if (isVisible) files.warm();
      panels.mark();
    }),
  );
  return {
    panels,
    draft: sideBar.draft,
    editors,
    follow,
    gallery: gallery.door,
    openLink: async (uri: vscode.Uri) =>
      new (await import('../panel/parleyLinks')).ParleyLinks({ panel: panels, sessions }).open(uri),
  };
}
