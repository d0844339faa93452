import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import type { Later } from '../../base/later';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import { visibleText } from '../../base/visibleText';
import type { EntryId } from '../../protocol/entryId';
import type { ToWebview } from '../../protocol/messages';
import type { ViewPatch } from '../../protocol/patch';
import type { FoundLine } from '../../protocol/sessionsView';
import type { Thread } from '../../thread/thread';
import type { ThreadPublisher } from '../../view/publisher';
import type { DraftAttachments } from '../attachments/draftAttachments';
import type { Attachments } from '../attachments/messageAttachments';
import type { ChatView, ChatViews } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionChange } from '../sessions/sessionService';
import type { ThreadPanel } from './threadPanel';

/** A view and its own parts. */
export interface ChatPanel extends IDisposable {
  readonly view: ChatView;
  readonly panel: ThreadPanel;
  readonly attachments: Later<Attachments>;
  readonly draft: Pick<DraftAttachments, 'add'>;
}

interface WantedSubagent {
  readonly session: LiveSession;
  readonly call: EntryId;
}

/**
 * The panels of all views. A command for “the panel” goes to the one that had the focus last. The context key
 * `parley.chatFocused` is set while any of them has it.
 */
export class ChatPanels extends Disposable {
  readonly #panels = new Map<ChatView, ChatPanel>();
  #sideBarView: vscode.WebviewView | undefined;
  #wasFocused = false;
  /** The questions of each session when it last changed. */
  readonly #asked = new WeakMap<object, readonly unknown[]>();
  /** Panels of subagents, which follow the sessions of these. */
  readonly #ofSubagents = new Set<Pick<ChatPanel, 'view' | 'panel'>>();
  readonly #visibilityEmitter = this.register(new Emitter<ChatView>());
  readonly #subagentEmitter = this.register(new Emitter<WantedSubagent>());

  /** The user wants to see a subagent in a tab. */
  readonly onDidWantSubagent = this.#subagentEmitter.event;
  /** A view was shown or hidden. */
  readonly onDidChangeVisibility = this.#visibilityEmitter.event;

  constructor(private readonly views: ChatViews) {
    super();
  }

  get sideBar(): ChatPanel {
    return this.#panels.get(this.views.sideBar)!;
  }

  /** The panel that had the focus last. */
  get active(): ChatPanel {
    return this.#panels.get(this.views.active) ?? this.sideBar;
  }

  /** True if a panel is visible. */
  get isVisible(): boolean {
    return this.all.some(({ panel }) => panel.isVisible);
  }

  /** True if a panel has the focus. */
  get hasFocus(): boolean {
    return this.all.some(({ panel }) => panel.hasFocus);
  }

  add(added: ChatPanel): void {
    const { view, panel } = added;
    this.#panels.set(view, added);
    panel.onDidChangeVisibility((isVisible) => {
      view.isVisible = isVisible;
      this.#visibilityEmitter.fire(view);
    });
    panel.onDidChangeFocus((focused) => {
      if (focused) this.views.use(view);
      this.#tellFocus();
    });
  }

  remove(view: ChatView): void {
    const removed = this.#panels.get(view);
    this.#panels.delete(view);
    removed?.dispose();
    view.isVisible = false;
    this.#tellFocus();
    this.#visibilityEmitter.fire(view);
  }

  /** Adds the panel of a subagent. Nothing that is about “the panel” goes there. */
  addSubagent(added: Pick<ChatPanel, 'view' | 'panel'>): IDisposable {
    this.#ofSubagents.add(added);
    return { dispose: () => this.#ofSubagents.delete(added) };
  }

  openSubagent(session: LiveSession, call: EntryId): void {
    this.#subagentEmitter.fire({ session, call });
  }

  override dispose(): void {
    for (const panel of this.all) panel.dispose();
    super.dispose();
  }

  /** VS Code has created the webview of the side bar. */
  attachSideBar(view: vscode.WebviewView): void {
    const { webview, onDidDispose, onDidChangeVisibility } = view;
    this.#sideBarView = view;
    this.sideBar.panel.attach({
      webview,
      get visible() {
        return view.visible;
      },
      onDidDispose,
      onDidChange: onDidChangeVisibility,
    });
  }

  /** The number on the icon of the side bar's view; nothing for 0. */
  setBadge(value: number, tooltip: string): void {
    if (this.#sideBarView) this.#sideBarView.badge = value === 0 ? undefined : { value, tooltip: visibleText(tooltip) };
  }

  /** Moves the focus from a panel to the editor. */
  async focusEditor(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    for (const { panel } of this.all) panel.focusLeft();
  }

  /** Shows the panel that was used last and, once it is drawn, moves the focus. */
  reveal(target?: Parameters<ThreadPanel['reveal']>[0]): Promise<void> {
    return this.active.panel.reveal(target);
  }

  /** Shows the side bar's panel and makes it the last used one. */
  revealSideBar(target?: Parameters<ThreadPanel['reveal']>[0]): Promise<void> {
    this.views.use(this.views.sideBar);
    return this.reveal(target);
  }

  /** Brings an entry of the panel that was used last into view. @param found where to go in it */
  revealEntry(entryId: EntryId, found?: FoundLine): void {
    this.active.panel.revealEntry(entryId, found);
  }

  deliver(message: ToWebview): void {
    this.active.panel.deliver(message);
  }

  post(message: ToWebview): PromiseLike<boolean> {
    return this.active.panel.post(message);
  }

  /** Posts a message to one visible panel, if there is one. */
  postToVisible(message: ToWebview): void {
    void this.all.find(({ panel }) => panel.isVisible)?.panel.post(message);
  }

  /** State that panels show has changed. */
  mark(): void {
    for (const { panel } of [...this.all, ...this.#ofSubagents]) panel.publisher.mark();
  }

  /** A session has changed. Other views than its own show only the questions that wait in its thread. */
  markFor({ session, part }: SessionChange): void {
    const asked = questionsIn(session.session.thread);
    const before = this.#asked.get(session) ?? [];
    this.#asked.set(session, asked);
    if (part !== 'thread' || asked.length !== before.length || asked.some((item, i) => item !== before[i])) this.mark();
    else for (const publisher of this.#publishersOf(session.id)) publisher.mark();
  }

  /** A terminal of a session has changed. */
  markTerminal(id: string, patch: ViewPatch): void {
    for (const publisher of this.#publishersOf(id)) publisher.markTerminal(patch);
  }

  /** The panel in which a session is shown, by our own id. */
  showing(id: string): ThreadPanel | undefined {
    const view = this.views.showing(id);
    return view && this.#panels.get(view)?.panel;
  }

  get all(): readonly ChatPanel[] {
    return [...this.#panels.values()];
  }

  #publishersOf(id: string): readonly ThreadPublisher[] {
    const shown = [
      this.showing(id),
      ...[...this.#ofSubagents].map(({ view, panel }) => (view.shows(id) ? panel : undefined)),
    ];
    return shown.flatMap((panel) => panel?.publisher ?? []);
  }

  #tellFocus(): void {
    const { hasFocus } = this;
    if (hasFocus === this.#wasFocused) return;
    this.#wasFocused = hasFocus;
    void vscode.commands.executeCommand('setContext', 'parley.chatFocused', hasFocus);
  }
}

/** The pending requests of a thread; the same objects while they do not change. */
function questionsIn({ asks, waiting, entries }: Thread): readonly unknown[] {
  return [...asks, ...waiting.map(({ index }) => entries.at(index))];
}
