import { indexOfEntry, type ToolCall } from '../../thread/thread';
import { resolvePath } from '../../view/labels';
import { openLocation } from '../platform/links';
import { placeOfDiff } from '../review/openReview';
import type { PanelControllerOptions } from './panelController';

type DiffOptions = Pick<PanelControllerOptions, 'log' | 'pending' | 'review' | 'view'>;

/** A diff in the conversation. `index` counts the items of the call's content as the panel shows them. */
interface ShownDiff {
  readonly entryId: string;
  readonly index: number;
}

/** Opens the diff of a tool call: the file's pending change if there is one, else the texts in the call. */
export async function openDiff(options: DiffOptions, shown: ShownDiff): Promise<void> {
  const { log, review, view } = options;
  const { session, cwd } = view.session;
  const { entry, diff } = contentAt(options, shown);
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
export async function reviewDiff(options: DiffOptions, shown: ShownDiff): Promise<void> {
  const { pending, review, view } = options;
  const { diff } = contentAt(options, shown);
  if (diff?.type !== 'diff' && diff?.type !== 'fileChange') return;
  const places = review.placesIn(resolvePath(diff.path, view.session.cwd));
  const place = diff.type === 'diff' ? placeOfDiff(places, diff.oldText ?? undefined, diff.newText) : places[0];
  return place ? (await pending.open.get()).hunks.goTo(place) : openDiff(options, shown);
}

function contentAt(
  { view }: DiffOptions,
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
