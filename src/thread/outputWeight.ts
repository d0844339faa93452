import * as l10n from '@vscode/l10n';
import type { DecodedBlock } from '../acp/decodeContent';
import type { ToolContent } from '../acp/decodeUpdate';
import type { ThreadAction } from './actions';

/**
 * Characters in the strings of a JSON value, and about one for each other value. Weights of heavy values are cached,
 * since they never change.
 */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = weighed.get(value);
  if (weight === undefined) {
    weight = 1;
    for (const item of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) weight += weightOf(item);
    if (weight > HEAVY) weighed.set(value, weight);
  }
  return weight;
}

const HEAVY = 1_000;
const weighed = new WeakMap<object, number>();

/** The characters that an agent's action adds; any other action, such as a prompt, counts as 1. */
export function broughtBy(action: ThreadAction): number {
  switch (action.type) {
    case 'message/chunkAppended':
    case 'message/appended':
    case 'compaction/chunkAppended':
      return weightOf(action.content);
    case 'message/upserted':
      return weightOf(action.content ?? []);
    case 'toolCall/contentAppended':
      return weightOf(action.content);
    case 'toolCall/patched':
    case 'permission/requested':
    case 'permission/answered':
      return weightOf(action.fields);
    default:
      return 1;
  }
}

/** "3" or "0.1": megabytes of so many characters. */
export function megabytes(characters: number): string {
  const size = characters / 1_000_000;
  return size >= 10 ? String(Math.round(size)) : Math.max(0.1, size).toFixed(1);
}

/** The placeholder for output that was too long to store. */
export function notStored(characters: number): string {
  return l10n.t('(output not stored: {0} MB)', megabytes(characters));
}

/** The placeholder for output that is in the transcript, but no longer in memory. */
export function notInMemory(characters: number): string {
  return l10n.t('(output no longer in memory: {0} MB)', megabytes(characters));
}

export function textContent(text: string): ToolContent {
  return { type: 'content', content: textBlock(text) };
}

export function textBlock(text: string): DecodedBlock {
  return { type: 'text', text };
}
