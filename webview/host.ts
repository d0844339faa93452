import type { FromWebview } from '../src/protocol/fromWebview';
import type { ToWebview } from '../src/protocol/messages';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The link to the extension host: the only place that touches VS Code's webview API. */
export class Host {
  readonly #api = acquireVsCodeApi();

  post(message: FromWebview): void {
    this.#api.postMessage(message);
  }

  /** The state from `saveState` before the webview was reloaded. */
  loadState(): unknown {
    return this.#api.getState();
  }

  saveState(state: unknown): void {
    this.#api.setState(state);
  }

  /** Calls back for each message of the host. */
  listen(handle: (message: ToWebview) => void): void {
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
      // The frame that draws diagrams has an opaque origin. It is not the host.
      if (event.origin === 'null') return;
      const data = event.data as Partial<ToWebview> | null;
      if (typeof data === 'object' && data !== null && typeof data.type === 'string') handle(data as ToWebview);
    });
  }

  /** Notes an error in the host's log. */
  log(error: unknown): void {
    this.post({
      type: 'log',
      message: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
    });
  }
}
