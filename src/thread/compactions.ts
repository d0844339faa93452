import type { CompactionFields } from '../acp/decodeCompaction';
import type { DecodedBlock } from '../acp/decodeContent';
import { addContent, closeMessages, partsOf } from './messageChunks';
import { type Compaction, entryIdAt, type Thread } from './thread';

/**
 * Creates or patches a compaction (item 114). The first update with its id fixes its place in the thread. Later, an
 * absent field keeps, an empty summary and a null error clear. An update without a status begins one.
 */
export function patchCompaction(before: Thread, fields: CompactionFields, at: number): Thread {
  const { thread, index, compaction } = find(before, fields.compactionId, at);
  const next: { -readonly [K in keyof Compaction]: Compaction[K] } = { ...compaction };
  if (fields.status !== undefined) next.status = fields.status;
  if (fields.summary !== undefined) next.parts = partsOf(fields.summary);
  if (typeof fields.error === 'string') next.error = fields.error;
  if (fields.error === null) delete next.error;
  if (isCompacting(next)) delete next.endedAt;
  else next.endedAt ??= at;
  return put(thread, index, next);
}

/** Appends to the summary; an unknown id begins a compaction. */
export function appendToCompaction(before: Thread, compactionId: string, content: DecodedBlock, at: number): Thread {
  const { thread, index, compaction } = find(before, compactionId, at);
  return put(thread, index, { ...compaction, parts: addContent(compaction.parts, content) });
}

/** The agent's process has ended: its open compactions end. */
export function endCompactions(thread: Thread, at: number): Thread {
  return thread.compacting.reduce(
    (changed, compactionId) => patchCompaction(changed, { compactionId, status: 'cancelled' }, at),
    thread,
  );
}

/** True until the agent reports the end. */
function isCompacting({ status }: Pick<Compaction, 'status'>): boolean {
  return status === 'in_progress' || status === 'other';
}

/** Finds or creates the entry. A new entry closes the message before it. */
function find(
  thread: Thread,
  compactionId: string,
  at: number,
): { readonly thread: Thread; readonly index: number; readonly compaction: Compaction } {
  const known = thread.compactions.get(compactionId);
  const entry = known === undefined ? undefined : thread.entries.at(known);
  if (known !== undefined && entry?.kind === 'compaction') return { thread, index: known, compaction: entry };
  const index = thread.entries.length;
  return {
    thread: closeMessages(thread),
    index,
    compaction: {
      kind: 'compaction',
      id: entryIdAt(index),
      at,
      compactionId,
      status: 'in_progress',
      parts: partsOf([]),
    },
  };
}

function put(thread: Thread, index: number, compaction: Compaction): Thread {
  const { compactionId } = compaction;
  const others = thread.compacting.filter((id) => id !== compactionId);
  const isNew = index === thread.entries.length;
  return {
    ...thread,
    entries: isNew ? thread.entries.push(compaction) : thread.entries.set(index, compaction),
    compactions: isNew ? thread.compactions.set(compactionId, index) : thread.compactions,
    compacting: isCompacting(compaction) ? [...others, compactionId] : others,
  };
}
