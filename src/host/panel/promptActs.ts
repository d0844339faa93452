import { type Draft, isEmptyDraft } from '../sessions/draft';
import { ComposedAttachments } from './composedAttachments';
import { ConversationChanges } from './conversationChanges';
import { acts, type PanelActs } from './panelActs';
import type { ChangeServices, SessionServices, ViewParts, WorkspaceFileServices } from './viewParts';

/** The most files in the list of `@`. */
const maxFound = 50;

/** Acts on the draft, the queue, and earlier messages. */
export function promptActs(
  parts: ViewParts,
  { sessions, worktrees }: SessionServices,
  { panelReview, rewinds }: ChangeServices,
  { index, current }: WorkspaceFileServices,
  closePages: () => void,
  couldNot: (error: unknown) => string,
) {
  const { view, panel, source, attachments, draftAttachments } = parts;
  const composed = new ComposedAttachments(parts, couldNot);
  const changes = new ConversationChanges({ ...parts, panelReview, rewinds });
  return {
    'ui/changed': ({ ui }) => source.saveUi(ui),
    'prompt/submit': async ({ text, mentions, attachments: attached, edits, followed }, live) => {
      // Read at once: the user may open another file while attachments are added.
      const place = followed === undefined ? undefined : current.shownAs(followed);
      const draft: Draft = {
        text,
        mentions,
        attachments: await composed.take(attached, live, place),
        notes: panelReview.open.opened?.notes.take(text, live.id),
      };
      if (edits !== undefined) return changes.resend(edits, draft, live);
      if (isEmptyDraft(draft)) return;
      if (!view.tab) closePages();
      source.forgetSent(text);
      const agents = worktrees.chosen.of(live.id);
      if (agents.length > 1 && live.placeChoice) {
        sessions.remember(draft, live);
        return (await worktrees.compare.get()).begin(draft, live, agents);
      }
      return sessions.submit(draft, live);
    },
    ...acts(
      ['prompt/edit', 'prompt/cancelEdit', 'answer/copy', 'answer/retry', 'checkpoint/restore', 'checkpoint/redo'],
      (message) => changes.handle(message),
    ),
    ...acts(['attachment/add', 'attachment/addUris', 'image/refused', 'context/add'], (message) =>
      composed.add(message),
    ),
    'context/follow': ({ on }) => current.follow(on),
    'attachment/remove': ({ id }) => draftAttachments.remove(id),
    'attachment/removeSent': () => draftAttachments.removeSent(),
    'attachment/open': async ({ id }) => (await attachments.get()).open(draftAttachments.get(id)),
    'files/query': async ({ queryId, text }, { worktree, cwd }) => {
      const files = await (await index.get()).of(worktree && cwd).query(text, maxFound);
      return panel.post({ type: 'files/found', queryId, files });
    },
    'queue/send': ({ id }, live) => live.queue.sendNow(id),
    'queue/edit': async ({ id }, live) => {
      const draft = live.queue.edit(id)?.draft;
      if (!draft) return;
      await panelReview.putBack(draft.notes, live.id);
      return changes.putBack(draft);
    },
    'queue/remove': ({ id }, live) => panelReview.putBack(live.queue.remove(id)?.draft.notes, live.id),
    'queue/resume': (_, live) => live.queue.resume(),
    'queue/clear': async (_, live) => {
      for (const { draft } of live.queue.clear()) await panelReview.putBack(draft.notes, live.id);
    },
    'queue/move': ({ id, to }, live) => live.queue.move(id, to),
    ...acts(['turn/cancel', 'start/cancel'], (_, live) => live.stop()),
  } satisfies Partial<PanelActs>;
}
