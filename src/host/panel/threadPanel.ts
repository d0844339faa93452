import * as vscode from 'vscode';
import { Disposable, DisposableStore } from '../../base/lifecycle';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { visibleText } from '../../base/visibleText';
import { decodeFromWebview } from '../../protocol/decode';
import type { EntryId } from '../../protocol/entryId';
import type { FromWebview, ToWebview } from '../../protocol/messages';
import { type PublisherSource, ThreadPublisher } from '../../view/publisher';
import { chatViewId } from '../platform/chatViewId';
import { webviewHtml } from './webviewHtml';

/**
 * The chat view: makes the webview, carries messages both ways, and tells the publisher when someone looks. The
 * webview is thrown away when it is hidden; all that it shows is told anew.
 */
export class ThreadPanel extends Disposable implements vscode.WebviewViewProvider {
  readonly publisher: ThreadPublisher;
  private view: vscode.WebviewView | undefined;
  private isReady = false;
  private focused = false;
  private waitingFocus: Extract<ToWebview, { type: 'focus/set' }>['target'] | undefined;
  private undelivered: ToWebview[] = [];
  private readonly viewStore = this.register(new DisposableStore());
  private readonly messageEmitter = this.register(new Emitter<FromWebview>());
  private readonly visibilityEmitter = this.register(new Emitter<boolean>());

  /** Checked messages, except those that are about the channel itself. */
  readonly onDidReceive = this.messageEmitter.event;
  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    source: PublisherSource,
    clock: Clock,
    private readonly log: Logger,
  ) {
    super();
    this.publisher = this.register(new ThreadPublisher(source, { post: (message) => this.post(message) }, clock));
  }

  get isVisible(): boolean {
    return this.view?.visible === true;
  }

  /** The keyboard is in the panel. */
  get hasFocus(): boolean {
    return this.focused;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.viewStore.clear();
    this.view = view;
    this.isReady = false;
    view.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist')] };
    this.viewStore.add(view.webview.onDidReceiveMessage((raw: unknown) => this.handleMessage(raw)));
    this.viewStore.add(view.onDidChangeVisibility(() => this.handleVisibility(view)));
    this.viewStore.add(
      view.onDidDispose(() => {
        if (this.view !== view) return;
        this.view = undefined;
        this.publisher.pause();
        this.visibilityEmitter.fire(false);
      }),
    );
    view.webview.html = webviewHtml(view.webview, this.extensionUri);
    this.visibilityEmitter.fire(view.visible);
  }

  /** Shows the view and, once it is drawn, moves the focus. */
  async reveal(target: NonNullable<typeof this.waitingFocus> = 'composer'): Promise<void> {
    this.waitingFocus = target;
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.sendFocus();
  }

  /** Brings an entry of the shown session into view, after all that was not sent yet. */
  revealEntry(entryId: EntryId): void {
    if (this.isReady) this.publisher.settle();
    this.deliver({ type: 'entry/reveal', entryId });
  }

  post(message: ToWebview): PromiseLike<boolean> {
    return this.view ? this.view.webview.postMessage(message) : Promise.resolve(false);
  }

  /** Posts a message once the webview is there to read it. */
  deliver(message: ToWebview): void {
    if (this.isReady) void this.post(message);
    else this.undelivered.push(message);
  }

  /** The number on the view's icon; nothing for 0. */
  setBadge(value: number, tooltip: string): void {
    if (this.view) this.view.badge = value === 0 ? undefined : { value, tooltip: visibleText(tooltip) };
  }

  private handleVisibility(view: vscode.WebviewView): void {
    // A hidden webview is destroyed; when it is shown again its script starts anew and says `ready`.
    if (!view.visible) {
      this.isReady = false;
      this.publisher.pause();
      this.setFocused(false);
    }
    this.visibilityEmitter.fire(view.visible);
  }

  private handleMessage(raw: unknown): void {
    const message = decodeFromWebview(raw);
    if (!message) return this.log.warn('The panel sent a message that is not part of the contract; it was ignored');
    if (message.type === 'log') return this.log.warn(`panel: ${message.message}`);
    if (message.type === 'focus/changed') return this.setFocused(message.focused);
    if (message.type === 'ready' || message.type === 'thread/resync') {
      if (message.type === 'thread/resync') this.log.debug('The panel asks for a snapshot');
      this.isReady = true;
      this.publisher.snapshot();
      this.sendFocus();
      for (const waiting of this.undelivered.splice(0)) void this.post(waiting);
      return;
    }
    this.messageEmitter.fire(message);
  }

  private sendFocus(): void {
    if (!this.isReady || !this.waitingFocus) return;
    this.publisher.settle();
    void this.post({ type: 'focus/set', target: this.waitingFocus });
    this.waitingFocus = undefined;
  }

  /** Also for keybindings that belong to the panel alone. */
  private setFocused(focused: boolean): void {
    this.focused = focused;
    void vscode.commands.executeCommand('setContext', 'parley.chatFocused', focused);
  }
}
