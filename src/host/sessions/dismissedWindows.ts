import type * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';

const key = 'parley.dismissedWindows';
/** How long the notice of a window without a known end stays away. Milliseconds. */
const unknownMs = 5 * 60 * 60_000;

/** Until when the notice about a window of a plan stays away, by the window's label. Epoch ms. */
export type DismissedView = Readonly<Record<string, number>>;

/** Windows of subscriptions whose notice the user has dismissed: for all sessions of the agent, until the window ends. */
export class DismissedWindows extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly state: vscode.Memento,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    super();
  }

  view(agent: string): DismissedView | undefined {
    return this.#all[agent];
  }

  /** @param resetsAt the end of the window, if the agent told it. Epoch ms. */
  dismiss(agent: string, label: string, resetsAt: number | undefined): void {
    const now = this.clock.now();
    const current = Object.entries(this.#all[agent] ?? {}).filter(([, until]) => until > now);
    const dismissed = { ...Object.fromEntries(current), [label]: resetsAt ?? now + unknownMs };
    void this.state.update(key, { ...this.#all, [agent]: dismissed });
    this.#changeEmitter.fire();
  }

  get #all(): Readonly<Record<string, DismissedView>> {
    return this.state.get<Record<string, DismissedView>>(key) ?? {};
  }
}
