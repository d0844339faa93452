import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { EntryId } from '../../protocol/entryId';
import type { PanelUiState, PanelView } from '../../protocol/viewModel';
import { indexOfEntry, type Thread } from '../../thread/thread';
import { isInSubagent, subagentPanel, subagentTitle } from '../../view/subagentView';
import { subagentEditorType } from '../platform/chatViewId';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { ChatPanel, ChatPanels } from './chatPanels';
import { PanelSource, type SharedSource } from './panelSource';
import { surfaceOf } from './threadPanel';

/** Titles of tabs follow those of their calls this often, in ms. */
const titleMs = 100;
const longestTitle = 60;

interface Tab {
  readonly session: LiveSession;
  readonly call: EntryId;
  readonly panel: vscode.WebviewPanel;
}

export interface SubagentTabsOptions {
  readonly sessions: Pick<SessionService, 'views' | 'onDidChange' | 'onDidClose'>;
  readonly panels: Pick<ChatPanels, 'addSubagent'>;
  readonly extensionUri: vscode.Uri;
  readonly createPanel: (
    view: ChatView,
    show: () => void,
    source: (view: ChatView, shared: SharedSource) => PanelSource,
  ) => ChatPanel;
  readonly clock: Clock;
}

/**
 * Subagents in editor tabs, each beside the conversation in which its call stands. A tab closes with its session and
 * with the window.
 */
export class SubagentTabs extends Disposable {
  readonly #tabs = new Map<string, Tab>();

  constructor(private readonly options: SubagentTabsOptions) {
    super();
    const { sessions, clock } = options;
    const soon = this.register(new Coalescer(clock, titleMs, () => this.#drawTitles()));
    this.register(sessions.onDidChange(() => this.#tabs.size > 0 && soon.schedule()));
    this.register(
      sessions.onDidClose(({ id }) => {
        for (const { session, panel } of this.#tabs.values()) if (session.id === id) panel.dispose();
      }),
    );
  }

  /** Shows the subagent of a call. A call that is not there is ignored, since its id comes from the panel. */
  open(session: LiveSession, call: EntryId): void {
    const key = `${session.id} ${call}`;
    const known = this.#tabs.get(key);
    if (known) return known.panel.reveal();
    const entry = session.session.thread.entries.at(indexOfEntry(call));
    if (entry?.kind !== 'toolCall') return;
    const { sessions, panels, createPanel, extensionUri } = this.options;
    // A conversation in the side bar has the editors beside it already.
    const column = sessions.views.showing(session.id)?.tab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const tab = markedWindow.createWebviewPanel(subagentEditorType, titleOf(session, call), column);
    tab.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media', 'tab', 'session-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media', 'tab', 'session-dark.svg'),
    };
    const view = new ChatView({ reveal: () => tab.reveal(), close: () => tab.dispose() }, call);
    view.session = session;
    const made = createPanel(
      view,
      () => tab.reveal(),
      (of, shared) => new SubagentSource(of, shared, call),
    );
    const added = panels.addSubagent(made);
    this.#tabs.set(key, { session, call, panel: tab });
    tab.onDidDispose(() => {
      this.#tabs.delete(key);
      added.dispose();
      made.dispose();
    });
    made.panel.attach(surfaceOf(tab));
  }

  #drawTitles(): void {
    for (const { session, call, panel } of this.#tabs.values()) {
      const title = titleOf(session, call);
      if (panel.title !== title) panel.title = title;
    }
  }
}

function titleOf({ session }: LiveSession, call: EntryId): string {
  return plainText(subagentTitle(session.thread, call), longestTitle) || 'Parley';
}

/** The state of a view with one subagent of a session: its call, open, and all below it. */
class SubagentSource extends PanelSource {
  #ui: PanelUiState;

  /** @param call of the subagent */
  constructor(
    view: ChatView,
    shared: SharedSource,
    private readonly call: EntryId,
  ) {
    super(view, shared);
    this.#ui = { draft: '', mentions: [], expanded: { [call]: true, [`details:${call}`]: true } };
  }

  readonly shows = (thread: Thread, index: number): boolean => isInSubagent(thread, index, this.call);

  override panel(): PanelView {
    return subagentPanel(super.panel(), this.thread(), this.call);
  }

  override ui(): PanelUiState {
    return this.#ui;
  }

  /** Lasts as long as the view: there is no draft in it. */
  override saveUi(ui: PanelUiState): void {
    this.#ui = ui;
  }
}
