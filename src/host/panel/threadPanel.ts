import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { Disposable, DisposableStore } from '../../base/lifecycle';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import { type Clock, waitAtMost } from '../../base/scheduler';
import { decodeFromWebview } from '../../protocol/fromWebview';
import type { EntryId } from '../../protocol/entryId';
import type { FromWebview } from '../../protocol/fromWebview';
import type { ToWebview } from '../../protocol/messages';
import type { FoundLine } from '../../protocol/sessionsView';
import { type PublisherSource, ThreadPublisher } from '../../view/publisher';
import { webviewHtml } from './webviewHtml';

/** The longest wait for the script of a new webview, ms. */
const READY_MS = 5_000;

type FocusTarget = Extract<ToWebview, { type: 'focus/set' }>['target'];

/** A webview, in the side bar or in an editor tab. */
export interface PanelSurface {
  readonly inEditor?: boolean;
  readonly webview: vscode.Webview;
  readonly visible: boolean;
  readonly onDidDispose: vscode.Event<void>;
  /** Fires when it is shown or hidden. */
  readonly onDidChange: vscode.Event<unknown>;
}

/** An editor tab as a place for a panel. */
export function surfaceOf(tab: vscode.WebviewPanel): PanelSurface {
  return {
    inEditor: true,
    webview: tab.webview,
    get visible() {
      return tab.visible;
    },
    onDidDispose: tab.onDidDispose,
    onDidChange: tab.onDidChangeViewState,
  };
}

/**
 * The panel of one view: creates the webview, passes messages both ways, and tells the publisher when it is visible. VS
 * Code destroys a hidden webview; a new one gets all of its state again.
 */
export class ThreadPanel extends Disposable {
  readonly publisher: ThreadPublisher;
  #surface: PanelSurface | undefined;
  #isReady = false;
  #focused = false;
  #waitingFocus: FocusTarget | undefined;
  #focusSent: Deferred<void> | undefined;
  #undelivered: ToWebview[] = [];
  readonly #viewStore = this.register(new DisposableStore());
  readonly #messageEmitter = this.register(new Emitter<FromWebview>());
  readonly #visibilityEmitter = this.register(new Emitter<boolean>());
  readonly #focusEmitter = this.register(new Emitter<boolean>());

  /** Checked messages, except those that are about the channel itself. */
  readonly onDidReceive = this.#messageEmitter.event;
  readonly onDidChangeVisibility = this.#visibilityEmitter.event;
  /** Fires when the panel gets or loses the focus. */
  readonly onDidChangeFocus = this.#focusEmitter.event;

  /** @param show brings the view to the front, with the focus */
  constructor(
    private readonly extensionUri: vscode.Uri,
    source: PublisherSource,
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly show: () => PromiseLike<unknown> | void,
  ) {
    super();
    this.publisher = this.register(
      new ThreadPublisher(
        source,
        {
          post: (message) => this.post(message),
          failed: (error) =>
            log.error(`A card cannot be shown: ${error instanceof Error ? error.stack : String(error)}`),
        },
        clock,
      ),
    );
  }

  get isVisible(): boolean {
    return this.#surface?.visible === true;
  }

  /** True if the panel has the focus. */
  get hasFocus(): boolean {
    return this.#focused;
  }

  /** Draws the panel into a webview. */
  attach(surface: PanelSurface): void {
    const { webview } = surface;
    this.#viewStore.clear();
    this.#surface = surface;
    this.#isReady = false;
    webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist')] };
    this.#viewStore.add(webview.onDidReceiveMessage((raw: unknown) => this.#handleMessage(raw)));
    this.#viewStore.add(surface.onDidChange(() => this.#handleVisibility(surface.visible)));
    this.#viewStore.add(
      surface.onDidDispose(() => {
        if (this.#surface !== surface) return;
        this.#surface = undefined;
        this.#handleVisibility(false);
      }),
    );
    webview.html = webviewHtml(webview, this.extensionUri, surface.inEditor === true);
    this.#handleVisibility(surface.visible);
  }

  /** Shows the view and, once it is drawn, moves the focus. Resolves when that is done, or takes too long. */
  async reveal(target: FocusTarget = 'composer'): Promise<void> {
    this.#waitingFocus = target;
    const sent = (this.#focusSent ??= new Deferred<void>());
    await this.show();
    await this.#sendFocus();
    if (this.isVisible) await waitAtMost(this.clock, READY_MS, sent.promise);
  }

  /** Brings an entry of the shown session into view, after all that was not sent yet. @param found where to go in it */
  revealEntry(entryId: EntryId, found?: FoundLine): void {
    if (this.#isReady) this.publisher.settle();
    this.deliver({ type: 'entry/reveal', entryId, ...(found ? { found } : {}) });
  }

  post(message: ToWebview): PromiseLike<boolean> {
    return this.#surface ? this.#surface.webview.postMessage(message) : Promise.resolve(false);
  }

  /** Posts a message once the webview is there to read it. */
  deliver(message: ToWebview): void {
    if (this.#isReady) void this.post(message);
    else this.#undelivered.push(message);
  }

  #handleVisibility(isVisible: boolean): void {
    // A hidden webview is destroyed; when it is shown again its script starts anew and says `ready`.
    if (!isVisible) {
      this.#isReady = false;
      this.publisher.pause();
      this.#setFocused(false);
      this.#focusSent?.resolve();
      this.#focusSent = undefined;
    }
    this.#visibilityEmitter.fire(isVisible);
  }

  #handleMessage(raw: unknown): void {
    const message = decodeFromWebview(raw);
    if (!message) return this.log.warn('The panel sent a message that is not part of the contract; it was ignored');
    if (message.type === 'log') return this.log.warn(`panel: ${message.message}`);
    if (message.type === 'focus/changed') return this.#setFocused(message.focused);
    if (message.type === 'ready' || message.type === 'thread/resync') {
      if (message.type === 'thread/resync') this.log.debug('The panel asks for a snapshot');
      this.#isReady = true;
      this.publisher.snapshot();
      void this.#sendFocus();
      for (const waiting of this.#undelivered.splice(0)) void this.post(waiting);
      return;
    }
    this.#messageEmitter.fire(message);
  }

  async #sendFocus(): Promise<void> {
    if (!this.#isReady || !this.#waitingFocus) return;
    this.publisher.settle();
    const [target, sent] = [this.#waitingFocus, this.#focusSent];
    this.#waitingFocus = this.#focusSent = undefined;
    try {
      await this.post({ type: 'focus/set', target });
    } finally {
      sent?.resolve();
    }
  }

  /** The focus was moved elsewhere from here: the webview says so only a moment later. */
  focusLeft(): void {
    this.#setFocused(false);
  }

  #setFocused(focused: boolean): void {
    if (focused === this.#focused) return;
    this.#focused = focused;
    this.#focusEmitter.fire(focused);
  }
}
