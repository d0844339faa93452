import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment, NewAttachment } from '../attachments/attachment';
import type { TerminalCommands } from '../attachments/terminalCommands';
import type { ChatPanels } from '../panel/chatPanels';
import { markedWindow } from '../platform/markedWindow';
import type { SessionService } from '../sessions/sessionService';
import { askContext } from './askContext';
import { type AskAct, askPrompt } from './askPrompts';
import { type AskMenu, type AskSubject, askSubject } from './askSubject';

const sendsKey = 'parley.asksAtOnce';

export interface AskAgentOptions {
  readonly sessions: Pick<SessionService, 'active' | 'showNew' | 'submit'>;
  readonly panels: Pick<ChatPanels, 'active' | 'reveal' | 'deliver'>;
  readonly terminals: Pick<TerminalCommands, 'latest' | 'context'>;
  /** Keeps the content of attachments. */
  readonly store: { save(made: NewAttachment): Promise<Attachment> };
  /** Outlives the window. */
  readonly state: vscode.Memento;
}

/**
 * Asks the agent about something outside the panel. The prompt is put into the message box with its context, where the
 * user reads it before it goes; only the user can choose that it is sent at once.
 */
export class AskAgent {
  constructor(private readonly options: AskAgentOptions) {}

  /** @param args of the command, as its menu gives them */
  async ask(act: AskAct, menu: AskMenu, args: readonly unknown[]): Promise<void> {
    const subject = askSubject(args, vscode.window.activeTextEditor, menu);
    if (!subject)
      return void markedWindow.showInformationMessage(l10n.t('Open an editor or use a menu to ask about something.'));
    await this.askAbout(act, subject);
  }

  /** Asks about something that the caller knows. */
  async askAbout(act: AskAct, subject: AskSubject): Promise<void> {
    const context = await askContext(subject, this.options.terminals);
    if (typeof context === 'string') return void markedWindow.showInformationMessage(context);
    await this.#put(askPrompt(act, subject), context);
  }

  /** Puts a prompt with its context into the message box, or sends it if the user chose that. */
  async #put(text: string, context: readonly NewAttachment[]): Promise<void> {
    const { sessions, panels, state, store } = this.options;
    if (state.get(sendsKey) !== true) return this.fill(text, context);
    if (sessions.active.imported) sessions.showNew();
    await panels.reveal();
    const attachments: Attachment[] = [];
    for (const made of context) attachments.push(await store.save(made));
    await sessions.submit({ text, mentions: [], attachments });
  }

  /** Puts a prompt with its context into the message box, before what the user has typed there. */
  async fill(text: string, context: readonly NewAttachment[]): Promise<void> {
    const { sessions, panels } = this.options;
    if (sessions.active.imported) sessions.showNew();
    await panels.reveal();
    for (const made of context) {
      const refused = await panels.active.draft.add(made);
      if (refused !== undefined) panels.deliver({ type: 'composer/say', text: refused });
    }
    panels.deliver({ type: 'draft/restore', text, mentions: [] });
  }

  /** Lets the user choose what Ask Agent does with a prompt. */
  async chooseHow(): Promise<void> {
    const { state } = this.options;
    const sends = state.get(sendsKey) === true;
    const now = (isNow: boolean) => (isNow ? { description: l10n.t('current') } : {});
    const chosen = await markedWindow.showQuickPick(
      [
        { label: l10n.t('Show the prompt first'), ...now(!sends), sends: false },
        { label: l10n.t('Send the prompt at once'), ...now(sends), sends: true },
      ],
      { title: l10n.t('Parley: When You Ask'), placeHolder: l10n.t('What “Ask Agent” and quick fixes do') },
    );
    if (chosen) await state.update(sendsKey, chosen.sends || undefined);
  }
}
