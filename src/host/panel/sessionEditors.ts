import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import { waitsForUser } from '../../thread/thread';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { chatEditorType } from '../platform/chatViewId';
import { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { ChatPanel, ChatPanels } from './chatPanels';
import { surfaceOf } from './threadPanel';

/** Titles and icons of tabs follow their sessions this often, in ms. */
const titleMs = 100;
const longestTitle = 60;

export interface SessionEditorsOptions {
  readonly sessions: SessionService;
  readonly panels: ChatPanels;
  readonly extensionUri: vscode.Uri;
  /** True if there is a session of this id that can be read, or was. */
  readonly isKnown: (id: string) => boolean;
  /** Gives what a session that has no prompt yet has for its draft another place. */
  readonly moveDraft: (from: string, to: string) => void;
  /** Makes what belongs to one view. @param show brings its tab to the front */
  readonly createPanel: (view: ChatView, show: () => void) => ChatPanel;
  readonly clock: Clock;
}

/** Sessions in editor tabs: each tab has its own session, moves like any editor, and comes back after a reload. */
export class SessionEditors extends Disposable {
  readonly #tabs = new Map<ChatView, vscode.WebviewPanel>();

  constructor(private readonly options: SessionEditorsOptions) {
    super();
    const soon = this.register(new Coalescer(options.clock, titleMs, () => this.#drawTabs()));
    this.register(options.sessions.onDidChange(() => soon.schedule()));
  }

  /** Shows a session in a tab, which it gets now if it has none, with the focus in its message box. */
  open(session: LiveSession): vscode.WebviewPanel {
    const tab = this.#tabOf(session);
    void this.options.panels.reveal();
    return tab;
  }

  #tabOf(session: LiveSession): vscode.WebviewPanel {
    const { sessions } = this.options;
    const view = sessions.views.showing(session.id);
    const tab =
      (view && this.#tabs.get(view)) ??
      this.#attach(
        markedWindow.createWebviewPanel(chatEditorType, titleOf(session), vscode.ViewColumn.Active),
        session,
      );
    if (view?.tab) sessions.views.use(view);
    return tab;
  }

  /** Shows a session in a tab in a window of its own. */
  async openInNewWindow(session: LiveSession): Promise<void> {
    await becomesActive(this.open(session));
    await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
    // Files that are opened from there go to the window with the code.
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
  }

  /** Shows a new session with the agent of the active one in a tab. */
  async openNew(): Promise<void> {
    const { sessions, panels } = this.options;
    const session = sessions.another(sessions.active.agent);
    this.#tabOf(session);
    await sessions.attach(session, () => panels.reveal());
  }

  /**
   * Fills a tab that VS Code brings back after a reload. Starts no agent.
   * @param state what the webview has kept
   * @param isClosed the user has closed it again
   */
  async restore(tab: vscode.WebviewPanel, state: unknown, isClosed: () => boolean): Promise<void> {
    const { sessions, isKnown } = this.options;
    const { threadId, isEmpty } = (typeof state === 'object' && state !== null ? state : {}) as {
      readonly threadId?: unknown;
      readonly isEmpty?: unknown;
    };
    const id =
      typeof threadId === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(threadId)
        ? threadId
        : undefined;
    let unreadable: string | undefined;
    const found =
      id !== undefined && isKnown(id)
        ? await sessions.get(id).catch((error: unknown) => void (unreadable = messageOf(error)))
        : undefined;
    if (isClosed()) return;
    const other = found && sessions.views.showing(found.id);
    if (other?.tab) {
      other.tab.reveal();
      return tab.dispose();
    }
    // One in which nothing was said has its draft under its id.
    const isFresh = id !== undefined && isEmpty === true && !isKnown(id) && !sessions.find(id);
    const session = found ?? sessions.another('', isFresh ? id : undefined);
    this.#attach(tab, session);
    if (unreadable !== undefined)
      session.session.notify({
        severity: 'warning',
        title: l10n.t('The session of this tab cannot be read'),
        detail: l10n.t('{0} It is still in the session list.', unreadable),
      });
    else if (!found && !isFresh)
      session.session.notify({
        severity: 'warning',
        title: l10n.t('The session of this tab no longer exists'),
        detail: l10n.t('It may belong to another folder or have been deleted. You can start a new session here.'),
        actions: ['newSession'],
      });
  }

  #attach(tab: vscode.WebviewPanel, session: LiveSession): vscode.WebviewPanel {
    const { sessions, panels, createPanel, moveDraft } = this.options;
    const { sideBar } = sessions.views;
    const view = new ChatView({ reveal: () => tab.reveal(), close: () => tab.dispose() });
    if (sideBar.session === session && sideBar.draftKey !== session.id) moveDraft(sideBar.draftKey, session.id);
    this.#tabs.set(view, tab);
    sessions.moveTo(view, session);
    const made = createPanel(view, () => tab.reveal());
    panels.add(made);
    tab.onDidDispose(() => {
      this.#tabs.delete(view);
      panels.remove(view);
      sessions.leave(view);
    });
    tab.onDidChangeViewState(() => tab.active && sessions.views.use(view));
    made.panel.attach(surfaceOf(tab));
    this.#drawTab(view, tab);
    return tab;
  }

  #drawTabs(): void {
    for (const [view, tab] of this.#tabs) this.#drawTab(view, tab);
  }

  #drawTab({ session }: ChatView, tab: vscode.WebviewPanel): void {
    const title = titleOf(session);
    if (tab.title !== title) tab.title = title;
    const icon = iconOf(session);
    const file = (theme: string) =>
      vscode.Uri.joinPath(this.options.extensionUri, 'media', 'tab', `${icon}-${theme}.svg`);
    const shown = tab.iconPath as { readonly light: vscode.Uri } | undefined;
    if (shown?.light.path !== file('light').path) tab.iconPath = { light: file('light'), dark: file('dark') };
  }
}

function titleOf({ title, agent }: LiveSession): string {
  return plainText(title ?? '', longestTitle) || plainText(agent, longestTitle) || 'Parley';
}

function iconOf({ session }: LiveSession): 'waiting' | 'running' | 'session' {
  if (waitsForUser(session.thread)) return 'waiting';
  return session.isRunning ? 'running' : 'session';
}

/** Commands of VS Code's are about the active editor, which a new one is only when it is drawn. */
async function becomesActive(tab: vscode.WebviewPanel): Promise<void> {
  if (tab.active && tab.visible) return;
  const done = new Deferred<void>();
  const listeners = [
    tab.onDidChangeViewState(() => tab.active && done.resolve()),
    tab.onDidDispose(() => done.resolve()),
  ];
  await done.promise;
  for (const listener of listeners) listener.dispose();
}
