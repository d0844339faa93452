import { rightOf, where } from '../../../base/decode';
import type { Stored, StoredEntry } from '../../../changes/content';
import { savedEntry } from '../../../changes/decodeSaved';
import type { Entry } from '../../../changes/entry';
import { type Piece, textOn, toLines } from '../../../changes/pieces';
import type { ContentStore } from '../../storage/contentStore';

/** Unchanged lines are stored as a number only, because the baseline has them. */
interface SameCount {
  readonly kind: 'same';
  readonly count: number;
}

/**
 * Stores an entry of the ledger as a JSON value, and its baseline separately. The baseline is usually stored already,
 * because it is the content from before the agent's first write.
 */
export function storeEntry(entry: Entry, contents: ContentStore): StoredEntry {
  const pieces = entry.pieces.map((piece): Piece | SameCount =>
    piece.kind === 'same' ? { kind: 'same', count: piece.lines.length } : piece,
  );
  const baseline = contents.put(Buffer.from(textOn(entry.pieces, 'baseline')));
  return { ...contents.put(Buffer.from(JSON.stringify({ ...entry, pieces }))), baseline };
}

/** @throws Error if the entry is missing or damaged */
export async function readEntry(stored: StoredEntry, contents: ContentStore): Promise<Entry> {
  const textOf = async (part: Stored) => (await contents.read(part)).toString('utf8');
  const value: unknown = JSON.parse(await textOf(stored));
  if (!stored.baseline) return savedEntry(value);
  const { pieces, ...rest } = value as { readonly pieces: unknown };
  const lines = toLines(await textOf(stored.baseline));
  let at = 0;
  return savedEntry({
    ...rest,
    pieces: rightOf(piece)(pieces).map((each): Piece => {
      const from = at;
      at += each.kind === 'same' ? each.count : each.baseline.length;
      return each.kind === 'same' ? { kind: 'same', lines: lines.slice(from, at) } : each;
    }),
  });
}

const piece = where<SameCount | Extract<Piece, { kind: 'hunk' }>>(
  (raw) => typeof raw === 'object' && raw !== null && 'kind' in raw && ('count' in raw || 'baseline' in raw),
);
