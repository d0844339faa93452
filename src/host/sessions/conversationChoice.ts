import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import type { IDisposable } from '../../base/lifecycle';
import type { Session } from '../../thread/session';
import { entryIdAt, type Thread } from '../../thread/thread';
import { endsWell } from '../../thread/words';

/** Whether an agent that does not know the conversation gets it with the prompt. */
export type ConversationChoice = 'include' | 'omit';

const key = 'parley.conversationChoice';

function outcome(choice: ConversationChoice): string {
  return choice === 'include'
    ? l10n.t('The earlier conversation was included')
    : l10n.t('The earlier conversation was not included');
}

/** The agent has said or done something in the running turn. */
function isAnswering({ turn, entries }: Thread): boolean {
  const last = entries.at(entries.length - 1)?.kind;
  return (
    turn !== undefined &&
    entries.length - 1 > turn.firstIndex &&
    last !== 'userMessage' &&
    last !== 'elicitation' &&
    last !== 'notice'
  );
}

/** Asks the user whether the conversation goes along, in the thread, and remembers the answer for this workspace. */
export class ConversationQuestion extends Disposable {
  #pending: Deferred<ConversationChoice | undefined> | undefined;
  #wait: IDisposable | undefined;
  /** Holds until the agent has taken a prompt: for the next try of one that it refused the user is not asked again. */
  #chosen: ConversationChoice | undefined;
  /** The prompt that was sent with the choice, while its turn runs. */
  #sent: { readonly settle: (isKnown: boolean) => void; readonly isTaken: boolean } | undefined;

  constructor(
    private readonly session: Session,
    private readonly state: vscode.Memento,
  ) {
    super();
    this.register(session.onDidAct(() => this.#sent?.isTaken === false && isAnswering(session.thread) && this.#take()));
    this.register(session.onDidEndTurn(({ stopReason }) => this.#handleTurnEnd(stopReason)));
  }

  /** @param agent its name @returns undefined when nobody chose: the turn was stopped */
  async ask(agent: string): Promise<ConversationChoice | undefined> {
    if (this.#chosen) return this.#chosen;
    const known = this.state.get<unknown>(key);
    if (known === 'include' || known === 'omit') {
      this.#chosen = known;
      this.session.notify({ severity: 'info', title: outcome(known), actions: ['askAboutConversation'] });
      return known;
    }
    const title = l10n.t('Include the earlier conversation?');
    this.session.notify({
      severity: 'info',
      title,
      detail: l10n.t('This is a new {0} session.', agent),
      actions: ['includeConversation', 'omitConversation'],
    });
    this.#wait = this.session.waitFor(title, entryIdAt(this.session.thread.entries.length - 1));
    this.#pending = new Deferred();
    return this.#pending.promise;
  }

  /**
   * The prompt is sent now, with the conversation or without it.
   * @param settle called with true once the agent works on the prompt, and with false where it refuses to go on: then
   * it forgets the prompt
   */
  follow(choice: ConversationChoice, settle: (isKnown: boolean) => void): void {
    this.#chosen = choice;
    this.#sent = { settle, isTaken: false };
  }

  async answer(choice: ConversationChoice): Promise<void> {
    this.#settle(choice);
    await this.state.update(key, choice);
  }

  /** The turn is stopped. */
  withdraw(): void {
    if (this.#pending && !this.#pending.isSettled) this.#settle(undefined);
  }

  /** The user wants to be asked again. */
  async forget(): Promise<void> {
    const known = this.state.get<unknown>(key);
    if (known === 'include')
      this.session.settleNotice(
        'askAboutConversation',
        l10n.t('The earlier conversation was included. Parley will ask next time.'),
      );
    if (known === 'omit')
      this.session.settleNotice(
        'askAboutConversation',
        l10n.t('The earlier conversation was not included. Parley will ask next time.'),
      );
    this.#chosen = undefined;
    await this.state.update(key, undefined);
  }

  #take(): void {
    if (!this.#sent || this.#sent.isTaken) return;
    this.#sent = { ...this.#sent, isTaken: true };
    this.#sent.settle(true);
  }

  #handleTurnEnd(stopReason: string): void {
    if (endsWell(stopReason)) this.#take();
    const isTaken = this.#sent?.isTaken === true;
    if (isTaken && stopReason === 'refusal') this.#sent?.settle(false);
    else if (isTaken) this.#chosen = undefined;
    this.#sent = undefined;
  }

  #settle(choice: ConversationChoice | undefined): void {
    this.session.settleNotice('includeConversation', outcome(choice ?? 'omit'));
    this.#wait?.dispose();
    this.#chosen = choice;
    this.#pending?.resolve(choice);
  }
}
