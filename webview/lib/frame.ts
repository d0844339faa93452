/** True while there is time left in this frame's share. */
export type Deadline = () => boolean;

/** Main-thread time per frame for what can wait: turning text into rich text, colouring code, building far entries. */
const SLICE_MS = 6;
/** A frame that costs more than this is followed by a rest, so that typing and scrolling have the thread in between. */
const CHEAP_MS = 3;
const REST_PER_MS = 3;
const MAX_REST_MS = 80;
/** So many full frames in a row may leave the queue aside. */
const MAX_SKIPPED = 12;

/**
 * The one animation frame loop. A frame writes first (`onWrite`), then spends what is left of its share on slices, and
 * measures last (`onMeasure`), so that layout is computed once. A flood of text makes frames rarer, not longer: what
 * arrived in between is drawn in one go.
 */
export class FrameLoop {
  private requested = false;
  private resumeAt = 0;

  constructor(
    private readonly onWrite: (deadline: Deadline) => void,
    private readonly onMeasure: () => void,
    private readonly queue: SliceQueue = slices,
  ) {
    queue.onDidAdd = () => this.request();
  }

  /** Asks for a frame. Any number of requests make one frame. */
  request(): void {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => this.run());
  }

  private run(): void {
    this.requested = false;
    const start = performance.now();
    if (start < this.resumeAt) {
      this.request();
      return;
    }
    const end = start + SLICE_MS;
    const deadline: Deadline = () => performance.now() < end;
    this.onWrite(deadline);
    this.queue.run(deadline);
    this.onMeasure();
    const now = performance.now();
    this.resumeAt = now + Math.min(MAX_REST_MS, Math.max(0, now - start - CHEAP_MS) * REST_PER_MS);
    if (this.queue.size > 0) this.request();
  }
}

/** Work that can wait, newest first: what was asked for last is what the person looks at. */
export class SliceQueue {
  onDidAdd: (() => void) | undefined;
  private readonly tasks: (() => void)[] = [];
  private skipped = 0;

  get size(): number {
    return this.tasks.length;
  }

  add(task: () => void): void {
    this.tasks.push(task);
    this.onDidAdd?.();
  }

  run(deadline: Deadline): void {
    if (this.tasks.length === 0) return;
    // While frames are full the queue waits, yet not forever.
    if (!deadline() && ++this.skipped < MAX_SKIPPED) return;
    this.skipped = 0;
    do {
      this.tasks.pop()?.();
    } while (this.tasks.length > 0 && deadline());
  }

  clear(): void {
    this.tasks.length = 0;
  }
}

/** The queue that `FrameLoop` serves. */
export const slices = new SliceQueue();
