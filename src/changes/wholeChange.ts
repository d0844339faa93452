import * as l10n from '@vscode/l10n';
import { canBringBack, type Content, type FilledContent, isProgramIn, isSameContent, isSameMode } from './content';
import type { Change } from './hunk';
import { formWords, isSameForm } from './textForm';

/**
 * A change of a file as a whole, without hunks: of a binary file, of permissions, of a file with an unknown baseline,
 * or of how a text is stored (`isFormChange`). The last is pending beside hunks of the file; its `before` has the bytes
 * of the first text.
 */
export interface WholeChange {
  /** Undefined: not known. */
  readonly before: Content | undefined;
  readonly after: Content;
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

/** Whether no more is pending than how a text is stored: line ends, byte order mark. */
export function isFormChange(
  whole: WholeChange | undefined,
): whole is WholeChange & { readonly before: FilledContent } {
  return whole?.before?.kind === 'text' && whole.after.kind === 'text' && !isSameForm(whole.before, whole.after);
}

/** Says in what else than its lines a text changed. */
export function formNote(whole: WholeChange | undefined): string[] {
  return isFormChange(whole) ? formWords(whole.before, whole.after) : [];
}

/** Whether Undo has what it needs: where only permissions changed that is nothing. */
function canUndo({ before, after }: WholeChange): boolean {
  return canBringBack(before) || (before !== undefined && isSameContent(before, after) && isSameForm(before, after));
}

/** Says in a few words why there are no lines to show. */
function noteOf(change: WholeChange): string {
  const { before, after } = change;
  if (before === undefined) return l10n.t('Original unknown');
  const programWords = () =>
    isProgramIn(after) === true ? l10n.t('Added execute permission') : l10n.t('Removed execute permission');
  if (isFormChange(change))
    return [...formNote(change), ...(isSameMode(before, after) ? [] : [programWords()])].join(', ');
  if (isSameContent(before, after)) return programWords();
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
