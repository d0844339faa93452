import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Logger } from '../../base/log';
import { readRepositoryFile } from '../../node/readRepositoryFile';
import { indexOfEntry, type ToolCall } from '../../thread/thread';
import { resolvePath } from '../../view/labels';
import { comparison, proposedEdits } from '../../view/proposedText';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import { showDiff } from '../changes/changeDiffs';
import { openDocument } from '../files/documentEdits';
import { fileText } from '../files/fileText';
import { checkPath, isAbsolutePath } from '../files/pathPolicy';
import { openLocation } from '../platform/links';
import { placeOfDiff } from '../review/openReview';
import type { ChatView } from '../sessions/chatViews';
import type { PermissionAnswers } from './permissionAnswers';
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

/** For a longer file only the agent's own texts are compared. Bytes. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Opens the diff editor for one file of a permission request: the current file with unsaved text on the left, the
 * proposed one on the right. Both sides are read-only documents, so nothing is written. Its title has the answers.
 * @param file absolute, as the card names it; a file that the request does not name opens nothing
 */
export async function openProposedDiff(
  requestId: string,
  file: string,
  answers: Pick<PermissionAnswers, 'addDiff' | 'subjectOf'>,
  baselines: BaselineDocuments,
  log: Logger,
): Promise<void> {
  const asked = answers.subjectOf(requestId);
  if (!asked) return;
  const { subject, cwd, roots } = asked;
  const edits = proposedEdits(subject, file, cwd);
  if (edits.length === 0) return;
  const { before, after, isWholeFile } = comparison(edits, await currentText(path.normalize(file), roots, log));
  const name = path.basename(file);
  const title = isWholeFile ? l10n.t('{0} (proposed change)', name) : l10n.t('{0} (proposed lines)', name);
  const proposed = baselines.add(file, after, 'proposed');
  answers.addDiff(proposed, requestId);
  await showDiff(baselines.add(file, before), proposed, title);
}

/** Reads only files in the session's folders, because the path comes from an agent. */
async function currentText(file: string, roots: readonly string[], log: Logger): Promise<string | undefined> {
  if (!isAbsolutePath(file)) return undefined;
  const { inside, real } = await checkPath(file, roots);
  if (!inside) return undefined;
  const open = openDocument(file);
  if (open) return open.getText();
  const bytes = await readRepositoryFile(path.dirname(real), real, maxBytes, log);
  return bytes && (await fileText(file, bytes))?.text;
}
