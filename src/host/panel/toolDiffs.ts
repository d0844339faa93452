import type { Logger } from '../../base/log';
import { indexOfEntry, type ToolCall } from '../../thread/thread';
import { resolvePath } from '../../view/labels';
import { openLocation } from '../platform/links';
import { placeOfDiff } from '../review/openReview';
import type { ChatView } from '../sessions/chatViews';
import type { ChangeServices } from './viewParts';

type Reviewed = Pick<ChangeServices, 'review' | 'panelReview'>;

/** A diff in the conversation. `index` counts the items of the call's content as the panel shows them. */
interface ShownDiff {
  readonly entryId: string;
  readonly index: number;
}

/** Opens the diff of a tool call: the file's pending change if there is one, else the texts in the call. */
export async function openDiff(view: ChatView, { review }: Reviewed, log: Logger, shown: ShownDiff): Promise<void> {
  const { session, cwd } = view.session;
  const { entry, diff } = contentAt(view, shown);
  if (!entry) return;
  if (diff?.type === 'fileChange') return openLocation(diff.path, undefined, cwd, log);
  if (diff?.type !== 'diff') return;
  await review.openToolDiff(session.id, {
    path: resolvePath(diff.path, cwd),
    oldText: diff.oldText ?? undefined,
    newText: diff.newText,
    title: entry.title,
  });
}

/** Goes to the pending change of a tool call. If it is no longer pending, opens the call's diff. */
export async function reviewDiff(view: ChatView, changes: Reviewed, log: Logger, shown: ShownDiff): Promise<void> {
  const { panelReview, review } = changes;
  const { diff } = contentAt(view, shown);
  if (diff?.type !== 'diff' && diff?.type !== 'fileChange') return;
  const places = review.placesIn(resolvePath(diff.path, view.session.cwd));
  const place = diff.type === 'diff' ? placeOfDiff(places, diff.oldText ?? undefined, diff.newText) : places[0];
  return place ? (await panelReview.open.get()).hunks.goTo(place) : openDiff(view, changes, log, shown);
}

function contentAt(
  view: ChatView,
  { entryId, index }: ShownDiff,
): { readonly entry?: ToolCall; readonly diff?: ToolCall['content'][number] | undefined } {
  const entry = view.session.session.thread.entries.at(indexOfEntry(entryId));
  if (entry?.kind !== 'toolCall') return {};
  return {
    entry,
    diff: entry.content.filter(
      (item) => !(item.type === 'content' && item.content.type === 'text' && item.content.text === ''),
    )[index],
  };
}
