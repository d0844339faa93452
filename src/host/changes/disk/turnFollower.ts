import type { Event } from '../../../base/event';
import { Later } from '../../../base/later';
import { Disposable } from '../../../base/lifecycle';
import type { ThreadAction } from '../../../thread/actions';
import type { BeforeImages, LeftLog, LogMarks } from '../stored/beforeImages';
import type { Resumed } from './diskChanges';
import type { DiskOptions, DiskStores } from './diskWatch';
import type { DiskAttribution } from './diskAttribution';

/** Observes the turns of all sessions. */
export interface TurnObserver {
  /** A turn is about to begin. Resolves when the prompt may be sent. */
  begin(sessionId: string): Promise<void>;
  /** The prompt is sent to the agent. @param at epoch ms */
  sent(sessionId: string, at: number): void;
  act(sessionId: string, action: ThreadAction): void;
  /** A command in one of Parley's terminals began or ended. @param at epoch ms */
  command(sessionId: string, terminalId: string, isRunning: boolean, at: number): void;
  /** @param at when the bytes of the answer were read, epoch ms */
  end(sessionId: string, at: number): void;
}

export interface TurnFollowerOptions extends Omit<DiskOptions, 'stored'> {
  readonly stored: Omit<DiskStores, 'images'> & {
    readonly images: () => Promise<BeforeImages>;
    /** Resolves when the state of an earlier window was taken over. */
    readonly whenReady: () => Promise<void>;
  };
}

/** Follows disk writes of agents from the first prompt on. Until then the code is not loaded. */
export class TurnFollower extends Disposable implements TurnObserver {
  readonly #changes = this.register(
    new Later(async () => {
      const { stored } = this.options;
      const [{ DiskChanges }, images] = await Promise.all([import('./diskChanges'), stored.images()]);
      return new DiskChanges({ ...this.options, stored: { ...stored, images } });
    }),
  );

  /** Disk writes of agents are followed from now on. */
  readonly onDidLoad: Event<DiskAttribution> = this.#changes.onDidOpen;
  /** The running turn of each session. */
  readonly #running = new Map<string, object>();
  /** Messages of agents that began by themselves, from before their turns were followed. */
  readonly #early = new Map<string, ThreadAction[]>();

  constructor(private readonly options: TurnFollowerOptions) {
    super();
  }

  /** See `DiskChanges.resume`. */
  async resume(left: readonly LeftLog[], saved: LogMarks): Promise<Resumed> {
    return (await this.#changes.get()).resume(left, saved);
  }

  sent(sessionId: string, at: number): void {
    this.#changes.opened?.sent(sessionId, at);
  }

  command(sessionId: string, terminalId: string, isRunning: boolean, at: number): void {
    this.#changes.opened?.command(sessionId, terminalId, isRunning, at);
  }

  act(sessionId: string, action: ThreadAction): void {
    // A turn without a prompt is work that the agent began by itself, without an announcement.
    if (action.type === 'turn/started' && action.prompt.length === 0) {
      this.#early.set(sessionId, []);
      void this.begin(sessionId, action.at);
    }
    const early = this.#early.get(sessionId);
    if (early) early.push(action);
    else this.#changes.opened?.act(sessionId, action);
  }

  end(sessionId: string, at: number): void {
    this.#running.delete(sessionId);
    this.#early.delete(sessionId);
    this.#changes.opened?.end(sessionId, at);
  }

  /** @param underWaySince see `DiskChanges.begin` */
  async begin(sessionId: string, underWaySince?: number): Promise<void> {
    const turn = {};
    this.#running.set(sessionId, turn);
    await this.options.stored.whenReady();
    const changes = await this.#changes.get();
    // The turn, or the window, may have ended meanwhile.
    if (this.#running.get(sessionId) !== turn || this.store.isDisposed) return;
    const begun = changes.begin(sessionId, underWaySince);
    for (const action of this.#early.get(sessionId) ?? []) changes.act(sessionId, action);
    this.#early.delete(sessionId);
    await begun;
    if (!this.#running.has(sessionId)) changes.end(sessionId, this.options.clock.now());
  }
}
