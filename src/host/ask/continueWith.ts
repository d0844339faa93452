import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../base/cancellation';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { ChangeView } from '../../protocol/changeView';
import type { Thread } from '../../thread/thread';
import { labelOfPath } from '../../view/labels';
import type { ConfiguredAgents } from '../agents/configuredAgents';
import { type AgentChoice, galleryItem, pickAgent } from '../agents/pickAgent';
import { conversationAttachment, sizeOf } from '../attachments/conversationContext';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { ConversationTexts } from '../sessions/conversationTexts';
import type { SessionRecord } from '../sessions/sessionIndex';
import { titleOf } from '../sessions/sessionItems';
import type { SessionService } from '../sessions/sessionService';
import { AskRuns } from './askRuns';
import { handOverText, maxSummarized, maxSummary, summaryIn, summaryPrompt } from './handOver';
import { openPrompt, type PromptTargets } from './openPrompt';
import { NoAnswerGiven, type SeparateAnswers } from './separateAnswer';

export interface ContinueWithOptions extends PromptTargets {
  readonly sessions: PromptTargets['sessions'] & Pick<SessionService, 'find' | 'record'>;
  readonly agents: OtherAgents;
  readonly earlier: EarlierWork;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a session leaves to the next one. Ids are ours. */
export interface EarlierWork {
  readonly conversation: (id: string) => Promise<ConversationTexts | undefined>;
  readonly pending: (id: string) => readonly ChangeView[];
  /** What a session in a folder has in its reach. @returns undefined if the folder is in no worktree of Parley */
  readonly reach: (cwd: string, roots: readonly string[]) => readonly string[] | undefined;
}

/** The agents that a session can go on with, or that can answer once. */
export interface OtherAgents extends Pick<ConfiguredAgents, 'named'> {
  /** In the order of the picker. */
  readonly choices: () => Promise<readonly AgentChoice[]>;
  /** Opens the list of agents. */
  readonly showAll: () => Promise<void>;
  readonly answers: () => Promise<Pick<SeparateAnswers, 'ask'>>;
}

/**
 * Lets the user choose an agent that a session goes to.
 * @param current the session's own, which is left out
 */
export async function pickOther(
  { choices, showAll }: OtherAgents,
  current: string,
  title: string,
): Promise<string | undefined> {
  const others = (await choices()).filter(({ agent }) => agent.name !== current);
  const chosen = await pickAgent(others, '', title);
  if (chosen !== galleryItem) return chosen;
  await showAll();
  return undefined;
}

/** How much of a conversation the next agent gets. `text` is undefined where the first agent has yet to write it. */
interface Extent {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** In the chip. */
  readonly name: string;
  readonly text: string | undefined;
}

/**
 * Goes on with another agent. Its new session gets the conversation of the first one as an attachment of a prompt that
 * the user reads and sends. The first session and its pending changes stay as they are.
 */
export class ContinueWith extends Disposable {
  readonly #runs: AskRuns;

  constructor(private readonly options: ContinueWithOptions) {
    super();
    this.#runs = this.register(new AskRuns(options.log));
  }

  /** @param id our own id of a session; by default the active one @param agent by default the user chooses */
  async run(id = this.options.sessions.active.id, agent?: string): Promise<void> {
    const { sessions, agents } = this.options;
    const record = sessions.record(id);
    if (!record || sessions.find(id)?.session.thread.entries.length === 0)
      return void markedWindow.showInformationMessage(l10n.t('There is no conversation to continue yet.'));
    const isKnown = agent !== undefined && agents.named(agent) !== undefined;
    const next = isKnown ? agent : await pickOther(agents, record.agent, l10n.t('Parley: Continue With…'));
    if (next === undefined) return;
    const title = titleOf(record, sessions.find(id));
    const texts = await this.options.earlier.conversation(id);
    if (!texts) return void markedWindow.showErrorMessage(l10n.t('{0} could not be read.', plainText(title)));
    const extent = await this.#extent(record, texts, next);
    if (!extent) return;
    if (extent.text !== undefined) return this.#open(record, title, texts, { ...extent, text: extent.text }, next);
    const words = {
      title: l10n.t('{0} is summarizing the conversation', plainText(record.agent, 60)),
      busy: l10n.t('This conversation is being summarized already.'),
    };
    await this.#runs.run(id, words, async (token) => {
      const text = await this.#summary(record.agent, texts.whole, token);
      if (text !== undefined) await this.#open(record, title, texts, { ...extent, text }, next);
    });
  }

  async #extent(
    { agent }: SessionRecord,
    { whole, summary, thread }: ConversationTexts,
    next: string,
  ): Promise<Extent | undefined> {
    const name = plainText(agent, 60);
    const isCut = whole.length > maxSummarized;
    const read = isCut ? l10n.t('the last {0} KB', Math.round(maxSummarized / 1024)) : sizeOf(whole);
    const all: Extent = {
      label: l10n.t('Whole Conversation'),
      description: sizeOf(whole),
      detail: l10n.t('With thoughts, tool calls and their results'),
      name: l10n.t('whole conversation'),
      text: whole,
    };
    const short: Extent = {
      label: l10n.t('Your Messages and the Last Answer'),
      description: sizeOf(summary),
      detail: l10n.t('Nothing is sent to {0}', name),
      name: l10n.t('messages and last answer'),
      text: summary,
    };
    const written: Extent = {
      label: l10n.t('Summary by {0}', name),
      description: l10n.t('up to {0} KB', maxSummary / 1024),
      detail: l10n.t('{0} reads {1} in a separate session, without files or terminal', name, read),
      name: l10n.t('summary by {0}', agent),
      text: undefined,
    };
    const canWrite = this.options.agents.named(agent) !== undefined && !this.#isUsedUp(thread);
    return markedWindow.showQuickPick([all, ...(canWrite ? [written] : []), short], {
      title: l10n.t('Parley: Continue with {0}', plainText(next, 60)),
      placeHolder: l10n.t('Select what {0} gets of the conversation', plainText(next, 60)),
    });
  }

  /** A window of the first agent's subscription is used up, so it cannot answer. */
  #isUsedUp({ account }: Thread): boolean {
    const now = this.options.clock.now();
    return (account?.windows ?? []).some(({ isReached, resetsAt }) => isReached && (resetsAt ?? now + 1) > now);
  }

  async #summary(agent: string, whole: string, token: CancellationToken): Promise<string | undefined> {
    const configuration = this.options.agents.named(agent);
    if (!configuration) return undefined;
    const answer = await (await this.options.agents.answers()).ask(configuration, summaryPrompt(whole), token);
    if (answer === undefined) return undefined;
    const text = summaryIn(answer);
    if (text === '') throw new NoAnswerGiven(l10n.t('{0} did not answer with a summary.', plainText(agent, 60)));
    return text;
  }

  async #open(
    { id, agent, cwd }: SessionRecord,
    title: string,
    { thread }: ConversationTexts,
    { name, text }: Extent & { readonly text: string },
    next: string,
  ): Promise<void> {
    const { earlier } = this.options;
    const pending = earlier.pending(id).map((change) => ({ ...change, label: labelOfPath(change.path, cwd) }));
    const whole = handOverText({ agent, folder: cwd, plan: thread.plan, pending }, text);
    const extent = whole.isCut ? `${name} · ${l10n.t('shortened')}` : name;
    const attachment = conversationAttachment({ id, title }, extent, whole.text);
    await openPrompt(this.options, {
      agent: next,
      from: id,
      // What is pending is there.
      place: (roots) => {
        const reach = earlier.reach(cwd, roots);
        return reach && { cwd, roots: reach };
      },
      // The first words become the title of the session.
      text: l10n.t(
        'Continue “{0}”, the attached session of {1}. First read the conversation, its plan and its pending changes.',
        title,
        agent,
      ),
      attachment,
    });
  }
}
