import { Disposable } from '../../../base/lifecycle';
import type { ThreadAction } from '../../../thread/actions';
import type { BeforeImages, LeftLog, LogMarks } from '../beforeImages';
import type { DiskChanges, DiskChangesOptions, Resumed } from './diskChanges';

/** Told of the turns of all sessions. */
export interface TurnObserver {
  /** A turn is about to begin. Resolves when the prompt may go out. */
  begin(sessionId: string): Promise<void>;
  act(sessionId: string, action: ThreadAction): void;
  end(sessionId: string): void;
}

export interface TurnFollowerOptions extends Omit<DiskChangesOptions, 'images'> {
  /** See `DiskChangesOptions.images`. */
  readonly images: () => Promise<BeforeImages>;
  /** Resolves when what an earlier window has left was taken over. */
  readonly whenReady: () => Promise<void>;
}

/** Follows what agents write to disk from the first prompt on; until then nothing of it is loaded. */
export class TurnFollower extends Disposable implements TurnObserver {
  #changes: DiskChanges | undefined;
  /** The turn of each session that runs. */
  readonly #running = new Map<string, object>();

  constructor(private readonly options: TurnFollowerOptions) {
    super();
  }

  /** See `DiskChanges.resume`. */
  async resume(left: readonly LeftLog[], saved: LogMarks): Promise<Resumed> {
    return (await this.#load())?.resume(left, saved) ?? { found: 0, unsaved: [], taken: [] };
  }

  begin(sessionId: string): Promise<void> {
    return this.#follow(sessionId, false);
  }

  act(sessionId: string, action: ThreadAction): void {
    // A turn without a prompt is work that the agent has begun by itself: nobody has announced it.
    if (action.type === 'turn/started' && action.prompt.length === 0) void this.#follow(sessionId, true);
    this.#changes?.act(sessionId, action);
  }

  end(sessionId: string): void {
    this.#running.delete(sessionId);
    this.#changes?.end(sessionId);
  }

  async #follow(sessionId: string, isUnderWay: boolean): Promise<void> {
    const turn = {};
    this.#running.set(sessionId, turn);
    await this.options.whenReady();
    const changes = await this.#load();
    // It may be over by now.
    if (this.#running.get(sessionId) !== turn) return;
    await changes?.begin(sessionId, isUnderWay);
    if (!this.#running.has(sessionId)) changes?.end(sessionId);
  }

  async #load(): Promise<DiskChanges | undefined> {
    if (!this.#changes) {
      const [{ DiskChanges }, images] = await Promise.all([import('./diskChanges'), this.options.images()]);
      if (this.store.isDisposed) return undefined;
      this.#changes ??= this.register(new DiskChanges({ ...this.options, images }));
    }
    return this.#changes;
  }
}
