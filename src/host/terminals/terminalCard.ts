import { Emitter } from '../../base/event';
import { Disposable, MutableDisposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { TerminalFields } from '../../acp/v2/decodeTerminal';
import type { PtyExit } from '../../node/pty';
import { ByteText } from '../../node/byteText';
import { Screen, type ScreenOptions } from '../../node/screen';
import type { ViewPatch } from '../../protocol/patch';
import type { TerminalView } from '../../protocol/terminalView';
import { asksForInput } from '../../thread/inputPrompt';

/** At most ten updates per second: fast enough for the eye, slow enough for a flood. */
const LOOK_MS = 100;
/** How long the emulator is kept after the end. */
const LATE_MS = 10_000;
/** How long a prompt must stay before the user is notified of it. */
const QUIET_MS = 4_000;

export interface TerminalCardOptions {
  readonly terminalId: string;
  readonly command?: string;
  readonly remark?: string;
  readonly canOpen: boolean;
  /** The user can type, once it is open. */
  readonly canType?: boolean;
  /** The user can end it. */
  readonly canCancel?: boolean;
  readonly screen: ScreenOptions;
}

/** One terminal in the thread: turns raw output into patches. Independent of who runs the command. */
export class TerminalCard extends Disposable {
  readonly #patchEmitter = this.register(new Emitter<Extract<ViewPatch, { op: 'terminal/set' | 'terminal/rows' }>>());
  #screen: Screen;
  readonly #bytes = new ByteText();
  #command: string | undefined;
  #canCancel: boolean;
  readonly #looks: Coalescer;
  /** Epoch ms. */
  readonly startedAt: number;
  /** The agent reports the ends of its terminals, as in v2. */
  tellsEnd = false;
  readonly #rest = this.register(new MutableDisposable());
  readonly #quiet = this.register(new MutableDisposable());
  #waitsForInput = false;
  #endsOpen = false;
  /** Set together with the last rows: a card never shows "ended" above incomplete output. */
  #exit: PtyExit | undefined;
  #endedAt: number | undefined;
  #size: { readonly cols: number; readonly rows: number } | undefined;

  #isStopped = false;

  readonly onDidPatch = this.#patchEmitter.event;

  constructor(
    private readonly options: TerminalCardOptions,
    private readonly clock: Clock,
  ) {
    super();
    this.startedAt = clock.now();
    this.#command = options.command;
    this.#canCancel = options.canCancel ?? false;
    this.#screen = new Screen(options.screen);
    this.register({ dispose: () => this.#screen.dispose() });
    this.#looks = this.register(new Coalescer(clock, LOOK_MS, () => void this.#look()));
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  get view(): TerminalView {
    const { terminalId, remark, canOpen } = this.options;
    const command = this.#command;
    const canCancel = this.#canCancel;
    const { exitCode, signal } = this.#exit ?? {};
    const stopped = this.#isStopped && this.#exit !== undefined;
    return {
      terminalId,
      ...(command === undefined ? {} : { command }),
      ...this.#screen.view,
      running: this.#exit === undefined,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
      ...(stopped ? { stopped } : {}),
      canOpen,
      ...(canCancel ? { canCancel } : {}),
      ...(this.#waitsForInput ? { waitsForInput: true } : {}),
      ...(remark === undefined ? {} : { remark }),
      ...(this.#exit === undefined || this.#endedAt === undefined
        ? {}
        : { durationMs: this.#endedAt - this.startedAt }),
    };
  }

  /** The user ends the command. */
  stop(): void {
    this.#isStopped = true;
  }

  write(data: string): void {
    if (data === '') return;
    const tail = data.slice(-64).replace(/(?:\x1b\[[\d;?]*[A-Za-z])+$/, '');
    if (tail !== '') this.#endsOpen = !tail.endsWith('\n');
    this.#screen.write(data);
    this.#looks.schedule();
  }

  /** The user is typing, so the command's question is being answered. */
  answered(): void {
    this.#listen();
  }

  /** Output as bytes that may end within a character, base64. */
  writeBytes(data: string): void {
    this.write(this.#bytes.decode(data));
  }

  /** Applies a v2 agent's update of its own terminal: absent keeps, null clears, a value replaces (item 193). */
  patch({ command, output, exit, size, canCancel }: TerminalFields): void {
    this.tellsEnd = true;
    if (command !== undefined) this.#command = command ?? undefined;
    if (canCancel !== undefined) this.#canCancel = canCancel;
    if (size !== undefined) this.resize(size?.cols ?? this.options.screen.cols, size?.rows ?? this.options.screen.rows);
    if (output !== undefined) this.#restart(output);
    if (exit === null) this.#goOn();
    else if (exit) {
      const ended = {
        ...(exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
        ...(exit.signal === null ? {} : { signal: exit.signal }),
      };
      if (this.#exit) this.#exit = ended;
      else this.end(ended);
    }
    this.#patchEmitter.fire({ op: 'terminal/set', terminal: this.view });
  }

  /** Replaces all earlier output. */
  #restart(output: string | null): void {
    this.#bytes.reset();
    this.#screen.dispose();
    this.#screen = new Screen({ ...this.options.screen, ...this.#size });
    if (this.#exit) this.#restLater();
    if (output !== null) this.writeBytes(output);
  }

  /** Frees the emulator later: a long session has hundreds of these; only the rows stay. */
  #restLater(): void {
    this.#rest.value = this.clock.setTimeout(() => this.#screen.dispose(), LATE_MS);
  }

  /** The agent reports that the command has not ended after all. */
  #goOn(): void {
    this.#exit = undefined;
    this.#endedAt = undefined;
    this.#rest.value = undefined;
  }

  resize(cols: number, rows: number): void {
    this.#size = { cols, rows };
    this.#screen.resize(cols, rows);
    this.#looks.schedule();
  }

  /** The command has ended. Late output, which some agents send, is shown for a while. */
  end(exit: PtyExit): void {
    this.#endedAt ??= this.clock.now();
    this.#quiet.value = undefined;
    void this.#finish(exit);
  }

  async #finish(exit: PtyExit): Promise<void> {
    while (this.#screen.isBehind && !this.store.isDisposed) await this.#look();
    if (this.#exit || this.store.isDisposed || this.#endedAt === undefined) return;
    this.#exit = exit;
    this.#waitsForInput = false;
    this.#patchEmitter.fire({ op: 'terminal/set', terminal: this.view });
    this.#restLater();
  }

  async #look(): Promise<void> {
    const screen = this.#screen;
    this.#listen();
    const change = await screen.update();
    // The output from before a restart is gone.
    if (change && !this.store.isDisposed && screen === this.#screen)
      this.#patchEmitter.fire({ op: 'terminal/rows', terminalId: this.options.terminalId, ...change });
  }

  /** Waits for the next quiet moment of the command. */
  #listen(): void {
    if (this.options.canType !== true || this.#endedAt !== undefined) return;
    this.#setWaiting(false);
    this.#quiet.value = this.clock.setTimeout(() => {
      const rows = this.#screen.view.rows.map((row) => row.map(({ text }) => text).join(''));
      this.#setWaiting(asksForInput(rows, this.#endsOpen));
    }, QUIET_MS);
  }

  #setWaiting(waits: boolean): void {
    if (waits === this.#waitsForInput) return;
    this.#waitsForInput = waits;
    this.#patchEmitter.fire({ op: 'terminal/set', terminal: this.view });
  }
}
