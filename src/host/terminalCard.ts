import { Emitter } from '../base/event';
import { Disposable, MutableDisposable } from '../base/lifecycle';
import { type Clock, Coalescer } from '../base/scheduler';
import type { PtyExit } from '../node/pty';
import { Screen } from '../node/screen';
import type { ViewPatch } from '../protocol/patch';
import type { TerminalView } from '../protocol/viewModel';

/** At most ten looks per second: more than an eye needs, little enough for a flood. */
const LOOK_MS = 100;
/** After the end the emulator is kept for so long. */
const LATE_MS = 10_000;

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
  private readonly rest = this.register(new MutableDisposable());
  /** Set together with the last rows: a card never says "ended" above half of its output. */
  private exit: PtyExit | undefined;
  private endedAt: number | undefined;

  readonly onDidPatch = this.patchEmitter.event;

  constructor(private readonly options: TerminalCardOptions) {
    super();
    this.startedAt = options.clock.now();
    this.screen = this.register(new Screen(options));
    this.looks = this.register(new Coalescer(options.clock, LOOK_MS, () => void this.look()));
  }

  get view(): TerminalView {
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
      ...(this.exit === undefined || this.endedAt === undefined ? {} : { durationMs: this.endedAt - this.startedAt }),
    };
  }

  write(data: string): void {
    this.screen.write(data);
    this.looks.schedule();
  }

  resize(cols: number, rows: number): void {
    this.screen.resize(cols, rows);
    this.looks.schedule();
  }

  /** The command has ended. Output that still comes, as some agents do, is shown for a while. */
  end(exit: PtyExit): void {
    this.endedAt ??= this.options.clock.now();
    void this.finish(exit);
  }

  private async finish(exit: PtyExit): Promise<void> {
    while (this.screen.isBehind && !this.store.isDisposed) await this.look();
    if (this.exit || this.store.isDisposed) return;
    this.exit = exit;
    this.patchEmitter.fire({ op: 'terminal/set', terminal: this.view });
    // A long session has hundreds of these; only the rows stay.
    this.rest.value = this.options.clock.setTimeout(() => this.screen.dispose(), LATE_MS);
  }

  private async look(): Promise<void> {
    const change = await this.screen.update();
    if (change && !this.store.isDisposed) this.patchEmitter.fire({ op: 'terminal/rows', terminalId: this.options.terminalId, ...change });
  }
}
