import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import { type Clock, Coalescer } from '../base/scheduler';
import type { PtyExit } from '../node/pty';
import { Screen } from '../node/screen';
import type { ViewPatch } from '../protocol/patch';
import type { TerminalView } from '../protocol/viewModel';

/** At most ten looks per second: more than an eye needs, little enough for a flood. */
const LOOK_MS = 100;

export interface TerminalCardOptions {
  readonly terminalId: string;
  readonly command?: string;
  readonly remark?: string;
  readonly canOpen: boolean;
  readonly newlineReturns: boolean;
  readonly cols: number;
  readonly rows: number;
  readonly clock: Clock;
}

/** One terminal as the thread shows it: takes raw output, gives patches. Knows nothing of who runs the command. */
export class TerminalCard extends Disposable {
  private readonly patchEmitter = this.register(new Emitter<Extract<ViewPatch, { op: 'terminal/set' | 'terminal/rows' }>>());
  private readonly screen: Screen;
  private readonly looks: Coalescer;
  private readonly startedAt: number;
  private exit: PtyExit | undefined;
  private endedAt: number | undefined;
  /** Set when the last rows have been shown; the emulator is gone then. */
  private final: TerminalView | undefined;

  readonly onDidPatch = this.patchEmitter.event;

  constructor(private readonly options: TerminalCardOptions) {
    super();
    this.startedAt = options.clock.now();
    this.screen = this.register(new Screen(options));
    this.looks = this.register(new Coalescer(options.clock, LOOK_MS, () => void this.look()));
  }

  get view(): TerminalView {
    if (this.final) return this.final;
    const { terminalId, command, remark, canOpen } = this.options;
    const { exitCode, signal } = this.exit ?? {};
    return {
      terminalId,
      ...(command === undefined ? {} : { command }),
      ...this.screen.view,
      running: this.exit === undefined,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
      canOpen,
      ...(remark === undefined ? {} : { remark }),
      ...(this.endedAt === undefined ? {} : { durationMs: this.endedAt - this.startedAt }),
    };
  }

  write(data: string): void {
    if (this.final) return;
    this.screen.write(data);
    this.looks.schedule();
  }

  resize(cols: number, rows: number): void {
    if (this.final) return;
    this.screen.resize(cols, rows);
    this.looks.schedule();
  }

  /** No more output comes, except what some agents send late; that is still shown for a moment. */
  end(exit: PtyExit): void {
    if (this.exit) return;
    this.exit = exit;
    this.endedAt = this.options.clock.now();
    this.looks.cancel();
    void this.look().then(() => {
      if (!this.store.isDisposed) this.patchEmitter.fire({ op: 'terminal/set', terminal: this.view });
    });
  }

  private async look(): Promise<void> {
    const change = await this.screen.update();
    if (change && !this.store.isDisposed) this.patchEmitter.fire({ op: 'terminal/rows', terminalId: this.options.terminalId, ...change });
  }
}
