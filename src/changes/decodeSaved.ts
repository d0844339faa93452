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
import { type Content, type FilledContent, isContentName, type Stored, type StoredEntry } from './content';
import type { UnclaimedChange, WholeChange } from './wholeChange';

const mode = where<number>((raw) => Number.isInteger(raw) && (raw as number) >= 0 && (raw as number) <= 0o777);
const yes = where<true>((raw) => raw === true);

/** Names become names of files, so only content names are accepted. */
const storedFields = {
  name: where<string>((raw) => typeof raw === 'string' && isContentName(raw)),
  size: count,
  at: optional(where<string>((raw) => typeof raw === 'string' && /^[\da-f-]{36}:\d{1,9}$/.test(raw))),
};
const stored = objectOf<Stored>(storedFields);
export const storedEntry = objectOf<StoredEntry>({ ...storedFields, baseline: optional(stored) });

const form = objectOf<TextForm>({ encoding: text, ends: oneOf('', '\n', '\r\n', 'mixed') });
const filledNow = objectOf<FilledContent>({
  kind: oneOf('text', 'binary'),
  digest: text,
  mode: ifRight(mode),
  form: ifRight(form),
  stored: ifRight(stored),
  isDecoded: ifRight(yes),
});
/** Earlier builds named stored bytes `kept`. */
const filled = (raw: unknown): FilledContent => {
  const { kept, ...rest } = (raw ?? {}) as { readonly kept?: unknown };
  return filledNow(kept === undefined ? rest : { stored: kept, ...rest });
};
/** A content without the bytes. */
export const content = oneKindOf<Content, 'kind'>('kind', {
  absent: objectOf({ kind: oneOf('absent') }),
  text: filled,
  binary: filled,
});

/** A change without lines. `before` may be unknown, but a damaged `before` must fail and not become unknown. */
export const wholeChange = objectOf<WholeChange>({
  before: (raw) => optional(content)(raw ?? undefined),
  after: content,
  turn: ifRight(text),
  earlierTurns: ifRight(listOf((raw) => decoded(text, raw ?? undefined))),
});

/** A change that no evidence attributes to an agent. */
export const unclaimedChange = objectOf<UnclaimedChange>({
  sessionId: text,
  path: text,
  prompt: ifRight(number),
  before: (raw) => optional(content)(raw ?? undefined),
  after: content,
  turn: ifRight(text),
});

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

/** An entry of the ledger. @throws Error if it is damaged */
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
const version = objectOf<Version>({
  content: ifRight(content),
  entry: ifRight(storedEntry),
  waits: ifRight(wholeChange),
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

/** Decodes one event of the checkpoints. Undefined for anything else: a crash may cut off the last line of a file. */
export function decodeCheckpoint(raw: unknown): CheckpointEvent | undefined {
  return decoded(checkpointEvent, raw);
}
