import { type IDisposable, toDisposable } from './lifecycle';

/** Structurally the same as `vscode.Event`, so that pure code and VS Code code can share one. */
export type Event<T> = (listener: (event: T) => unknown) => IDisposable;

/** Handles errors of listeners. By default they become unhandled rejections, which VS Code logs. */
let report: (error: unknown) => unknown = rejectUnhandled;

/** @returns restores the earlier handler. */
export function handleListenerErrors(handler: (error: unknown) => unknown): IDisposable {
  const before = report;
  report = handler;
  return toDisposable(() => (report = before));
}

async function rejectUnhandled(error: unknown): Promise<void> {
  throw error;
}

function tell(error: unknown): void {
  try {
    void report(error);
  } catch {
    // The log closes with the window, so the error cannot be reported.
  }
}

/** Fires synchronously, in order of registration. A listener that throws stops neither the others nor the caller. */
export class Emitter<T> implements IDisposable {
  #listeners: readonly ((event: T) => unknown)[] = [];

  readonly event: Event<T> = (listener) => {
    this.#listeners = [...this.#listeners, listener];
    return toDisposable(() => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    });
  };

  fire(event: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        tell(error);
      }
    }
  }

  dispose(): void {
    this.#listeners = [];
  }
}
