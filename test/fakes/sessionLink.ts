import type { SessionLink } from '../../src/thread/sessionLink';

/** A session's way to an agent that does all that it is asked, at once; with what a test has done otherwise. */
export function sessionLink(otherwise: Partial<SessionLink> = {}): SessionLink {
  return {
    prompt: async () => ({ stopReason: 'end_turn' }),
    cancel: async () => undefined,
    cancelToolCall: async () => undefined,
    cancelTerminal: async () => undefined,
    setMode: async () => undefined,
    setModel: async () => undefined,
    setConfigOption: async () => undefined,
    ...otherwise,
  };
}
