import type * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import type { Session } from '../../thread/session';

/** Whether an agent that does not know the conversation gets it with the prompt. */
export type ConversationChoice = 'include' | 'omit';

const key = 'parley.conversationChoice';

const outcome: Readonly<Record<ConversationChoice, string>> = {
  include: 'The earlier conversation was included',
  omit: 'The earlier conversation was not included',
};

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
      this.session.notify({ severity: 'info', title: outcome[known], actions: ['askAboutConversation'] });
      return known;
    }
    this.session.notify({ severity: 'info', title: 'Include the earlier conversation?', detail: `This is a new ${agent} session.`, actions: ['includeConversation', 'omitConversation'] });
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
    if (known === 'include' || known === 'omit') this.session.settleNotice('askAboutConversation', `${outcome[known]}. Parley asks next time.`);
    await this.state.update(key, undefined);
  }

  private settle(choice: ConversationChoice | undefined): void {
    this.session.settleNotice('includeConversation', outcome[choice ?? 'omit']);
    this.pending?.resolve(choice);
  }
}
