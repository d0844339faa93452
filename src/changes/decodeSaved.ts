import type { CheckpointEvent, Version } from './checkpointLog';
import {
  count,
  decoded,
  flag,
  ifRight,
  listOf,
  number,
  objectOf,
  oneKindOf,
  oneOf,
  optional,
  orNull,
  text,
  tuple,
  where,
} from '../base/decode';
import type { Entry, UndoneTurn } from './entry';
import type { HunkPiece, Piece, Step } from './pieces';
import type { TextForm } from './textForm';
import {
  type HeldSnapshot,
  isContentName,
  type KeptBytes,
  type OriginalRecord,
  type Snapshot,
  type UnclaimedChange,
  type WholeChange,
} from './wholeChange';

const mode = where<number>((raw) => Number.isInteger(raw) && (raw as number) >= 0 && (raw as number) <= 0o777);
const yes = where<true>((raw) => raw === true);

/** The name of a value, maybe among others in its file. Names become names of files, so nothing else is let in. */
export const blobName = where<string>((raw) => typeof raw === 'string' && /^[\da-f]{64}(?::\d{1,6})?$/.test(raw));

const kept = objectOf<KeptBytes>({
  name: where((raw) => typeof raw === 'string' && isContentName(raw)),
  size: where((raw) => typeof raw === 'number' && raw >= 0),
});

const form = objectOf<TextForm>({ encoding: text, ends: oneOf('', '\n', '\r\n', 'mixed') });
const held = objectOf<HeldSnapshot>({
  kind: oneOf('text', 'binary'),
  digest: text,
  mode: ifRight(mode),
  form: ifRight(form),
  kept: ifRight(kept),
  isLost: ifRight(yes),
  isDecoded: ifRight(yes),
});
const snapshot = oneKindOf<Snapshot, 'kind'>('kind', {
  absent: objectOf({ kind: oneOf('absent') }),
  text: held,
  binary: held,
});

/** A change without lines. What was before may be unknown; what cannot be read must not become that. */
export const wholeChange = objectOf<WholeChange>({
  before: (raw) => optional(snapshot)(raw ?? undefined),
  after: snapshot,
  turn: ifRight(text),
  earlierTurns: ifRight(listOf((raw) => decoded(text, raw ?? undefined))),
});

/** A change that nothing shows to be an agent's. */
export const unclaimedChange = objectOf<UnclaimedChange>({
  sessionId: text,
  path: text,
  prompt: ifRight(number),
  before: (raw) => optional(snapshot)(raw ?? undefined),
  after: snapshot,
  turn: ifRight(text),
});

/** The bytes of a text file. */
export const original = objectOf<OriginalRecord>({ digest: text, kept, mode: ifRight(mode) });

const lines = listOf(text);
const order = (raw: unknown) => decoded(count, raw) ?? 0;
const hunk = objectOf<HunkPiece>({
  kind: oneOf('hunk'),
  id: text,
  turn: ifRight(text),
  order,
  earlier: ifRight(listOf(objectOf<Step>({ turn: ifRight(text), order, lines }))),
  baseline: lines,
  agent: lines,
  current: lines,
  undone: ifRight(lines),
  conflicted: (raw) => raw === true,
});
const piece = oneKindOf<Piece, 'kind'>('kind', { same: objectOf({ kind: oneOf('same'), lines }), hunk });

/** What the ledger knows of a file. @throws Error where it is damaged */
export const savedEntry = objectOf<Entry>({
  existed: flag,
  exists: flag,
  isAway: ifRight(yes),
  turn: ifRight(text),
  pieces: listOf(piece),
  whole: optional(wholeChange),
  undone: ifRight(objectOf<UndoneTurn>({ pieces: listOf(piece), left: text })),
});

const digest = orNull(text);
/** What is absent as a whole has no text either, which says the same. */
const wholeOf = (raw: unknown): HeldSnapshot | undefined => {
  const whole = optional(snapshot)(raw);
  return whole?.kind === 'absent' ? undefined : whole;
};
const version = objectOf<Version>({
  text: orNull(blobName),
  review: orNull(blobName),
  whole: wholeOf,
  mode: ifRight(mode),
  waits: ifRight(wholeChange),
  isUnknown: ifRight(yes),
});
const checkpointEvent = oneKindOf<CheckpointEvent, 'type'>('type', {
  touched: objectOf({ type: oneOf('touched'), prompt: number, path: text, before: version }),
  wrote: objectOf({ type: oneOf('wrote'), prompt: number, path: text, before: digest, after: digest }),
  left: objectOf({ type: oneOf('left'), path: text, text: digest }),
  moved: objectOf({ type: oneOf('moved'), from: text, to: text }),
  saved: objectOf<Extract<CheckpointEvent, { readonly type: 'saved' }>>({
    type: oneOf('saved'),
    id: text,
    at: number,
    reason: oneOf('restore', 'redo', 'undo'),
    prompt: ifRight(number),
    files: listOf(tuple(text, version)),
  }),
  redone: objectOf({ type: oneOf('redone'), id: text }),
  forgotten: objectOf({ type: oneOf('forgotten'), upTo: number }),
});

/** One event of the checkpoints, undefined for anything else: the last line of a file may be cut off by a crash. */
export function decodeCheckpoint(raw: unknown): CheckpointEvent | undefined {
  return decoded(checkpointEvent, raw);
}
