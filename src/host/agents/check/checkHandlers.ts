import type { SessionState } from '../../../acp/decodeUpdate';
import { AcpError } from '../../../acp/errors';
import type { ClientHandlers } from '../../../acp/handlers';

/** The parts of an agent's turn that a check reads. */
export interface CheckedTurn {
  /** Text of the answer. */
  said(text: string): void;
  /** The turn has ended with a state of the session (v2). */
  ended(state: SessionState): void;
}

/** The prompt of a check, if the user requests one. */
export const testPrompt = 'This is a connection test. Answer with the one word OK. Use no tools.';

/** Handlers for a check: they refuse or cancel every request of the agent. */
export function checkHandlers(turn: CheckedTurn): ClientHandlers {
  const refuse = () =>
    Promise.reject(AcpError.invalidParams('This is a connection test. Nothing can be read, written or run.'));
  return {
    sessionUpdate: (_, update) => {
      if (update.type === 'state' && update.state === 'idle') turn.ended(update);
      if (update.type !== 'chunk' && update.type !== 'messageChunk' && update.type !== 'message') return;
      const blocks = Array.isArray(update.content) ? update.content : update.content ? [update.content] : [];
      if (update.role === 'agent') for (const block of blocks) if (block.type === 'text') turn.said(block.text);
    },
    requestPermission: () => Promise.resolve({ outcome: { outcome: 'cancelled' } }),
    readTextFile: refuse,
    writeTextFile: refuse,
    createTerminal: refuse,
    terminalOutput: refuse,
    waitForTerminalExit: refuse,
    killTerminal: refuse,
    releaseTerminal: refuse,
    createElicitation: () => Promise.resolve({ action: 'cancel' }),
    completeElicitation: () => undefined,
  };
}
