import { Emitter } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { KeptView } from '../../protocol/changeView';
import type { KeepHistory } from '../changes/keepHistory';

/** The same time as the offer to undo a Delete in the list of sessions. */
const OFFER_MS = 10_000;

/** Offers to undo a Keep in the panel, for some seconds. */
export class JustKept extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  #offer: { readonly sessionId: string; readonly kept: KeepHistory['last'] } | undefined;
  #timer: IDisposable | undefined;

  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly keeping: Pick<KeepHistory, 'last'>,
    private readonly clock: Clock,
  ) {
    super();
    this.register({ dispose: () => this.#timer?.dispose() });
  }

  /** @param keep an action of the user in the panel of a session */
  async after(sessionId: string, keep: () => Promise<void>): Promise<void> {
    const before = this.keeping.last;
    await keep();
    const kept = this.keeping.last;
    if (kept === before || !kept) return;
    this.#timer?.dispose();
    this.#offer = { sessionId, kept };
    this.#timer = this.clock.setTimeout(() => {
      this.#offer = undefined;
      this.#changeEmitter.fire();
    }, OFFER_MS);
    this.#changeEmitter.fire();
  }

  /** The offer of a session; undefined after some seconds, after another Keep, or once it was undone. */
  view(sessionId: string): KeptView | undefined {
    const { kept } = this.#offer?.sessionId === sessionId ? this.#offer : {};
    return kept && kept === this.keeping.last ? { files: new Set(kept.map(({ path }) => path)).size } : undefined;
  }
}
