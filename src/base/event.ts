import { type IDisposable, toDisposable } from './lifecycle';

/** Structurally the same as `vscode.Event`, so that pure code and VS Code code can share one. */
export type Event<T> = (listener: (event: T) => unknown) => IDisposable;

/** Fires synchronously, in order of registration. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements IDisposable {
  private listeners: readonly ((event: T) => unknown)[] = [];

  readonly event: Event<T> = (listener) => {
    this.listeners = [...this.listeners, listener];
    return toDisposable(() => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    });
  };

  /** @throws the first error of a listener, after all have been called. */
  fire(event: T): void {
    let failure: { readonly error: unknown } | undefined;
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  }

  dispose(): void {
    this.listeners = [];
  }
}
