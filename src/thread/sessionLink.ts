import type { AgentConnection } from '../acp/agentConnection';
import type { OptionLink } from './chooseOption';

/** The calls of `AgentConnection` that a session makes. */
export interface SessionLink
  extends
    OptionLink,
    Pick<AgentConnection, 'prompt' | 'cancel' | 'cancelToolCall' | 'cancelTerminal'>,
    Partial<Pick<AgentConnection, 'workOutlivesTurn' | 'steer' | 'caughtUp'>> {}

/** The connection and the id of a session at its agent. */
export interface Attachment {
  readonly sessionId: string;
  readonly link: SessionLink;
}

/** The prompt never reached an agent. The reason is reported elsewhere. */
export class NotSent extends Error {
  constructor() {
    super('The prompt was not sent');
    this.name = 'NotSent';
  }
}
