import type { AgentFeatures } from './capabilities';

/**
 * Departures from the protocol that real agents need, by the name that they give themselves in `agentInfo`. The only
 * file that may name an agent; everything else asks for an ability.
 */
export interface Quirks {
  /** Reading a file that does not exist must answer "" or the agent can never create one through the client. */
  readonly missingFileReadsEmpty: boolean;
}

export function quirksOf(features: AgentFeatures): Quirks {
  const name = features.info?.name.toLowerCase() ?? '';
  return { missingFileReadsEmpty: name.includes('gemini') };
}
