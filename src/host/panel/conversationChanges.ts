import * as vscode from 'vscode';
import type { FromWebview } from '../../protocol/messages';
import { answerText } from '../../thread/answerText';
import { indexOfEntry } from '../../thread/thread';
import type { DraftAttachments } from '../attachments/draftAttachments';
import type { CheckpointCommands } from '../review/checkpointCommands';
import type { Feedback } from '../review/feedback/feedback';
import type { RewindCommands } from '../review/rewindCommands';
import { type Draft, isEmptyDraft } from '../sessions/draft';
import type { SessionService } from '../sessions/sessionService';
import type { ThreadPanel } from './threadPanel';

export interface ConversationChangesOptions {
  readonly panel: Pick<ThreadPanel, 'post'>;
  readonly sessions: Pick<SessionService, 'active'>;
  readonly draftAttachments: Pick<DraftAttachments, 'bringBack' | 'putBack' | 'setAside'>;
  readonly notes: Pick<Feedback, 'putBack'>;
  readonly checkpoints: () => Promise<CheckpointCommands>;
  readonly rewinds: () => Promise<RewindCommands>;
}

type Message = Extract<FromWebview, { type: 'prompt/edit' | 'prompt/cancelEdit' | 'answer/copy' | 'answer/retry' | 'checkpoint/restore' | 'checkpoint/redo' }>;

/** What the user does with what was said already: copy it, change it, go back to before it. */
export class ConversationChanges {
  constructor(private readonly options: ConversationChangesOptions) {}

  async handle(message: Message): Promise<void> {
    const { sessions, draftAttachments, checkpoints, rewinds } = this.options;
    const { thread } = sessions.active.session;
    switch (message.type) {
      case 'prompt/edit': {
        const prompt = thread.entries.at(indexOfEntry(message.entryId));
        return prompt?.kind === 'userMessage' ? this.edit(prompt.id, sessions.active.draftOf(prompt)) : undefined;
      }
      case 'prompt/cancelEdit':
        return draftAttachments.bringBack();
      case 'answer/copy':
        return vscode.env.clipboard.writeText(answerText(thread, message.entryId));
      case 'answer/retry':
        return (await rewinds()).retry(message.entryId);
      case 'checkpoint/restore':
        return this.rewind(message.entryId);
      case 'checkpoint/redo':
        return (await checkpoints()).redo();
    }
  }

  /** Sends a message in the place of an earlier prompt. Where the user changes their mind it is theirs to edit on. */
  async resend(entryId: string, draft: Draft): Promise<void> {
    const { draftAttachments, notes, rewinds } = this.options;
    draftAttachments.bringBack();
    if (!isEmptyDraft(draft) && (await (await rewinds()).resend(entryId, draft))) return;
    await notes.putBack(draft.notes);
    await this.edit(entryId, draft);
  }

  /** Puts an earlier prompt into the message box, with what it mentions and what was attached to it. */
  private async edit(entryId: string, draft: Draft): Promise<void> {
    const { panel, draftAttachments } = this.options;
    draftAttachments.setAside(draft.attachments);
    await panel.post({ type: 'draft/edit', entryId, text: draft.text, mentions: draft.mentions });
    await panel.post({ type: 'focus/set', target: 'composer' });
  }

  /** The prompt that left the conversation is in the message box then, unless something was typed there. */
  private async rewind(entryId: string): Promise<void> {
    const { panel, draftAttachments, rewinds } = this.options;
    const draft = await (await rewinds()).toEntry(entryId);
    if (!draft) return;
    draftAttachments.putBack(draft.attachments);
    await panel.post({ type: 'draft/restore', text: draft.text, mentions: draft.mentions, ifEmpty: true });
    await panel.post({ type: 'focus/set', target: 'composer' });
  }
}
