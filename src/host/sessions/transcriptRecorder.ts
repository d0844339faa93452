import type { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { SessionService } from './sessionService';
import type { TerminalService } from '../terminals/terminalService';
import type { TranscriptStore } from './transcriptStore';

/** Agents report output and other ends for a while after the end. How long these are collected, in ms. */
const lateMs = 2_000;

/**
 * Feeds terminals of open sessions from what their agents say of them, and stores in the transcript what they showed at
 * their end.
 */
export class TranscriptRecorder extends Disposable {
  readonly #recorded = new Set<string>();
  /** Terminals that have changed since they were recorded. */
  readonly #late = new Map<string, () => void>();
  readonly #coalescer: Coalescer;

  constructor(
    private readonly sessions: Pick<SessionService, 'find' | 'onDidReceiveTerminal'>,
    private readonly terminals: Later<TerminalService>,
    private readonly transcripts: Pick<TranscriptStore, 'terminal'>,
    clock: Clock,
  ) {
    super();
    this.#coalescer = this.register(new Coalescer(clock, lateMs, () => this.#recordLate()));
    this.register(
      terminals.onDidOpen((opened) =>
        this.register(
          opened.onDidPatch(({ sessionId, patch }) =>
            this.#record(sessionId, patch.op === 'terminal/set' ? patch.terminal.terminalId : patch.terminalId),
          ),
        ),
      ),
    );
    this.register(
      sessions.onDidReceiveTerminal(
        ({ id, event }) => void terminals.get().then((opened) => opened.applyAgentEvent(id, event)),
      ),
    );
  }

  #record(sessionId: string, terminalId: string): void {
    const key = `${sessionId} ${terminalId}`;
    const view = this.terminals.opened?.view(sessionId, terminalId);
    if (!view || this.sessions.find(sessionId) === undefined) return;
    if (view.running) {
      // The agent may have taken its end back.
      this.#recorded.delete(key);
      this.#late.delete(key);
    } else if (this.#recorded.has(key)) {
      this.#late.set(key, () => this.#write(sessionId, terminalId));
      this.#coalescer.schedule();
    } else {
      this.#recorded.add(key);
      this.#write(sessionId, terminalId);
    }
  }

  #write(sessionId: string, terminalId: string): void {
    const view = this.terminals.opened?.view(sessionId, terminalId);
    if (view && this.sessions.find(sessionId) !== undefined)
      this.transcripts.terminal(sessionId, { ...view, canOpen: false });
  }

  #recordLate(): void {
    const late = [...this.#late.values()];
    this.#late.clear();
    for (const write of late) write();
  }

  override dispose(): void {
    this.#coalescer.flushNow();
    super.dispose();
  }
}
