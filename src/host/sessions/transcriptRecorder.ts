import type { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { SessionService } from './sessionService';
import type { TerminalService } from '../terminals/terminalService';
import type { TranscriptStore } from './transcriptStore';

/**
 * Feeds terminals of open sessions from what their agents say of them, and stores in the transcript what they showed at
 * their end.
 */
export class TranscriptRecorder extends Disposable {
  readonly #recorded = new Set<string>();

  constructor(
    private readonly sessions: SessionService,
    private readonly terminals: Later<TerminalService>,
    private readonly transcripts: TranscriptStore,
  ) {
    super();
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
    if (!view || view.running || this.#recorded.has(key) || this.sessions.find(sessionId) === undefined) return;
    this.#recorded.add(key);
    this.transcripts.terminal(sessionId, { ...view, canOpen: false });
  }
}
