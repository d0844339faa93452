import { Emitter, type Event } from './event';

/** The two members that the tokens of VS Code and of vscode-jsonrpc share. */
export interface CancellationToken {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: Event<unknown>;
}

export const neverCancelled: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
};

/** Makes a token and cancels it once. */
export class CancellationSource {
  #cancelled = false;
  readonly #emitter = new Emitter<unknown>();

  readonly token: CancellationToken = ((source: CancellationSource) => ({
    get isCancellationRequested() {
      return source.#cancelled;
    },
    onCancellationRequested: this.#emitter.event,
  }))(this);

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#emitter.fire(undefined);
    this.#emitter.dispose();
  }
}

/** Rejects when the token is cancelled, with what `error` makes, and never resolves. */
export function rejectsWhenCancelled(token: CancellationToken, error: () => Error): Promise<never> {
  return new Promise((_, reject) => token.onCancellationRequested(() => reject(error())));
}
