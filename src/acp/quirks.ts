import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { AgentFeatures } from './capabilities';
import type { Update } from './decodeUpdate';
import { asObject, idOf, stringOf } from '../base/decode';
import type { JsonObject } from '../base/json';

/**
 * Departures from the protocol that real agents need, by the name in `agentInfo`. The only file that may name an agent;
 * all other code asks for an ability.
 */
export interface Quirks {
  /** Reading a file that does not exist must return "", or the agent can never create one through the client. */
  readonly missingFileReadsEmpty: boolean;
  /** A change of mode comes as a text message, `[MODE_UPDATE] plan`, and never as `current_mode_update`. */
  readonly modeUpdateIsText: boolean;
  /** Loading a session in the clock minute of its creation fails, and can destroy the agent's record of it. */
  readonly loadsOnlyAfterMinute: boolean;
  /**
   * An API key goes out as `{ apiKey }` under its key of `_meta`, not as text. No document specifies which is right.
   */
  readonly apiKeyIsObject: boolean;
  /** The agent drops images and sounds next to a link or an embedded file; as embedded files they reach the model. */
  readonly mediaIsLostBesideFiles: boolean;
}

export const noQuirks: Quirks = {
  missingFileReadsEmpty: false,
  modeUpdateIsText: false,
  loadsOnlyAfterMinute: false,
  apiKeyIsObject: false,
  mediaIsLostBesideFiles: false,
};

export function quirksOf(features: AgentFeatures): Quirks {
  const name = features.info?.name.toLowerCase() ?? '';
  // Seen in 0.61.0.
  const gemini = name.includes('gemini');
  // Seen in 2.6.0.
  const codex = name.includes('codex');
  return {
    missingFileReadsEmpty: gemini,
    modeUpdateIsText: gemini,
    loadsOnlyAfterMinute: gemini,
    apiKeyIsObject: codex,
    mediaIsLostBesideFiles: gemini,
  };
}

/** `_meta` of an `authenticate` with the user's key. */
export function apiKeyMeta(key: string, { apiKeyIsObject }: Quirks): Readonly<Record<string, unknown>> {
  return { 'api-key': apiKeyIsObject ? { apiKey: key } : key };
}

/** Rewrites a prompt so that all of it reaches the model. */
export function wholePrompt(prompt: ContentBlock[], { mediaIsLostBesideFiles }: Quirks): ContentBlock[] {
  if (!mediaIsLostBesideFiles || !prompt.some(({ type }) => type === 'resource' || type === 'resource_link'))
    return prompt;
  return prompt.map((block, i) => {
    if (block.type !== 'image' && block.type !== 'audio') return block;
    const uri = ('uri' in block ? block.uri : undefined) ?? `parley:/attached/${block.type}-${i}`;
    return { type: 'resource', resource: { uri, blob: block.data, mimeType: block.mimeType } };
  });
}

/** True if a text may be a signal rather than words, see `standardUpdate`. Such a chunk is not joined with others. */
export function maySignal(text: string): boolean {
  return text.startsWith('[MODE_UPDATE] ');
}

/** Turns an agent's nonstandard update into the schema's form; other updates stay as they are. */
export function standardUpdate(update: Update, quirks: Quirks): Update {
  if (!quirks.modeUpdateIsText || update.type !== 'chunk' || update.role !== 'agent' || update.content.type !== 'text')
    return update;
  const modeId = /^\[MODE_UPDATE\] (\w+)$/.exec(update.content.text)?.[1];
  return modeId === undefined ? update : { type: 'mode', modeId };
}

/**
 * The id of the call whose subagent sent an update. Agents that flatten their subagents into one session put it in
 * `_meta`; ACP v1 has no field for it.
 */
export function parentToolCallOf(meta: unknown): string | undefined {
  const fields = asObject(meta);
  return idOf(fields['parentToolCallId']) ?? idOf(asObject(fields['claudeCode'])['parentToolUseId']);
}

/** Why a call did not run, if the agent says so in `_meta`; its status is only `failed`. */
export function notRunOf(meta: unknown): 'rejected' | 'blocked' | undefined {
  const kind = stringOf(asObject(asObject(meta)['claudeCode'])['nonExecutionKind']);
  return kind === undefined ? undefined : kind.startsWith('user') ? 'rejected' : 'blocked';
}

/** True if the command of a call goes on after the call, by its input or its result: ACP v1 has no field for it. */
export function isBackgroundCall({ rawInput, _meta }: JsonObject): boolean {
  const { run_in_background, is_background } = asObject(rawInput);
  const result = asObject(asObject(asObject(_meta)['claudeCode'])['toolResponse']);
  return run_in_background === true || is_background === true || result['backgroundTaskId'] !== undefined;
}
