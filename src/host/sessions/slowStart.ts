import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { ConnectionView } from '../../protocol/viewModel';

/** After so long, in ms, a start offers help: it may be stuck. */
export const slowAfterMs = 60_000;
/** After so long, in ms, a start says that the agent's output cannot be read: the answer may be part of it. */
export const unreadAfterMs = 5_000;
/** So often, in ms, what the agent prints meanwhile is looked at. */
const lookMs = 1_000;

type Starting = Extract<ConnectionView, { state: 'starting' }>;

export interface SlowStartOptions {
  readonly clock: Clock;
  /** It waits for the user, which is no fault of the start. */
  readonly waits: () => boolean;
  /** What the agent has printed so far. */
  readonly printed: () => string | undefined;
  /** How many lines of it on stdout could not be read. */
  readonly unread: () => number;
  readonly show: (state: Starting) => void;
}

/**
 * Watches the start of one session's agent, whatever takes so long: an installation, the process, or its first answers.
 */
export class SlowStart extends Disposable {
  #state: Starting | undefined;
  #timer: IDisposable | undefined;
  /** When the user last had something to answer. */
  #waitedUntil = 0;

  constructor(private readonly options: SlowStartOptions) {
    super();
  }

  /** The connection has another state. */
  follow(state: ConnectionView): void {
    this.#state = state.state === 'starting' ? state : undefined;
    if (!this.#state) {
      this.#timer?.dispose();
      this.#timer = undefined;
    } else this.#timer ??= this.options.clock.setTimeout(() => this.#look(), lookMs);
  }

  override dispose(): void {
    this.#timer?.dispose();
    super.dispose();
  }

  #look(): void {
    const { clock, waits, printed, unread, show } = this.options;
    this.#timer = clock.setTimeout(() => this.#look(), lookMs);
    const state = this.#state;
    if (!state) return;
    if (waits()) this.#waitedUntil = clock.now();
    const took = clock.now() - Math.max(state.since, this.#waitedUntil);
    const isSlow = took >= slowAfterMs;
    const lines = took >= unreadAfterMs ? unread() : 0;
    const output = isSlow || lines > 0 ? printed() : undefined;
    if (isSlow === (state.isSlow ?? false) && lines === (state.unread ?? 0) && output === state.output) return;
    const { isSlow: _isSlow, unread: _unread, output: _output, ...rest } = state;
    show({
      ...rest,
      ...(isSlow ? { isSlow } : {}),
      ...(lines > 0 ? { unread: lines } : {}),
      ...(output === undefined ? {} : { output }),
    });
  }
}
