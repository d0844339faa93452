import * as l10n from '@vscode/l10n';
import type { PermissionView } from '../../src/protocol/permissionView';
import type { PartContext } from './context';

/** Room above a scroll target, in px, for the line with the prompt. */
const OVER = 32;
/** Room below the end of the question, in px. */
const UNDER = 8;
/** In a very long text each step scrolls by this share of it, so that few steps lead to its end. */
const LONGEST_STEP = 0.2;

/** Why a request takes no answer yet; `undefined` if it has only just appeared. */
export function notReadyWords(
  { requestId, isChecking }: Pick<PermissionView, 'requestId' | 'isChecking'>,
  context: Pick<PartContext, 'sight'>,
): string | undefined {
  if (!context.sight.has(requestId)) return l10n.t('Read the whole request first');
  return isChecking ? l10n.t('Parley is still checking this request') : undefined;
}

/**
 * The user tried to answer a request too early: explains why, and shows the next unseen part.
 * @param card undefined if it is still being scrolled into view
 */
export function readOn(
  permission: Pick<PermissionView, 'requestId' | 'isChecking'>,
  card: HTMLElement | undefined,
  context: Pick<PartContext, 'sight' | 'announce'>,
  redraw: () => void,
): void {
  const words = notReadyWords(permission, context);
  if (words === undefined) return;
  context.sight.tell(permission.requestId);
  context.announce(words);
  const part = card && context.sight.nextUnseen(card);
  if (part) scrollTo(card, part);
  redraw();
}

/** Scrolls the box or the conversation by a page, in a long one by more. */
function scrollTo(card: HTMLElement, part: Element): void {
  const thread = card.closest<HTMLElement>('.thread');
  if (!thread) return;
  const view = thread.getBoundingClientRect();
  const room = view.height - (card.querySelector<HTMLElement>('.answers')?.offsetHeight ?? 0);
  const box = part.closest<HTMLElement>('.asked, .title');
  const { top, bottom } = (box ?? part).getBoundingClientRect();
  const toTop = top - view.top - OVER;
  // If the box is fully in view, or as far as it fits, scroll the box itself.
  const toEnd = box
    ? Math.min(bottom - view.top - room, toTop)
    : Math.min(bottom - view.bottom + UNDER, Math.max(room * 0.9, card.offsetHeight * LONGEST_STEP));
  const before = thread.scrollTop;
  thread.scrollTop += toTop < 0 ? toTop : Math.max(0, toEnd);
  if (box && Math.abs(thread.scrollTop - before) < 1)
    box.scrollTop += Math.max(box.clientHeight * 0.9, box.scrollHeight * LONGEST_STEP);
}
