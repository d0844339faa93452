import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import type { Session } from '../../thread/session';

/** Whether an agent that does not know the conversation gets it with the prompt. */
export type ConversationChoice = 'include' | 'omit';

const key = 'parley.conversationChoice';

function outcome(choice: ConversationChoice): string {
  return choice === 'include' ? l10n.t('The earlier conversation was included') : l10n.t('The earlier conversation was not included');
}

/** Asks the user whether the conversation goes along, in the thread, and remembers the answer for this workspace. */
export class ConversationQuestion {
  private pending: Deferred<ConversationChoice | undefined> | undefined;

  constructor(
    private readonly session: Session,
    private readonly state: vscode.Memento,
  ) {}

  /** @param agent its name @returns undefined when nobody chose: the turn was stopped */
  async ask(agent: string): Promise<ConversationChoice | undefined> {
    const known = this.state.get<unknown>(key);
    if (known === 'include' || known === 'omit') {
      this.session.notify({ severity: 'info', title: outcome(known), actions: ['askAboutConversation'] });
      return known;
    }
    this.session.notify({ severity: 'info', title: l10n.t('Include the earlier conversation?'), detail: l10n.t('This is a new {0} session.', agent), actions: ['includeConversation', 'omitConversation'] });
    this.pending = new Deferred();
    return this.pending.promise;
  }

  async answer(choice: ConversationChoice): Promise<void> {
    this.settle(choice);
    await this.state.update(key, choice);
  }

  /** The turn is stopped. */
  withdraw(): void {
    if (this.pending && !this.pending.isSettled) this.settle(undefined);
  }

  /** The user wants to be asked again. */
  async forget(): Promise<void> {
    const known = this.state.get<unknown>(key);
    if (known === 'include') this.session.settleNotice('askAboutConversation', l10n.t('The earlier conversation was included. Parley asks next time.'));
    if (known === 'omit') this.session.settleNotice('askAboutConversation', l10n.t('The earlier conversation was not included. Parley asks next time.'));
    await this.state.update(key, undefined);
  }

  private settle(choice: ConversationChoice | undefined): void {
    this.session.settleNotice('includeConversation', outcome(choice ?? 'omit'));
    this.pending?.resolve(choice);
  }
}
