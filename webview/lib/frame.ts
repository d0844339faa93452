/** True while this frame has time left. */
export type Deadline = () => boolean;

/**
 * Main-thread time per frame for deferred work: turning text into rich text, colouring code, building far entries. The
 * browser needs about twice as long again for layout and paint.
 */
const SLICE_MS = 4;
/** After a frame that cost more than this, including layout, the next one gets half the time. */
const LONG_MS = 20;
const MIN_SLICE_MS = 1;
/** A frame up to this cost is free. Its further cost is taken from a credit that recovers with time. */
const CHEAP_MS = 3;
/** The size of a burst: short answers are drawn at once. */
const CREDIT_MS = 48;
/** Without credit, the pause for each missing ms: typing and scrolling have the thread meanwhile. */
const REST_PER_MS = 3;
const MAX_REST_MS = 80;
/** Deferred work waits while updates arrive: much of it is soon out of view. ms */
const QUIET_MS = 100;
/** The longest wait under an endless stream. ms */
const MAX_WAIT_MS = 400;

/**
 * The only animation frame loop. A frame writes first (`onWrite`), then spends the rest of its time on slices, and
 * measures last (`onMeasure`), so that layout is computed once. A flood of text makes frames rarer, not longer: all
 * text since the last one is drawn at once.
 */
export class FrameLoop {
  #requested = false;
  #credit = CREDIT_MS;
  #endedAt = 0;
  #cost = 0;
  #slice = SLICE_MS;
  #inputWaits = false;
  #newsAt = -QUIET_MS;
  /** The beginning of the queue's wait for quiet. */
  #waitsSince: number | undefined;
  #timer = false;

  constructor(
    private readonly onWrite: (deadline: Deadline) => void,
    private readonly onMeasure: () => void,
    private readonly queue: SliceQueue = slices,
  ) {
    queue.onDidAdd = () => this.#requestForQueue();
  }

  /** Requests a frame. Several requests make one frame. */
  request(): void {
    if (this.#requested) return;
    this.#requested = true;
    requestAnimationFrame(() => this.#run());
  }

  /** The user has pressed a key: if frames are costly, the next one is left to its effect. */
  letInputThrough(): void {
    this.#inputWaits = this.#cost > CHEAP_MS;
  }

  /** An update arrived at the end, which the user sees: deferred work waits. */
  didHear(): void {
    if (!this.queue.isAwaited) this.#newsAt = performance.now();
  }

  /** The flood has ended: the rest is drawn without a pause. */
  hurry(): void {
    this.#credit = Math.max(0, this.#credit);
  }

  #run(): void {
    this.#requested = false;
    const start = performance.now();
    if (this.#inputWaits || this.#credit + (start - this.#endedAt) / REST_PER_MS < 0) {
      this.#inputWaits = false;
      this.request();
      return;
    }
    const end = start + this.#slice;
    const deadline: Deadline = () => performance.now() < end;
    this.onWrite(deadline);
    if (this.#isQuiet(start)) this.queue.run(deadline);
    this.onMeasure();
    const now = performance.now();
    this.#cost = now - start;
    this.#slice =
      this.#cost > LONG_MS ? Math.max(MIN_SLICE_MS, this.#slice / 2) : Math.min(SLICE_MS, this.#slice * 1.25);
    this.#credit =
      Math.min(CREDIT_MS, this.#credit + (start - this.#endedAt) / REST_PER_MS) - Math.max(0, this.#cost - CHEAP_MS);
    this.#credit = Math.max(this.#credit, -MAX_REST_MS / REST_PER_MS);
    this.#endedAt = now;
    if (this.queue.size > 0) this.#requestForQueue();
  }

  /** True if the queue may run. Under an endless stream, it does so now and then. */
  #isQuiet(now: number): boolean {
    const isQuiet =
      now - this.#newsAt >= QUIET_MS || (this.#waitsSince !== undefined && now - this.#waitsSince >= MAX_WAIT_MS);
    this.#waitsSince = isQuiet || this.queue.size === 0 ? undefined : (this.#waitsSince ?? now);
    return isQuiet;
  }

  /** An empty frame costs, too, so none is requested before it is quiet. */
  #requestForQueue(): void {
    const rest = this.#newsAt + QUIET_MS - performance.now();
    if (rest <= 0) return this.request();
    if (this.#timer) return;
    this.#timer = true;
    setTimeout(() => {
      this.#timer = false;
      if (this.queue.size > 0) this.#requestForQueue();
    }, rest);
  }
}

/** Deferred work, newest first: the user looks at the latest request. */
export class SliceQueue {
  onDidAdd: (() => void) | undefined;
  /** The user waits for its work, so it does not wait for quiet. */
  isAwaited = false;
  readonly #tasks: (() => void)[] = [];

  get size(): number {
    return this.#tasks.length;
  }

  add(task: () => void): void {
    this.#tasks.push(task);
    this.onDidAdd?.();
  }

  run(deadline: Deadline): void {
    if (this.#tasks.length === 0) return;
    do {
      this.#tasks.pop()?.();
    } while (this.#tasks.length > 0 && deadline());
  }

  clear(): void {
    this.#tasks.length = 0;
  }
}

/** The queue that `FrameLoop` serves. */
export const slices = new SliceQueue();
