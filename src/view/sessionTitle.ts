import { withoutControls } from '../base/controlSequences';

/** One line, and not longer than anyone reads. */
export function sessionTitle(title: string): string {
  return withoutControls(title.trim().slice(0, 2_000)).replace(/\s+/g, ' ').trim().slice(0, 300);
}
