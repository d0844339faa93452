import type { SessionState } from '../../../acp/decodeUpdate';
import { AcpError } from '../../../acp/errors';
import type { ClientHandlers } from '../../../acp/handlers';

/** What is read of an agent's turn. */
export interface CheckedTurn {
  /** Words of the answer. */
  said(text: string): void;
  /** The turn has ended with a state of the session (v2). */
  ended(state: SessionState): void;
}

/** What a check asks an agent, if the user wants that. */
export const testPrompt = 'This is a connection test. Answer with the one word OK. Use no tools.';

/** What an agent may do during a check: nothing but answer. */
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
