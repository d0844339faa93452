import { type Content, isProgramIn, isSameContent, isSameMode, withProgram } from '../../changes/content';
import { programWords } from '../../changes/wholeChange';
import type { ContentInHand } from '../storage/contentInHand';

/** Two versions of a file. */
interface Versions {
  readonly base: Content;
  readonly theirs: Content;
}

/** True if a worktree has only set or cleared the execute permission of a file. */
export function isPermissionOnly({ base, theirs }: Versions): boolean {
  return isSameContent(base, theirs) && !isSameMode(base, theirs);
}

/** What a worktree did to the execute permission of a file; none if it left that as it was. */
export function permissionWords({ base, theirs }: Versions): readonly string[] {
  return isSameMode(base, theirs) ? [] : [programWords(theirs)];
}

/**
 * The permissions of a file that gets changes of a worktree. They stay the user's, with the execute permission if the
 * worktree changed that.
 */
export function takenMode({ base, theirs }: Versions, mine: ContentInHand): number | undefined {
  if (mine.kind === 'absent') return theirs.kind === 'absent' ? undefined : theirs.mode;
  const isProgram = isProgramIn(theirs);
  const isTheirs = mine.mode !== undefined && isProgram !== undefined && !isSameMode(base, theirs);
  return isTheirs ? withProgram(mine.mode, isProgram) : mine.mode;
}
