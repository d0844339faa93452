import * as vscode from 'vscode';
import { Later } from '../../base/later';
import { CurrentFile } from '../attachments/currentFile';
import { statePrefix } from '../attachments/draftAttachments';
import { TerminalCommands } from '../attachments/terminalCommands';
import { askIds } from '../ask/askIds';
import { Attention } from '../attention/attentionService';
import { StatusBar } from '../attention/statusBar';
import { ChatPanels } from '../panel/chatPanels';
import { Commands } from '../panel/commands';
import * as tables from '../panel/commandTables';
import { MenuContext } from '../panel/menuContext';
import { PermissionAnswers } from '../panel/permissionAnswers';
import { commandIds } from '../platform/commandIds';
import { chatViewId } from '../platform/chatViewId';
import { DismissedWindows } from '../sessions/dismissedWindows';
import { createWorktrees, placePart } from './createWorktrees';
import { uiKey } from '../sessions/sessionService';
import { signIn } from '../sessions/signInCommands';
import type { AgentRequests } from './agentRequests';
import type { Agents } from './agents';
import type { Basis } from './basis';
import { editorServerName } from '../../editor/editorCall';
import type { Changes } from './changes';
import { createGallery } from './createGallery';
import type { ReviewParts } from './createReview';
import { createView, type ViewServices } from './createView';
import type { GalleryWays } from './openGallery';
import { backgroundPart, pageParts, reviewParts, sessionParts } from './panelParts';
import type { Sessions } from './sessions';

/** The views with the chat, the commands, and what calls the user. */
export function createPanel(
  basis: Basis,
  requests: AgentRequests,
  changes: Changes,
  agents: Agents,
  parts: Sessions,
  { panelReview, problems, ...review }: ReviewParts,
) {
  const { own, context, clock, log, storage } = basis;
  const { state, trouble } = storage;
  const { service: sessions, opening } = parts;
  const { index, transcripts } = parts.storage;
  const { configured, secrets } = agents;
  const { views } = sessions;
  const panels = own(new ChatPanels(views));
  const sessionList = own(
    new Later(async () => {
      const [{ SessionList }, deletion] = await Promise.all([import('../sessions/sessionList'), parts.deletion.get()]);
      return new SessionList({ sessions, index, deletion, transcripts, clock, log, panels });
    }),
  );
  const follow = own(
    new Later(async () => new (await import('../panel/followAgent')).FollowAgent(sessions, clock, log)),
  );
  const ways: GalleryWays = {
    show: () => panels.revealSideBar(),
    signIn: async () => {
      await panels.reveal();
      await signIn(sessions);
    },
  };
  const { gallery, starters } = createGallery(basis, agents, parts, sessionList, ways);
  const check = own(new Later(async () => (await import('./createCheck')).openCheck(basis, agents, parts, ways)));
  const permissions = own(
    new Later(async () => {
      const [lazy, history, rules] = await Promise.all([
        import('../panel/permissionCommands'),
        requests.history.get(),
        requests.rules.get(),
      ]);
      return new lazy.PermissionCommands(requests.gate, history, rules, sessions);
    }),
  );
  const worktrees = createWorktrees(basis, agents, changes, parts, panels);
  const answers = own(new PermissionAnswers({ sessions, panels, clock, log }));
  const commands = own(new Commands({ sessions, panels, sessionList, gallery, follow, check, agents: configured.all }));
  own(new MenuContext(sessions, answers));
  const files = own(new Later(async () => new (await import('../files/fileIndex')).FileIndexes(log, clock)));
  const current = own(
    new CurrentFile({
      state,
      isProtected: changes.guards.isGuarded,
      onDidChangeProtection: changes.guards.onDidChange,
    }),
  );
  const dismissed = own(new DismissedWindows(context.globalState, clock));
  const services: ViewServices = {
    source: {
      sessions,
      state,
      terminals: requests.terminals,
      parts: [
        ...reviewParts(changes, { panelReview, problems }, sessions),
        ...pageParts(sessionList, gallery, starters),
        ...sessionParts(parts, follow, trouble, current, dismissed),
        backgroundPart(requests.background),
        placePart(worktrees),
      ],
      forms: new Map(),
    },
    acts: {
      chat: { sessions, sessionList, gallery, options: opening.options, worktrees, trouble, dismissed },
      requests: { panels, answers, permissions },
      changes: {
        review: changes.review,
        panelReview,
        problems,
        unclaimed: changes.unclaimed,
        baselines: changes.baselines,
        rewinds: review.rewindCommands,
      },
      terminals: requests.terminals,
      files: { index: files, current },
      commands,
      log,
    },
    attachments: {
      store: parts.attachmentStore,
      terminals: own(new TerminalCommands()),
      workspace: (shown) => ({
        isProtected: changes.guards.isGuarded,
        conversations: async () =>
          (await import('../sessions/conversationTexts')).conversationTexts({ index, transcripts }, shown),
      }),
    },
  };
  const editors = own(
    new Later(async () => {
      const { SessionEditors } = await import('../panel/sessionEditors');
      return new SessionEditors({
        sessions,
        panels,
        extensionUri: context.extensionUri,
        isKnown: (id) => index.get(id) !== undefined && !index.isHidden(id),
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
  const subagents = own(
    new Later(async () => {
      const { SubagentTabs } = await import('../panel/subagentTabs');
      return new SubagentTabs({
        sessions,
        panels,
        extensionUri: context.extensionUri,
        createPanel: (view, show, source) => createView(basis, services, view, show, source),
        clock,
      });
    }),
  );
  own(panels.onDidWantSubagent(async ({ session, call }) => (await subagents.get()).open(session, call)));
  sessionList.onDidOpen((list) =>
    own(list.onDidArchive(async (folder) => (await worktrees.commands.get()).offerRemoval(folder))),
  );
  sessionList.onDidOpen((list) =>
    own(
      list.onDidWantTab(({ session, place, waitUntil }) =>
        waitUntil(
          editors.get().then((tabs) => (place === 'window' ? tabs.openInNewWindow(session) : void tabs.open(session))),
        ),
      ),
    ),
  );
  const servers = own(
    new Later(async () => {
      const { ServerPicker } = await import('../mcp/serverPicker');
      const { useWords } = await import('../sessions/openedSetup');
      return new ServerPicker(
        parts.servers,
        await secrets.inputAnswers.get(),
        (key) => sessions.active.setup?.servers.find((outcome) => outcome.key === key),
        {
          name: editorServerName,
          use: () => (sessions.active.setup?.editor ? useWords(parts.editor.useOf(sessions.active.id)) : undefined),
          chooseTools: async () => (await import('../editor/chooseTools')).chooseTools(),
        },
      );
    }),
  );
  const sessionFiles = own(
    new Later(async () => {
      const { SessionFiles } = await import('../panel/sessionFiles');
      return new SessionFiles({ sessions, terminals: requests.terminals, panels, clock });
    }),
  );
  const { terminals } = services.attachments;
  const showAgents = () => commands.showAgents();
  const ask = own(
    new Later(async () =>
      (await import('./createAsk')).createAsk(basis, {
        changes,
        agents,
        parts,
        panels,
        terminals,
        gallery,
        showAgents,
      }),
    ),
  );
  for (const table of [
    tables.sessionTable(commands, { sessions, sessionList, panels, editors }),
    tables.optionTable({ sessions, memory: opening.options, panels }),
    tables.setupTable(commands, sessions, servers, opening.folders, worktrees.commands),
    tables.agentTable(commands, sessions, secrets.apiKeys, agents.programs),
    tables.conversationTable(sessions, panels, sessionFiles),
    tables.permissionTable(answers, permissions),
    tables.reviewTable({
      open: panelReview.open,
      rewinds: review.rewindCommands,
      keepFile: review.keepFile,
      undoFile: review.undoFile,
    }),
    tables.editorTable(log, context),
    Object.fromEntries(
      commandIds(context).flatMap((id) =>
        askIds.test(id) ? [[id, async (...args: unknown[]) => (await ask.get()).acts[id]?.(...args)]] : [],
      ),
    ),
  ])
    commands.add(table);
  const sideBar = createView(basis, services, views.sideBar, () =>
    vscode.commands.executeCommand(`${chatViewId}.focus`),
  );
  panels.add(sideBar);
  own(new StatusBar(sessions, clock));
  own(new Attention(sessions, panels, clock));
  // So that the first `@` need not wait for the list of files.
  own(
    panels.onDidChangeVisibility(({ isVisible }) => {
      if (isVisible) void files.get().then((found) => found.warm());
      if (isVisible) void opening.worktrees.start();
      if (panels.isVisible) void changes.review.look();
      panels.mark();
    }),
  );
  return {
    panels,
    draft: sideBar.draft,
    getApi: async (version: unknown, from: unknown) => (await ask.get()).getApi(version, from),
    editors,
    openLink: async (uri: vscode.Uri) => {
      const { ParleyLinks } = await import('../panel/parleyLinks');
      await new ParleyLinks({ panel: panels, sessions }).open(uri);
    },
  };
}
