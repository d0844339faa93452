import type { Later } from '../../base/later';
import type { FoundFile } from '../../protocol/messages';
import type { PanelUiState } from '../../protocol/viewModel';
import type { Attachments } from '../attachments/messageAttachments';
import type { DraftAttachments } from '../attachments/draftAttachments';
import type { PanelReview } from '../review/panelReview';
import { type Draft, isEmptyDraft } from '../sessions/draft';
import type { SessionService } from '../sessions/sessionService';
import { ComposedAttachments } from './composedAttachments';
import { ConversationChanges, type ConversationChangesOptions } from './conversationChanges';
import type { ChatView } from '../sessions/chatViews';
import { acts, type PanelActs } from './panelActs';
import type { ThreadPanel } from './threadPanel';

/** The message that is written in a view. */
export interface PromptParts {
  readonly attachments: Later<Attachments>;
  readonly draftAttachments: DraftAttachments;
  readonly findFiles: (text: string) => Promise<readonly FoundFile[]>;
  readonly saveUi: (ui: PanelUiState) => void;
  /** Called with a message before it is sent. */
  readonly forgetSent: (text: string) => void;
}

/** Where it is written, and where it goes. */
interface PromptPlace extends Pick<ConversationChangesOptions, 'rewinds'> {
  readonly view: ChatView;
  readonly panel: ThreadPanel;
  readonly sessions: SessionService;
  readonly pending: PanelReview;
}

/** The message that is written, those that wait, and what is done with what was said already. */
export function promptActs(
  options: PromptParts & PromptPlace,
  closePages: () => void,
  couldNot: (error: unknown) => string,
) {
  const { view, panel, sessions, pending, draftAttachments } = options;
  const composed = new ComposedAttachments(options, couldNot);
  const changes = new ConversationChanges(options);
  return {
    'ui/changed': ({ ui }) => options.saveUi(ui),
    'prompt/submit': async ({ text, mentions, attachments, edits }, live) => {
      const draft: Draft = {
        text,
        mentions,
        attachments: await composed.take(attachments, live),
        notes: pending.open.opened?.notes.take(text, live.id),
      };
      if (edits !== undefined) return changes.resend(edits, draft, live);
      if (isEmptyDraft(draft)) return;
      if (!view.tab) closePages();
      options.forgetSent(text);
      return sessions.submit(draft, live);
    },
    ...acts(
      ['prompt/edit', 'prompt/cancelEdit', 'answer/copy', 'answer/retry', 'checkpoint/restore', 'checkpoint/redo'],
      (message) => changes.handle(message),
    ),
    ...acts(['attachment/add', 'attachment/addUris', 'image/refused', 'context/add'], (message) =>
      composed.add(message),
    ),
    'attachment/remove': ({ id }) => draftAttachments.remove(id),
    'attachment/removeSent': () => draftAttachments.removeSent(),
    'attachment/open': async ({ id }) => (await options.attachments.get()).open(draftAttachments.get(id)),
    'files/query': async ({ queryId, text }) =>
      panel.post({ type: 'files/found', queryId, files: await options.findFiles(text) }),
    'queue/send': ({ id }, live) => live.queue.sendNow(id),
    'queue/edit': async ({ id }, live) => {
      const draft = live.queue.edit(id)?.draft;
      if (!draft) return;
      await pending.putBack(draft.notes, live.id);
      return changes.putBack(draft);
    },
    'queue/remove': ({ id }, live) => pending.putBack(live.queue.remove(id)?.draft.notes, live.id),
    'queue/resume': (_, live) => live.queue.resume(),
    'queue/clear': async (_, live) => {
      for (const { draft } of live.queue.clear()) await pending.putBack(draft.notes, live.id);
    },
    'queue/move': ({ id, to }, live) => live.queue.move(id, to),
    ...acts(['turn/cancel', 'start/cancel'], (_, live) => live.stop()),
  } satisfies Partial<PanelActs>;
}
