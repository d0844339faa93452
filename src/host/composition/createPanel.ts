import * as vscode from 'vscode';
import { Later } from '../../base/later';
import { CurrentFile } from '../attachments/currentFile';
import { statePrefix } from '../attachments/draftAttachments';
import { TerminalCommands } from '../attachments/terminalCommands';
import { Attention } from '../attention/attentionService';
import { StatusBar } from '../attention/statusBar';
import { FileIndex } from '../files/fileIndex';
import { ChatPanels } from '../panel/chatPanels';
import { Commands } from '../panel/commands';
import { PermissionAnswers } from '../panel/permissionAnswers';
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
import { ParleyLinks } from '../panel/parleyLinks';

/**
 * The views with the chat, the commands, and what calls the user.
 * @param isKnown whether a session of this id is in the list
 */
export function createPanel(
  basis: Basis,
  requests: AgentRequests,
  changes: Changes,
  { service: sessions, ...agents }: Sessions,
  { panelReview, ...review }: ReviewParts,
  isKnown: (id: string) => boolean,
) {
  const { own, context, clock, log, state, trouble } = basis;
  const { terminals } = requests;
  const { views } = sessions;
  const panels = own(new ChatPanels(views));
  const follow = own(
    new Later(async () => new (await import('../panel/followAgent')).FollowAgent(sessions, clock, log)),
  );
  const parts: Sessions = { service: sessions, ...agents };
  const ways: GalleryWays = { show: () => panels.revealSideBar(), signIn: () => commands.signIn() };
  const { gallery, starters: createStarters } = createGallery(basis, parts, ways);
  const check = own(new Later(async () => (await import('./openCheck')).openCheck(basis, parts, ways)));
  const editors = own(
    new Later(async () => {
      const { SessionEditors } = await import('../panel/sessionEditors');
      return new SessionEditors({
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
      });
    }),
  );
  const starters = createStarters(() => panels.mark());
  gallery.onDidOpen((opened) => own(opened.onDidChange(() => void starters.refresh())));
  own(views.onDidSwitch(() => void starters.refresh()));
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
      gallery,
      programs: agents.programs,
      check,
      apiKeys: agents.apiKeys,
      log,
      attachments: () => panels.active.attachments.get(),
      serverPicker: async () =>
        new (await import('../mcp/serverPicker')).ServerPicker(agents.servers, await agents.inputAnswers.get(), (key) =>
          sessions.active.setup?.servers.find((outcome) => outcome.key === key),
        ),
      folders: agents.folders,
      hunks: async () => (await panelReview.open.get()).hunks,
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
      fileStates: (id) => panelReview.open.opened?.tallies.of(id) ?? [],
      notes: (id) => panelReview.open.opened?.notes.view(id),
      unsaved: (id) => trouble.view(id),
      keepsIn: () => panelReview.open.opened?.autoKeep?.countdown.view,
      kept: (id) => panelReview.kept.view(id),
      turnChanges: (id) => panelReview.turns.ended(id),
      terminals: (id) => terminals.opened?.views(id) ?? [],
      currentFile: () => current.view,
      sessionsView: () => agents.list.opened?.view,
      agentIcons: () => gallery.opened?.iconsByAgent ?? starters.icons,
      gallery: () => gallery.opened,
      starters: () => starters.view,
      follows: (id) => follow.opened?.follows(id) ?? false,
      setup: (live) => agents.setup.view(live),
      favorites: (agent) => agents.options.favoritesOf(agent),
      forms: new Map(),
    },
    controller: {
      panels,
      sessions,
      sessionList: agents.list,
      gallery,
      commands,
      permissions,
      answers,
      review: changes.review,
      rewinds: review.rewindCommands,
      pending: panelReview,
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
      panelReview.showPanel(panels.isVisible);
      if (isVisible) files.warm();
      panels.mark();
    }),
  );
  return {
    panels,
    draft: sideBar.draft,
    editors,
    follow,
    gallery,
    openLink: async (uri: vscode.Uri) => new ParleyLinks({ panel: panels, sessions }).open(uri),
  };
}
