import type { Event } from '../../base/event';
import { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { BackgroundView } from '../../protocol/backgroundView';
import type { Thread } from '../../thread/thread';
import type { TerminalService } from './terminalService';

const nothing: readonly BackgroundView[] = [];

/** What is at work in sessions beside their turns. The code is loaded once there can be any such work. */
export class BackgroundWork extends Disposable {
  readonly #code = this.register(new Later(() => import('../../view/backgroundWork')));

  constructor(private readonly terminals: Pick<Later<TerminalService>, 'opened'>) {
    super();
  }

  /** Fires when the code has come: what was asked before was answered with nothing. */
  get onDidOpen(): Event<unknown> {
    return this.#code.onDidOpen;
  }

  /** @param id of the session */
  of(id: string, thread: Thread): readonly BackgroundView[] {
    const running = this.terminals.opened?.running(id) ?? [];
    const [oldest = Infinity] = thread.open;
    if (running.length === 0 && !thread.background?.length && !(oldest < (thread.turn?.firstIndex ?? Infinity)))
      return nothing;
    if (!this.#code.opened) void this.#code.get();
    return this.#code.opened?.backgroundWork(thread, running) ?? nothing;
  }
}
