import type { AgentFeatures } from './capabilities';
import { asObject, stringOf } from './json';

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

/**
 * The id of the call whose subagent sent an update, as agents that flatten their subagents into one session mark it in
 * `_meta`. ACP v1 has no field for it.
 */
export function parentToolCallOf(meta: unknown): string | undefined {
  const fields = asObject(meta);
  return stringOf(fields['parentToolCallId']) ?? stringOf(asObject(fields['claudeCode'])['parentToolUseId']);
}
