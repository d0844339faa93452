import * as vscode from 'vscode';
import type { Said } from '../../protocol/fromWebview';
import { indexOfEntry } from '../../thread/thread';
import { answerText } from '../../thread/threadTurns';
import type { DraftAttachments } from '../attachments/draftAttachments';
import type { PanelReview } from '../review/panelReview';
import type { RewindCommands } from '../review/rewindCommands';
import { type Draft, isEmptyDraft } from '../sessions/draft';
import type { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { ThreadPanel } from './threadPanel';

export interface ConversationChangesOptions {
  readonly panel: Pick<ThreadPanel, 'post'>;
  readonly view: Pick<ChatView, 'session'>;
  readonly draftAttachments: Pick<DraftAttachments, 'bringBack' | 'putBack' | 'setAside'>;
  readonly panelReview: Pick<PanelReview, 'putBack'>;
  readonly rewinds: (live: LiveSession) => Promise<RewindCommands>;
}

type Message = Said<
  'prompt/edit' | 'prompt/cancelEdit' | 'answer/copy' | 'answer/retry' | 'checkpoint/restore' | 'checkpoint/redo'
>;

/** Actions on earlier messages: copy, edit, and go back to before one. */
export class ConversationChanges {
  constructor(private readonly options: ConversationChangesOptions) {}

  async handle(message: Message): Promise<void> {
    const { view, draftAttachments } = this.options;
    const live = view.session;
    const { thread } = live.session;
    switch (message.type) {
      case 'prompt/edit': {
        const prompt = thread.entries.at(indexOfEntry(message.entryId));
        return prompt?.kind === 'userMessage' ? this.#edit(prompt.id, live.draftOf(prompt)) : undefined;
      }
      case 'prompt/cancelEdit':
        return draftAttachments.bringBack();
      case 'answer/copy':
        return vscode.env.clipboard.writeText(answerText(thread, message.entryId));
      case 'answer/retry':
        return (await this.#rewinds()).retry(message.entryId);
      case 'checkpoint/restore':
        return this.#rewind(message.entryId);
      case 'checkpoint/redo':
        return (await this.#rewinds()).files.redo();
    }
  }

  /**
   * Sends a message in place of an earlier prompt. If the user cancels, or the prompt is gone, the message goes back
   * into the box.
   */
  async resend(entryId: string, draft: Draft, live: LiveSession): Promise<void> {
    const { draftAttachments, panelReview, rewinds, view } = this.options;
    const { id } = live;
    if (view.session === live) draftAttachments.bringBack();
    const outcome = isEmptyDraft(draft) ? 'calledOff' : await (await rewinds(live)).resend(entryId, draft);
    if (outcome === 'sent') return;
    await panelReview.putBack(draft.notes, id);
    await (outcome === 'gone' ? this.putBack(draft) : this.#edit(entryId, draft));
  }

  /** For the session that the view shows now. It may show another one when the user has decided. */
  #rewinds(): Promise<RewindCommands> {
    return this.options.rewinds(this.options.view.session);
  }

  /** Puts an earlier prompt into the message box, with its mentions and attachments. */
  async #edit(entryId: string, draft: Draft): Promise<void> {
    const { panel, draftAttachments } = this.options;
    draftAttachments.setAside(draft.attachments);
    await panel.post({ type: 'draft/edit', entryId, text: draft.text, mentions: draft.mentions });
    await panel.post({ type: 'focus/set', target: 'composer' });
  }

  /** Puts the removed prompt into the message box, unless that has a text. */
  async #rewind(entryId: string): Promise<void> {
    const draft = await (await this.#rewinds()).toEntry(entryId);
    if (draft) await this.putBack(draft, true);
  }

  /** Puts a message into the box, before the typed text. @param ifEmpty only into an empty box */
  async putBack(draft: Draft, ifEmpty?: true): Promise<void> {
    const { panel, draftAttachments } = this.options;
    draftAttachments.putBack(draft.attachments);
    await panel.post({
      type: 'draft/restore',
      text: draft.text,
      mentions: draft.mentions,
      ...(ifEmpty ? { ifEmpty } : {}),
    });
    await panel.post({ type: 'focus/set', target: 'composer' });
  }
}
