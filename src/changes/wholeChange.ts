import * as l10n from '@vscode/l10n';
import type { Change } from './hunk';
import { formWords, isSameForm, type TextForm } from './textForm';

/** Bytes that are kept: `name` is their SHA-256 in hexadecimal digits. */
export interface KeptBytes {
  readonly name: string;
  readonly size: number;
}

/**
 * What a file held at one moment, without the bytes. `digest` tells contents apart: of a text with `\n` line ends, of
 * bytes else. `mode`: permission bits, where they are known.
 */
export type Snapshot = { readonly kind: 'absent' } | HeldSnapshot;

/** The same of a file that exists. */
export interface HeldSnapshot {
  readonly kind: 'text' | 'binary';
  readonly digest: string;
  readonly mode?: number | undefined;
  /** How a text is stored, where that is known. */
  readonly form?: TextForm | undefined;
  /** Absent where the bytes could not be kept: there were too many. */
  readonly kept?: KeptBytes | undefined;
  /** There were no bytes to keep: nobody shall look for them in the file as it is now. */
  readonly isLost?: boolean | undefined;
  /** What is kept is the text in UTF-8 with `\n`, because the bytes were never seen. */
  readonly isDecoded?: boolean | undefined;
}

/**
 * A change of a file as a whole, without hunks: of a binary file, of permissions, of a file with an unknown baseline,
 * or of how a text is stored (`isFormChange`). The last is pending beside hunks of the file; its `before` has the bytes
 * of the first text.
 */
export interface WholeChange {
  /** Undefined: not known. */
  readonly before: Snapshot | undefined;
  readonly after: Snapshot;
  /** The turn that touched the file last; see `Hunk.turns`. */
  readonly turn?: string | undefined;
  /** The turns before it, which cannot be told from it. */
  readonly earlierTurns?: readonly (string | undefined)[] | undefined;
}

/**
 * A change of a file while an agent worked, for which nothing speaks: no call names the file, and none ran. It may be
 * the user's. So it is pending nowhere, and nothing undoes it unless the user includes it. Its shape is that of a whole
 * change.
 */
export interface UnclaimedChange extends Omit<WholeChange, 'earlierTurns'> {
  readonly sessionId: string;
  readonly path: string;
  /** The prompt of the turn; its time, epoch ms. */
  readonly prompt?: number | undefined;
}

/** A text file byte by byte. `digest` tells which text it held. */
export interface OriginalRecord {
  readonly digest: string;
  readonly kept: KeptBytes;
  readonly mode?: number;
}

/** Permissions, for which see `isSameMode`, are no difference. */
export function isSameSnapshot(a: Snapshot, b: Snapshot): boolean {
  return a.kind === 'absent' || b.kind === 'absent' ? a.kind === b.kind : a.kind === b.kind && a.digest === b.digest;
}

type WithMode = { readonly kind: 'absent' } | { readonly kind: 'text' | 'binary'; readonly mode?: number | undefined };

/** Whether a file may be run as a program; undefined where that is not known. */
export function isProgramIn(snapshot: WithMode): boolean | undefined {
  return snapshot.kind === 'absent' || snapshot.mode === undefined ? undefined : (snapshot.mode & 0o111) !== 0;
}

/** Permission bits that make a file a program, or none. Who may read it may run it; the rest is the user's. */
export function withProgram(mode: number, isProgram: boolean): number {
  return isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Whether both may be run as programs, or neither, as far as is known. */
export function isSameMode(a: WithMode, b: WithMode): boolean {
  const [first, second] = [isProgramIn(a), isProgramIn(b)];
  return first === undefined || second === undefined || first === second;
}

/** Whether no more is pending than how a text is stored: line ends, byte order mark. */
export function isFormChange(whole: WholeChange | undefined): whole is WholeChange & { readonly before: HeldSnapshot } {
  return whole?.before?.kind === 'text' && whole.after.kind === 'text' && !isSameForm(whole.before, whole.after);
}

/** Says in what else than its lines a text changed. */
export function formNote(whole: WholeChange | undefined): string[] {
  return isFormChange(whole) ? formWords(whole.before, whole.after) : [];
}

/** Whether a file can be made to hold this again. */
export function canBringBack(snapshot: Snapshot | undefined): boolean {
  return snapshot !== undefined && (snapshot.kind === 'absent' || snapshot.kept !== undefined);
}

/** Whether a file holds more than is ever kept of one; its digest is none of bytes then. */
export function isBeyondKeeping(snapshot: Snapshot): boolean {
  return snapshot.kind === 'binary' && !isContentName(snapshot.digest);
}

/** Whether this is a SHA-256, by which bytes are kept. */
export function isContentName(name: string): boolean {
  return /^[\da-f]{64}$/.test(name);
}

/** Whether Undo has what it needs: where only permissions changed that is nothing. */
function canUndo({ before, after }: WholeChange): boolean {
  return canBringBack(before) || (before !== undefined && isSameSnapshot(before, after) && isSameForm(before, after));
}

/** Says in a few words why there are no lines to show. */
function noteOf(change: WholeChange): string {
  const { before, after } = change;
  if (before === undefined) return l10n.t('Original unknown');
  const programWords = () =>
    isProgramIn(after) === true ? l10n.t('Added execute permission') : l10n.t('Removed execute permission');
  if (isFormChange(change))
    return [...formNote(change), ...(isSameMode(before, after) ? [] : [programWords()])].join(', ');
  if (isSameSnapshot(before, after)) return programWords();
  if (!canUndo(change)) return l10n.t('Too large to undo');
  return before.kind === 'binary' || after.kind === 'binary' ? l10n.t('Binary file') : l10n.t('Was a binary file');
}

/** How such a change is listed. */
export function changeOfWhole(path: string, whole: WholeChange): Change {
  const { before, after, turn, earlierTurns } = whole;
  const kind = after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
  const cannotUndo = canUndo(whole) ? {} : { cannotUndo: true };
  return {
    path,
    kind,
    turn,
    baseline: undefined,
    current: undefined,
    hunks: [],
    added: 0,
    removed: 0,
    note: noteOf(whole),
    ...cannotUndo,
    ...(earlierTurns ? { earlierTurns } : {}),
  };
}

/** The bytes that undo a change, if they are kept. */
export function keptBefore({ before }: WholeChange): KeptBytes | undefined {
  return before && before.kind !== 'absent' ? before.kept : undefined;
}
