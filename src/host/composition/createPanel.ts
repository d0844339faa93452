import type { CheckPicker } from '../agents/check/checkPicker';
import { Attachments } from '../attachments/messageAttachments';
import { DraftAttachments } from '../attachments/draftAttachments';
import { TerminalCommands } from '../attachments/terminalCommands';
import { Attention } from '../attention/attentionService';
import { StatusBar } from '../attention/statusBar';
import { FileIndex } from '../files/fileIndex';
import { Commands } from '../panel/commands';
import { FollowAgent } from '../panel/followAgent';
import { PanelController } from '../panel/panelController';
import { PanelSource } from '../panel/panelSource';
import { ParleyLinks } from '../panel/parleyLinks';
import { PermissionAnswers } from '../panel/permissionAnswers';
import { PermissionCommands } from '../panel/permissionCommands';
import { ThreadPanel } from '../panel/threadPanel';
import type { AgentRequests } from './agentRequests';
import type { Basis } from './basis';
import type { Changes } from './changes';
import type { ReviewParts } from './createReview';
import { createGallery } from './createGallery';
import type { GalleryWays } from './openGallery';
import type { Sessions } from './sessions';

/** The chat panel, the commands, and what calls the user. */
export function createPanel(basis: Basis, requests: AgentRequests, changes: Changes, { service: sessions, ...agents }: Sessions, { hunks, notes, atOnce, ...review }: ReviewParts) {
  const { own, context, clock, log, state } = basis;
  const { terminals } = requests;
  const draft = own(new DraftAttachments({ store: agents.attachmentStore, state, session: () => sessions.active.session, onDidSwitch: sessions.onDidSwitch }));
  const follow = own(new FollowAgent(sessions, clock, log));
  const source = own(
    new PanelSource({
      sessions,
      state,
      attachments: () => draft.views,
      changes: () => changes.review.changes(),
      checkpoints: (id) => changes.checkpoints.view(id),
      fileStates: (id) => notes.fileStates(id),
      notes: () => notes.view,
      keepsIn: () => atOnce.keepsIn,
      turnChanges: () => atOnce.turns.ended,
      terminals: (id) => terminals.views(id),
      sessionsView: () => agents.list.view,
      agentIcons: () => gallery.door.iconsByAgent,
      gallery: () => gallery.door,
      starters: () => starters.view,
      follows: () => follow.isFollowing,
      setup: () => agents.setup.view(sessions.active),
      favorites: (agent) => agents.options.favoritesOf(agent),
    }),
  );
  const panel = own(new ThreadPanel(context.extensionUri, source, clock, log));
  const parts: Sessions = { service: sessions, ...agents };
  const ways: GalleryWays = { show: () => panel.reveal(), signIn: () => commands.signIn() };
  const gallery = createGallery(basis, parts, ways);
  let check: Promise<CheckPicker> | undefined;
  const starters = gallery.starters(() => panel.publisher.mark());
  for (const event of [gallery.door.onDidChange, sessions.onDidSwitch]) own((event as (listener: () => void) => { dispose(): void })(() => void starters.refresh()));
  void starters.refresh();
  const attachments = new Attachments({
    store: agents.attachmentStore,
    draft,
    terminals: own(new TerminalCommands()),
    cwd: () => sessions.active.cwd,
    reveal: () => panel.reveal(),
    deliver: (message) => panel.deliver(message),
  });
  const permissions = new PermissionCommands(requests.permissions, requests.history, sessions);
  const answers = own(new PermissionAnswers({ sessions, panel, clock, log }));
  const commands = own(
    new Commands({
      answers,
      sessions,
      permissions,
      sessionList: agents.list,
      panel,
      agents: agents.agents,
      gallery: () => gallery.door,
      programs: agents.programs,
      check: () => (check ??= import('./openCheck').then(({ openCheck }) => openCheck(basis, parts, ways))),
      apiKeys: agents.apiKeys,
      log,
      attachments,
      serverPicker: async () => new (await import('../mcp/serverPicker')).ServerPicker(agents.servers, agents.inputAnswers, (key) => sessions.active.setup?.servers.find((outcome) => outcome.key === key)),
      folders: agents.folders,
      hunks,
      memory: agents.options,
      follow,
      checkpoints: review.checkpointCommands,
      rewinds: review.rewindCommands,
      keepFile: review.keepFile,
      undoFile: review.undoFile,
      files: async () => new (await import('../panel/sessionFiles')).SessionFiles({ sessions, terminals: (id) => terminals.views(id), reveal: () => panel.reveal(), clock }),
    }),
  );
  const files = own(new FileIndex(log, clock));
  own(
    new PanelController({
      panel,
      sessions,
      sessionList: agents.list,
      gallery: gallery.door,
      commands,
      permissions,
      answers,
      review: changes.review,
      checkpoints: review.checkpointCommands,
      rewinds: review.rewindCommands,
      hunks,
      notes,
      keepsIn: atOnce,
      attachments,
      draftAttachments: draft,
      optionMemory: agents.options,
      findFiles: (text) => files.query(text, 50),
      openTerminal: (sessionId, terminalId) => terminals.open(sessionId, terminalId),
      saveUi: (ui) => source.saveUi(ui),
      baselines: changes.baselines,
      log,
    }),
  );
  own(new StatusBar(sessions, clock));
  own(new Attention(sessions, panel, clock));
  // So that the first `@` need not wait for the list of files.
  own(panel.onDidChangeVisibility((visible) => {
    atOnce.showPanel(visible);
    if (visible) files.warm();
  }));
  return { panel, draft, follow, gallery: gallery.door, links: new ParleyLinks({ panel, sessions }) };
}
