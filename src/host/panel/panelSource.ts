import type * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { AttachmentView } from '../../protocol/attachments';
import { decodeUiState } from '../../protocol/uiState';
import type { SetupView } from '../../protocol/setupView';
import type { ChangeView, CheckpointsView } from '../../protocol/changeView';
import type { WaitingElsewhereView } from '../../protocol/questionView';
import type { GalleryView, StarterView } from '../../protocol/galleryView';
import type { SessionsView } from '../../protocol/sessionsView';
import type { TerminalView } from '../../protocol/terminalView';
import type { PanelUiState, PanelView } from '../../protocol/viewModel';
import type { Thread } from '../../thread/thread';
import { PanelProjector } from '../../view/panelView';
import { pendingQuestions } from '../../view/pendingQuestions';
import type { PublisherSource } from '../../view/publisher';
import { demoAgentName, sendWith } from '../agents/agentSettings';
import type { ChatView, ChatViews } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import { type SessionService, uiKey } from '../sessions/sessionService';

const emptyUi: PanelUiState = { draft: '', mentions: [], expanded: {} };
/** What the built-in agent answers best; it tells the rest when it runs. */
const demoSuggestions = ['/tour', '/edit', '/run'];

export interface PanelSourceOptions {
  readonly view: ChatView;
  readonly sessions: SessionService;
  readonly state: vscode.Memento;
  readonly attachments: () => readonly AttachmentView[];
  readonly changes: (sessionId: string) => readonly ChangeView[];
  readonly unclaimed: (sessionId: string) => PanelView['unclaimed'];
  readonly checkpoints: (sessionId: string) => CheckpointsView | undefined;
  readonly fileStates: (sessionId: string) => PanelView['fileStates'];
  readonly notes: (sessionId: string) => PanelView['notes'];
  readonly keepsIn: () => PanelView['keepsIn'];
  readonly unsaved: (sessionId: string) => PanelView['unsaved'];
  readonly kept: (sessionId: string) => PanelView['kept'];
  readonly turnChanges: (sessionId: string) => PanelView['turnChanges'];
  readonly terminals: (sessionId: string) => readonly TerminalView[];
  readonly currentFile: () => PanelView['currentFile'];
  /** The list of sessions, while it is open. */
  readonly sessionsView: () => SessionsView | undefined;
  /** By name of the agent. */
  readonly agentIcons: () => PanelView['agentIcons'];
  /** The gallery of agents, while it is open. */
  readonly gallery: () =>
    | { readonly view: GalleryView | undefined; readonly icons: PanelView['galleryIcons'] | undefined }
    | undefined;
  /** For a user who has no agent yet. */
  readonly starters: () => readonly StarterView[] | undefined;
  /** MCP servers and folders of a session. */
  readonly setup: (live: LiveSession) => SetupView | undefined;
  readonly favorites: (agent: string) => PanelView['favorites'];
  /** The shown session's agent is followed. */
  readonly follows: (sessionId: string) => boolean;
  /** What was typed into forms that wait, by thread. In memory only, because it may hold secrets. */
  readonly forms: Map<string, PanelUiState['forms']>;
}

/** Gathers what one view shows from those who own it, and keeps the user's side of it (draft, scroll). */
export class PanelSource extends Disposable implements PublisherSource {
  readonly #projector = new PanelProjector();
  #uiState: PanelUiState;
  /** Where the draft of the thread was kept last; its first prompt gives it another place. */
  #kept: { readonly threadId: string; readonly key: string };
  /** Where drafts of other sessions are kept that the panel took along when the user switched. */
  readonly #takenFrom = new Set<string>();

  constructor(private readonly options: PanelSourceOptions) {
    super();
    this.#uiState = this.#stored();
    this.#kept = { threadId: this.threadId(), key: this.#key() };
    this.register(
      options.sessions.views.onDidSwitch(({ view, isMove }) => {
        if (view === options.view) this.#switchTo(isMove);
      }),
    );
  }

  thread(): Thread {
    return this.#live.session.thread;
  }

  threadId(): string {
    return this.#live.id;
  }

  cwd(): string {
    return this.#live.cwd;
  }

  panel(): PanelView {
    const { sessions, view } = this.options;
    const live = this.#live;
    const { session, agent, imported } = live;
    const running = live.runningAgent;
    const info = running?.features.info;
    return this.#projector.project({
      agent: imported?.agent ?? agent,
      imported: imported && { exportedAt: imported.exportedAt },
      agentIcon: this.options.agentIcons()?.[agent],
      agentTitle: info && [info.title ?? info.name, info.version].filter(Boolean).join(' '),
      connection: live.connection.view,
      signIn: live.signIn.view,
      thread: session.thread,
      favorites: this.options.favorites(agent),
      cwd: live.cwd,
      canForceStop: session.canForceStop,
      canSteer: live.canSteer,
      takesPrompt: live.session.takesPrompt,
      silentSince: session.silence.since,
      unread: running?.unread?.() ?? 0,
      title: live.title,
      changes: this.options.changes(session.id),
      unclaimed: this.options.unclaimed(session.id),
      checkpoints: this.options.checkpoints(session.id),
      fileStates: this.options.fileStates(session.id),
      notes: this.options.notes(session.id),
      keepsIn: this.options.keepsIn(),
      unsaved: this.options.unsaved(session.id),
      kept: this.options.kept(session.id),
      turnChanges: this.options.turnChanges(session.id),
      queue: live.queue.list.map(({ id, draft }) => ({ id, text: draft.text || (draft.notes?.title ?? '') })),
      queuePaused: live.queue.isPaused,
      waitingElsewhere: waitingElsewhere(live, sessions),
      follows: this.options.follows(session.id),
      // Both are pages of the side bar.
      sessions: view.tab ? undefined : this.options.sessionsView(),
      agentIcons: this.options.agentIcons(),
      gallery: view.tab ? undefined : this.options.gallery()?.view,
      galleryIcons: this.options.gallery()?.icons,
      starters: agent === '' || agent === demoAgentName ? this.options.starters() : undefined,
      setup: this.options.setup(live),
      promptCapabilities: running?.features.prompt,
      attachments: this.options.attachments(),
      sendWith: sendWith(),
      currentFile: this.options.currentFile(),
      suggestions: agent === demoAgentName ? demoSuggestions : undefined,
      history: sessions.history,
    });
  }

  terminals(): readonly TerminalView[] {
    return allTerminals(this.#live, this.options.terminals(this.#live.id));
  }

  ui(): PanelUiState {
    return this.#uiState;
  }

  /** Keeps what the panel says of itself, also over a reload of the window. */
  saveUi(ui: PanelUiState): void {
    this.#uiState = ui;
    const { forms, ...kept } = ui;
    if (forms) this.options.forms.set(this.threadId(), forms);
    else this.options.forms.delete(this.threadId());
    const [threadId, key] = [this.threadId(), this.#key()];
    if (this.#kept.threadId === threadId && this.#kept.key !== key)
      void this.options.state.update(this.#kept.key, undefined);
    this.#kept = { threadId, key };
    void this.options.state.update(key, kept);
  }

  /** A message was sent: what the panel took along of it is no draft of another session any more. */
  forgetSent(text: string): void {
    const { state } = this.options;
    for (const key of this.#takenFrom) {
      const ui = decodeUiState(state.get(key));
      if (ui && key !== this.#key() && text.includes(ui.draft))
        void state.update(key, { ...ui, draft: '', mentions: [] });
    }
    this.#takenFrom.clear();
  }

  /** Another thread has another draft and another place to be. The panel takes a draft along where there is none. */
  #switchTo(isMove: boolean): void {
    const [{ draft }, next] = [this.#uiState, this.#stored()];
    if (!isMove && draft !== '' && (next.draft === '' || next.draft === draft)) this.#takenFrom.add(this.#kept.key);
    else this.#takenFrom.clear();
    this.#uiState = { ...next, ...(isMove ? { hasMoved: true } : {}) };
    this.#kept = { threadId: this.threadId(), key: this.#key() };
  }

  get #live(): LiveSession {
    return this.options.view.session;
  }

  #stored(): PanelUiState {
    const forms = this.options.forms.get(this.threadId());
    return { ...(decodeUiState(this.options.state.get(this.#key())) ?? emptyUi), ...(forms ? { forms } : {}) };
  }

  #key(): string {
    return uiKey(this.options.view.draftKey);
  }
}

/** What waits in sessions that no view shows: a request in view is not there a second time. */
export function waitingElsewhere(
  shown: LiveSession,
  { open, views }: { readonly open: readonly LiveSession[]; readonly views: Pick<ChatViews, 'showing'> },
): readonly WaitingElsewhereView[] {
  return open.flatMap((item): WaitingElsewhereView[] => {
    if (item === shown || views.showing(item.id)?.isVisible) return [];
    const { id: key, agent } = item;
    const { thread } = item.session;
    const inTheWay = thread.asks.find(({ entryId }) => entryId === undefined);
    return inTheWay
      ? [{ key, agent, title: inTheWay.title }]
      : pendingQuestions(thread, item.cwd).map((question) => ({ key, agent, title: question.title, question }));
  });
}

/** The terminals of a session, those of an earlier run of the editor first. @param live those of this run */
export function allTerminals(
  { restoredTerminals }: Pick<LiveSession, 'restoredTerminals'>,
  live: readonly TerminalView[],
): readonly TerminalView[] {
  const ids = new Set(live.map((terminal) => terminal.terminalId));
  return [...restoredTerminals.filter((terminal) => !ids.has(terminal.terminalId)), ...live];
}
