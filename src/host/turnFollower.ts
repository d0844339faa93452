import { Disposable } from '../base/lifecycle';
import type { ThreadAction } from '../thread/actions';
import type { DiskChanges, DiskChangesOptions } from './diskChanges';

/** Told of the turns of all sessions. */
export interface TurnObserver {
  /** A turn is about to begin. Resolves when the prompt may go out. */
  begin(sessionId: string): Promise<void>;
  act(sessionId: string, action: ThreadAction): void;
  end(sessionId: string): void;
}

/** Follows what agents write to disk from the first prompt on; until then nothing of it is loaded. */
export class TurnFollower extends Disposable implements TurnObserver {
  private changes: DiskChanges | undefined;

  constructor(private readonly options: DiskChangesOptions) {
    super();
  }

  async begin(sessionId: string): Promise<void> {
    const { DiskChanges } = await import('./lazy/diskChanges');
    if (this.store.isDisposed) return;
    this.changes ??= this.register(new DiskChanges(this.options));
    await this.changes.begin(sessionId);
  }

  act(sessionId: string, action: ThreadAction): void {
    this.changes?.act(sessionId, action);
  }

  end(sessionId: string): void {
    this.changes?.end(sessionId);
  }
}
