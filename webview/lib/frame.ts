/** True while there is time left in this frame's share. */
export type Deadline = () => boolean;

/**
 * Main-thread time per frame for what can wait: turning text into rich text, colouring code, building far entries. The
 * browser needs about twice as long again to lay out and paint what comes of it.
 */
const SLICE_MS = 4;
/** After a frame that cost more than this, with the layout of what was drawn, the next one takes half the share. */
const LONG_MS = 20;
const MIN_SLICE_MS = 1;
/** A frame up to this cost is free. What it costs more is taken from a credit that comes back with time. */
const CHEAP_MS = 3;
/** So much may be drawn in a burst: short answers are there at once. */
const CREDIT_MS = 48;
/**
 * Without credit the loop rests so long for each ms that is missing: typing and scrolling have the thread meanwhile.
 */
const REST_PER_MS = 3;
const MAX_REST_MS = 80;
/** What can wait does so while news comes: much of it is out of view soon. ms */
const QUIET_MS = 100;
/** Under a stream that does not end it waits for so long at most. ms */
const MAX_WAIT_MS = 400;

/**
 * The one animation frame loop. A frame writes first (`onWrite`), then spends what is left of its share on slices, and
 * measures last (`onMeasure`), so that layout is computed once. A flood of text makes frames rarer, not longer: what
 * arrived in between is drawn in one go.
 */
export class FrameLoop {
  #requested = false;
  #credit = CREDIT_MS;
  #endedAt = 0;
  #cost = 0;
  #slice = SLICE_MS;
  #inputWaits = false;
  #newsAt = -QUIET_MS;
  /** Since when the queue waits for quiet. */
  #waitsSince: number | undefined;
  #timer = false;

  constructor(
    private readonly onWrite: (deadline: Deadline) => void,
    private readonly onMeasure: () => void,
    private readonly queue: SliceQueue = slices,
  ) {
    queue.onDidAdd = () => this.#requestForQueue();
  }

  /** Asks for a frame. Any number of requests make one frame. */
  request(): void {
    if (this.#requested) return;
    this.#requested = true;
    requestAnimationFrame(() => this.#run());
  }

  /** The user has pressed a key: while frames are costly, the next one is left to what the key does. */
  letInputThrough(): void {
    this.#inputWaits = this.#cost > CHEAP_MS;
  }

  /** There is news at the end, where the user is: what can wait does so. */
  didHear(): void {
    if (!this.queue.isAwaited) this.#newsAt = performance.now();
  }

  /** What comes now is the end of a flood: it is drawn without a rest. */
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

  /** Whether the queue has its turn. Under a stream that does not end it has that now and then. */
  #isQuiet(now: number): boolean {
    const isQuiet =
      now - this.#newsAt >= QUIET_MS || (this.#waitsSince !== undefined && now - this.#waitsSince >= MAX_WAIT_MS);
    this.#waitsSince = isQuiet || this.queue.size === 0 ? undefined : (this.#waitsSince ?? now);
    return isQuiet;
  }

  /** A frame in which nothing is drawn costs, too, so none is asked for before there is quiet. */
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

/** Work that can wait, newest first: what was asked for last is what the user looks at. */
export class SliceQueue {
  onDidAdd: (() => void) | undefined;
  /** The user waits for what is in it, so it does not wait for quiet. */
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
