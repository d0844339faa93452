import { Disposable } from '../../../base/lifecycle';
import type { ThreadAction } from '../../../thread/actions';
import type { BeforeImages, LeftLog, LogMarks } from '../stored/beforeImages';
import type { DiskChanges, DiskChangesOptions, Resumed } from './diskChanges';
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

export interface TurnFollowerOptions extends Omit<DiskChangesOptions, 'images'> {
  /** See `DiskChangesOptions.images`. */
  readonly images: () => Promise<BeforeImages>;
  /** Resolves when the state of an earlier window was taken over. */
  readonly whenReady: () => Promise<void>;
  /** Called once disk writes of agents are followed. */
  readonly loaded: (disk: DiskAttribution) => void;
}

/** Follows disk writes of agents from the first prompt on. Until then the code is not loaded. */
export class TurnFollower extends Disposable implements TurnObserver {
  #changes: DiskChanges | undefined;
  /** The running turn of each session. */
  readonly #running = new Map<string, object>();
  /** Messages of agents that began by themselves, from before their turns were followed. */
  readonly #early = new Map<string, ThreadAction[]>();

  constructor(private readonly options: TurnFollowerOptions) {
    super();
  }

  /** See `DiskChanges.resume`. */
  async resume(left: readonly LeftLog[], saved: LogMarks): Promise<Resumed> {
    return (await this.#load())?.resume(left, saved) ?? { found: 0, unsaved: [], taken: [] };
  }

  begin(sessionId: string): Promise<void> {
    return this.#follow(sessionId);
  }

  sent(sessionId: string, at: number): void {
    this.#changes?.sent(sessionId, at);
  }

  command(sessionId: string, terminalId: string, isRunning: boolean, at: number): void {
    this.#changes?.command(sessionId, terminalId, isRunning, at);
  }

  act(sessionId: string, action: ThreadAction): void {
    // A turn without a prompt is work that the agent began by itself, without an announcement.
    if (action.type === 'turn/started' && action.prompt.length === 0) {
      this.#early.set(sessionId, []);
      void this.#follow(sessionId, action.at);
    }
    const early = this.#early.get(sessionId);
    if (early) early.push(action);
    else this.#changes?.act(sessionId, action);
  }

  end(sessionId: string, at: number): void {
    this.#running.delete(sessionId);
    this.#early.delete(sessionId);
    this.#changes?.end(sessionId, at);
  }

  async #follow(sessionId: string, underWaySince?: number): Promise<void> {
    const turn = {};
    this.#running.set(sessionId, turn);
    await this.options.whenReady();
    const changes = await this.#load();
    // The turn may have ended meanwhile.
    if (this.#running.get(sessionId) !== turn) return;
    const begun = changes?.begin(sessionId, underWaySince);
    for (const action of this.#early.get(sessionId) ?? []) changes?.act(sessionId, action);
    this.#early.delete(sessionId);
    await begun;
    if (!this.#running.has(sessionId)) changes?.end(sessionId, this.options.clock.now());
  }

  async #load(): Promise<DiskChanges | undefined> {
    if (!this.#changes) {
      const [{ DiskChanges }, images] = await Promise.all([import('./diskChanges'), this.options.images()]);
      if (this.store.isDisposed) return undefined;
      if (!this.#changes)
        this.options.loaded((this.#changes = this.register(new DiskChanges({ ...this.options, images }))));
    }
    return this.#changes;
  }
}
