import * as l10n from '@vscode/l10n';
import { canBringBack, type Content, type FilledContent, isProgramIn, isSameContent, isSameMode } from './content';
import type { Change } from './hunk';
import { formWords, isSameForm } from './textForm';

/**
 * A change of a file as a whole, without hunks: of a binary file, of permissions, of a file with an unknown baseline,
 * or of how a text is stored (`isFormChange`). The last kind, and permissions of a text, are pending beside hunks of the
 * file (`isBesideLines`). `before` of the last kind has the bytes of the first text.
 */
export interface WholeChange {
  /** Undefined if it is not known. */
  readonly before: Content | undefined;
  readonly after: Content;
  /** The turn that touched the file last; see `Hunk.turns`. */
  readonly turn?: string | undefined;
  /** The turns before it, whose changes cannot be separated from it. */
  readonly earlierTurns?: readonly (string | undefined)[] | undefined;
}

/**
 * A change of a file while an agent worked, without evidence of its author: no tool call names the file, and none ran.
 * It may be the user's. So it is not pending, and Undo skips it unless the user includes it. Its shape is that of a
 * whole change.
 */
export interface UnclaimedChange extends Omit<WholeChange, 'earlierTurns'> {
  readonly sessionId: string;
  readonly path: string;
  /** The prompt of the turn; its time, epoch ms. */
  readonly prompt?: number | undefined;
}

/** The turns of a change as a whole, the first one first. */
export function turnsOfWhole({ turn, earlierTurns = [] }: WholeChange): readonly (string | undefined)[] {
  return [...earlierTurns, turn];
}

/** True if only the storage form of a text is pending: line ends, byte order mark. */
export function isFormChange(
  whole: WholeChange | undefined,
): whole is WholeChange & { readonly before: FilledContent } {
  return whole?.before?.kind === 'text' && whole.after.kind === 'text' && !isSameForm(whole.before, whole.after);
}

/** True if only the permissions of a text are pending. */
export function isPermissionChange(
  whole: WholeChange | undefined,
): whole is WholeChange & { readonly before: FilledContent } {
  if (whole?.before?.kind !== 'text' || whole.after.kind !== 'text') return false;
  const { before, after } = whole;
  return isSameContent(before, after) && isSameForm(before, after) && !isSameMode(before, after);
}

/** True for a change as a whole that does not hide hunks of the file. */
export function isBesideLines(
  whole: WholeChange | undefined,
): whole is WholeChange & { readonly before: FilledContent } {
  return isFormChange(whole) || isPermissionChange(whole);
}

/** Describes changes of a text besides its lines. */
export function besideNote(whole: WholeChange | undefined): string[] {
  if (!isBesideLines(whole)) return [];
  const { before, after } = whole;
  return [...formWords(before, after), ...(isSameMode(before, after) ? [] : [programWords(after)])];
}

/** Describes a change of permissions. @param after the content that has them now */
export function programWords(after: Content): string {
  return isProgramIn(after) === true ? l10n.t('Added execute permission') : l10n.t('Removed execute permission');
}

/** True if Undo has the content that it needs. It needs none if only permissions changed. */
function canUndo({ before, after }: WholeChange): boolean {
  return canBringBack(before) || (before !== undefined && isSameContent(before, after) && isSameForm(before, after));
}

/** A short reason why no lines can be shown. */
function noteOf(change: WholeChange): string {
  const { before, after } = change;
  if (before === undefined) return l10n.t('Original unknown');
  if (isBesideLines(change)) return besideNote(change).join(', ');
  if (isSameContent(before, after)) return programWords(after);
  if (!canUndo(change)) return l10n.t('Too large to undo');
  return before.kind === 'binary' || after.kind === 'binary' ? l10n.t('Binary file') : l10n.t('Was a binary file');
}

/** The change as the UI shows it. */
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
