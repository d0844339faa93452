import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { SessionState } from '../../acp/decodeUpdate';
import { AcpError } from '../../acp/errors';
import type { ClientHandlers } from '../../acp/handlers';

/** The parts of an agent's turn that its reader needs. */
export interface RefusedTurn {
  /** Why nothing is possible, for the agent. */
  readonly reason: string;
  /** Text of the answer. */
  said(text: string): void;
  /** A tool call began: text before it is not the answer. */
  acted?(): void;
  /** The turn has ended with a state of the session (v2). */
  ended(state: SessionState): void;
}

/** Handlers for a process apart from all sessions: they refuse or reject every request of the agent. */
export function refusingHandlers(turn: RefusedTurn): ClientHandlers {
  const refuse = () => Promise.reject(AcpError.invalidParams(turn.reason));
  return {
    sessionUpdate: (_, update) => {
      if (update.type === 'state' && update.state === 'idle') turn.ended(update);
      if (update.type === 'toolCall' && update.announces) turn.acted?.();
      if (update.type !== 'chunk' && update.type !== 'messageChunk' && update.type !== 'message') return;
      const blocks = Array.isArray(update.content) ? update.content : update.content ? [update.content] : [];
      if (update.role === 'agent') for (const block of blocks) if (block.type === 'text') turn.said(block.text);
    },
    requestPermission: (params) => Promise.resolve(rejected(params)),
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

/** The agent's own way to say no, so that the turn goes on; without one, as if it was stopped. */
function rejected({ options }: PermissionParams): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === 'reject_once');
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
}
