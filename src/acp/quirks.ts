import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { AgentFeatures } from './capabilities';
import type { Update } from './decodeUpdate';
import { asObject, idOf, stringOf } from '../base/decode';

/**
 * Departures from the protocol that real agents need, by the name that they give themselves in `agentInfo`. The only
 * file that may name an agent; everything else asks for an ability.
 */
export interface Quirks {
  /** Reading a file that does not exist must answer "" or the agent can never create one through the client. */
  readonly missingFileReadsEmpty: boolean;
  /** A change of mode comes as a message of its own, `[MODE_UPDATE] plan`, and never as `current_mode_update`. */
  readonly modeUpdateIsText: boolean;
  /** Loading a session in the clock minute in which it was made fails, and can destroy what the agent kept of it. */
  readonly loadsOnlyAfterMinute: boolean;
  /** An API key goes out as `{ apiKey }` under its key of `_meta`, not as text. No document settles it. */
  readonly apiKeyIsObject: boolean;
  /**
   * Beside a link or an embedded file, images and sounds of a prompt are dropped; as embedded files they reach the
   * model.
   */
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

/** `_meta` of an `authenticate` that brings the user's key. */
export function apiKeyMeta(key: string, { apiKeyIsObject }: Quirks): Readonly<Record<string, unknown>> {
  return { 'api-key': apiKeyIsObject ? { apiKey: key } : key };
}

/** A prompt so that all of it reaches the model. */
export function wholePrompt(prompt: ContentBlock[], { mediaIsLostBesideFiles }: Quirks): ContentBlock[] {
  if (!mediaIsLostBesideFiles || !prompt.some(({ type }) => type === 'resource' || type === 'resource_link'))
    return prompt;
  return prompt.map((block, i) => {
    if (block.type !== 'image' && block.type !== 'audio') return block;
    const uri = ('uri' in block ? block.uri : undefined) ?? `parley:/attached/${block.type}-${i}`;
    return { type: 'resource', resource: { uri, blob: block.data, mimeType: block.mimeType } };
  });
}

/** Whether an agent may mean more by a text than its words, see `standardUpdate`. Such a chunk stays by itself. */
export function maySignal(text: string): boolean {
  return text.startsWith('[MODE_UPDATE] ');
}

/** The update that the schema has for what an agent said in its own way; any other update as it is. */
export function standardUpdate(update: Update, quirks: Quirks): Update {
  if (!quirks.modeUpdateIsText || update.type !== 'chunk' || update.role !== 'agent' || update.content.type !== 'text')
    return update;
  const modeId = /^\[MODE_UPDATE\] (\w+)$/.exec(update.content.text)?.[1];
  return modeId === undefined ? update : { type: 'mode', modeId };
}

/**
 * The id of the call whose subagent sent an update, as agents that flatten their subagents into one session mark it in
 * `_meta`. ACP v1 has no field for it.
 */
export function parentToolCallOf(meta: unknown): string | undefined {
  const fields = asObject(meta);
  return idOf(fields['parentToolCallId']) ?? idOf(asObject(fields['claudeCode'])['parentToolUseId']);
}

/** Why a call did not run, where an agent says so in `_meta`; its status is only `failed`. */
export function notRunOf(meta: unknown): 'rejected' | 'blocked' | undefined {
  const kind = stringOf(asObject(asObject(meta)['claudeCode'])['nonExecutionKind']);
  return kind === undefined ? undefined : kind.startsWith('user') ? 'rejected' : 'blocked';
}
