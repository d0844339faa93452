import { type DecodedBlock, decodeContentBlock } from './decodeContent';
import { stringOf, usableOf } from '../base/decode';
import type { JsonObject } from '../base/json';

/** `other` is a status that this version does not know: the compaction may still be running. */
export type CompactionStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'other';

/** `compaction_update` as decoded. An absent field keeps what is known; an empty summary and a null error clear it. */
export interface CompactionFields {
  readonly compactionId: string;
  readonly status?: CompactionStatus;
  readonly summary?: readonly DecodedBlock[];
  readonly error?: string | null;
}

/** Reads a `compaction_update` (item 114). `undefined` without an id. */
export function decodeCompaction(update: JsonObject, issue: (text: string) => void): CompactionFields | undefined {
  const compactionId = stringOf(update['compactionId']);
  if (compactionId === undefined) return undefined;
  const status = stringOf(update['status']);
  const summary = update['summary'] === null ? [] : usableOf(decodeContentBlock, issue, 'summary')(update['summary']);
  const error = update['error'] === null ? null : stringOf(update['error']);
  return {
    compactionId,
    ...(status === undefined ? {} : { status: statuses.find((known) => known === status) ?? 'other' }),
    ...(summary === undefined ? {} : { summary }),
    ...(error === undefined ? {} : { error }),
  };
}

const statuses = ['in_progress', 'completed', 'failed', 'cancelled'] as const;
