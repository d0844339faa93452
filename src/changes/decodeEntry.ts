import type { HunkOrigin } from './hunk';
import type { Entry } from './entry';
import type { Piece } from './pieces';
import { decodeWholeChange, isRecord } from './wholeChange';

const ORIGINS: readonly HunkOrigin[] = ['editorWrite', 'diskWrite', 'command'];

/** An entry as it was saved, undefined for anything else: a file of ours may be damaged, or of a later version. */
export function decodeEntry(raw: unknown): Entry | undefined {
  if (!isRecord(raw) || typeof raw['existed'] !== 'boolean' || typeof raw['exists'] !== 'boolean' || !Array.isArray(raw['pieces'])) return undefined;
  const pieces = raw['pieces'].map(decodePiece);
  const whole = decodeWholeChange(raw['whole']);
  if (!pieces.every((piece) => piece !== undefined) || (raw['whole'] !== undefined && !whole)) return undefined;
  return { existed: raw['existed'], exists: raw['exists'], ...turnIn(raw), pieces, ...(whole ? { whole } : {}) };
}

function decodePiece(raw: unknown): Piece | undefined {
  if (!isRecord(raw)) return undefined;
  const { kind, lines, id, baseline, agent, current, undone, conflicted } = raw;
  if (kind === 'same') return isLines(lines) ? { kind, lines } : undefined;
  const origin = ORIGINS.find((known) => known === raw['origin']);
  if (kind !== 'hunk' || typeof id !== 'string' || !origin || !isLines(baseline) || !isLines(agent) || !isLines(current)) return undefined;
  return { kind, id, origin, ...turnIn(raw), baseline, agent, current, ...(isLines(undone) ? { undone } : {}), conflicted: conflicted === true };
}

/** Reviews that were saved by earlier versions know of no turns. */
function turnIn({ turn }: Record<string, unknown>): { readonly turn?: string } {
  return typeof turn === 'string' ? { turn } : {};
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string');
}
