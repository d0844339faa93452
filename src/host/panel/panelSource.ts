import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { decodeUiState } from '../../protocol/uiState';
import type { WaitingElsewhereView } from '../../protocol/questionView';
import type { TerminalView } from '../../protocol/terminalView';
import type { PanelUiState, PanelView } from '../../protocol/viewModel';
import type { Thread } from '../../thread/thread';
import { PanelProjector, type PanelPiece } from '../../view/panelView';
import { pendingQuestions } from '../../view/pendingQuestions';
import type { PublisherSource } from '../../view/publisher';
import { demoAgentName } from '../agents/agentSettings';
import type { ChatView, ChatViews } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import { type SessionService, uiKey } from '../sessions/sessionService';
import type { TerminalService } from '../terminals/terminalService';

const emptyUi: PanelUiState = { draft: '', mentions: [], expanded: {} };
/** The demo agent's best prompts. A running agent lists all of its commands. */
const demoSuggestions = ['/tour', '/edit', '/run'];

/** The owner of a part of the views' state. */
export interface PanelPart {
  /** Fire when the part has changed. */
  readonly changes: readonly Event<unknown>[];
  /** True if the part also depends on the thread. It is then read for each message; the same object means no change. */
  readonly followsThread?: boolean;
  /** @param live the session that the view shows */
  readonly piece: (live: LiveSession, view: ChatView) => PanelPiece;
}

/** State that the views of a window share. */
export interface SharedSource {
  readonly sessions: SessionService;
  readonly state: vscode.Memento;
  readonly terminals: { readonly opened: Pick<TerminalService, 'views'> | undefined };
  readonly parts: readonly PanelPart[];
  /** Text typed into pending forms, by thread. Only in memory, because it may contain secrets. */
  readonly forms: Map<string, PanelUiState['forms']>;
}

/** Gathers the state of one view from its owners, and keeps the user's part of it (draft, scroll). */
export class PanelSource extends Disposable implements PublisherSource {
  readonly #projector = new PanelProjector();
  readonly #parts: readonly PanelPart[];
  /** Parts that have not changed since they were read. */
  readonly #pieces = new Map<PanelPart, PanelPiece>();
  #uiState: PanelUiState;
  /** The last key of the thread's draft, which changes with the first prompt. */
  #kept: { readonly threadId: string; readonly key: string };
  /** The keys of other sessions' drafts that the panel took along when the user switched. */
  readonly #takenFrom = new Set<string>();
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Fires when a part has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  /** @param own parts of this view alone */
  constructor(
    private readonly view: ChatView,
    private readonly shared: SharedSource,
    own: readonly PanelPart[] = [],
  ) {
    super();
    this.#parts = [...shared.parts, ...own];
    this.#uiState = this.#stored();
    this.#kept = { threadId: this.threadId(), key: this.#key() };
    this.register(
      shared.sessions.views.onDidSwitch((change) => {
        if (change.view !== view) return;
        this.#pieces.clear();
        this.#switchTo(change.isMove);
      }),
    );
    for (const part of this.#parts) {
      const changed = () => {
        this.#pieces.delete(part);
        this.#changeEmitter.fire();
      };
      for (const event of part.changes) this.register(event(changed));
    }
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
    const live = this.#live;
    const { session, imported, runningAgent } = live;
    const info = runningAgent?.features.info;
    return this.#projector.project(
      {
        agent: imported?.agent ?? live.agent,
        agentTitle: info && [info.title ?? info.name, info.version].filter(Boolean).join(' '),
        connection: live.connection.view,
        signIn: live.signIn.view,
        thread: session.thread,
        cwd: live.cwd,
        canForceStop: session.canForceStop,
        canSteer: live.canSteer,
        takesPrompt: session.takesPrompt,
        silentSince: session.silence.since,
        unread: runningAgent?.unread?.() ?? 0,
        title: live.title,
      },
      [this.#besideThread(), ...this.#parts.map((part) => this.#pieceOf(part))],
    );
  }

  /** The session's state besides its thread. */
  #besideThread(): PanelPiece {
    const live = this.#live;
    const { agent, imported, queue } = live;
    const { sessions } = this.shared;
    return {
      imported: imported && { exportedAt: imported.exportedAt },
      queue: queue.list.map(({ id, draft }) => ({ id, text: draft.text || (draft.notes?.title ?? '') })),
      queuePaused: queue.isPaused || undefined,
      waitingElsewhere: waitingElsewhere(live, sessions),
      promptCapabilities: live.runningAgent?.features.prompt,
      suggestions: agent === demoAgentName ? demoSuggestions : undefined,
      history: sessions.history,
    };
  }

  #pieceOf(part: PanelPart): PanelPiece {
    const known = part.followsThread ? undefined : this.#pieces.get(part);
    if (known) return known;
    const piece = part.piece(this.#live, this.view);
    this.#pieces.set(part, piece);
    return piece;
  }

  terminals(): readonly TerminalView[] {
    return allTerminals(this.#live, this.shared.terminals.opened?.views(this.#live.id) ?? []);
  }

  ui(): PanelUiState {
    return this.#uiState;
  }

  /** Keeps the panel's own state, also over a reload of the window. */
  saveUi(ui: PanelUiState): void {
    this.#uiState = ui;
    const { forms, ...kept } = ui;
    if (forms) this.shared.forms.set(this.threadId(), forms);
    else this.shared.forms.delete(this.threadId());
    const [threadId, key] = [this.threadId(), this.#key()];
    if (this.#kept.threadId === threadId && this.#kept.key !== key)
      void this.shared.state.update(this.#kept.key, undefined);
    this.#kept = { threadId, key };
    void this.shared.state.update(key, kept);
  }

  /** After a message was sent, removes it from the drafts of other sessions from which the panel took it along. */
  forgetSent(text: string): void {
    const { state } = this.shared;
    for (const key of this.#takenFrom) {
      const ui = decodeUiState(state.get(key));
      if (ui && key !== this.#key() && text.includes(ui.draft))
        void state.update(key, { ...ui, draft: '', mentions: [] });
    }
    this.#takenFrom.clear();
  }

  /** Each thread has its own draft and scroll position. The panel takes its draft along to a thread without one. */
  #switchTo(isMove: boolean): void {
    const [{ draft }, next] = [this.#uiState, this.#stored()];
    if (!isMove && draft !== '' && (next.draft === '' || next.draft === draft)) this.#takenFrom.add(this.#kept.key);
    else this.#takenFrom.clear();
    this.#uiState = { ...next, ...(isMove ? { hasMoved: true } : {}) };
    this.#kept = { threadId: this.threadId(), key: this.#key() };
  }

  get #live(): LiveSession {
    return this.view.session;
  }

  #stored(): PanelUiState {
    const forms = this.shared.forms.get(this.threadId());
    return { ...(decodeUiState(this.shared.state.get(this.#key())) ?? emptyUi), ...(forms ? { forms } : {}) };
  }

  #key(): string {
    return uiKey(this.view.draftKey);
  }
}

/** Pending requests of sessions that no view shows, so that none is shown twice. */
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
