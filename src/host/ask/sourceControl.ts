import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { ConfiguredAgents } from '../agents/configuredAgents';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { AskRuns } from './askRuns';
import { commitMessageIn, commitPrompt } from './commitMessage';
import { type ReadChangesOptions, readChanges, type RepositoryChanges } from './repositoryChanges';
import { readReview, reviewPrompt } from './remarks';
import type { RemarkThreads } from './remarkThreads';
import { tellLeftOut, tellReview } from './reviewOutcome';
import { NoAnswerGiven, type SeparateAnswers } from './separateAnswer';

const agentKey = 'parley.sourceControlAgent';

/** What the menus of Source Control hand to their commands, as far as it is used. */
interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
}

export interface SourceControlAsksOptions {
  readonly answers: Pick<SeparateAnswers, 'ask'>;
  /** `current`: the agent of the session that was used last, else the one that workspaces begin with. */
  readonly agents: Pick<ConfiguredAgents, 'all' | 'named'> & { current(): string };
  readonly threads: () => Promise<Pick<RemarkThreads, 'show' | 'openFirst'>>;
  readonly git: (which: ReadChangesOptions['which']) => Promise<ReadChangesOptions>;
  /** Opens the list of agents. */
  readonly showAgents: () => Promise<void>;
  /** Outlives the window. */
  readonly state: vscode.Memento;
  readonly log: Logger;
}

/**
 * Writes commit messages and reviews changes in Source Control, by an agent that can do nothing else there. The message
 * goes into the input box, which is all that is written; nothing is committed.
 */
export class SourceControlAsks extends Disposable {
  readonly #runs: AskRuns;

  constructor(private readonly options: SourceControlAsksOptions) {
    super();
    this.#runs = this.register(
      new AskRuns(options.log, (count) => {
        void vscode.commands.executeCommand('setContext', 'parley.asksRepository', count > 0);
      }),
    );
  }

  /** @param argument of the menu @param chooses lets the user choose the agent, which is remembered */
  async writeMessage(argument: unknown, chooses = false): Promise<void> {
    const repository = repositoryIn(argument);
    if (!repository) return tellPlace();
    const agent = await this.#agent(chooses);
    if (!agent) return;
    const { inputBox } = repository;
    const before = inputBox.value;
    const name = plainText(agent.name, 60);
    await this.#run(repository, l10n.t('{0} is writing a commit message', name), async (token) => {
      const answer = await this.#ask(repository, 'staged', agent, commitPrompt, token);
      if (answer === undefined) return;
      const message = commitMessageIn(answer.text);
      if (message === '') throw new NoAnswerGiven(l10n.t('{0} did not answer with a commit message.', name));
      // What the user wrote meanwhile is theirs.
      if (inputBox.value !== before && !(await this.#mayReplace(name))) return;
      inputBox.value = message;
      tellLeftOut(answer.changes);
    });
  }

  /** @param argument of the menu */
  async review(argument: unknown): Promise<void> {
    const repository = repositoryIn(argument);
    if (!repository) return tellPlace();
    const agent = await this.#agent(false);
    if (!agent) return;
    const name = plainText(agent.name, 60);
    await this.#run(repository, l10n.t('{0} is reviewing the changes', name), async (token) => {
      const answer = await this.#ask(repository, 'all', agent, reviewPrompt, token);
      if (answer === undefined) return;
      const { remarks, rest } = readReview(answer.text, answer.changes.files);
      const threads = await this.options.threads();
      threads.show(answer.changes.top, agent.name, remarks);
      tellLeftOut(answer.changes);
      void tellReview({ agent: name, count: remarks.length, rest }, threads);
    });
  }

  /** Stops everything that runs. */
  stop(): void {
    this.#runs.stop();
  }

  async #ask(
    { rootUri }: Repository,
    which: ReadChangesOptions['which'],
    agent: AgentConfiguration,
    prompt: (changes: RepositoryChanges) => string,
    token: CancellationToken,
  ): Promise<{ readonly text: string; readonly changes: RepositoryChanges } | undefined> {
    const changes = await readChanges(rootUri.fsPath, await this.options.git(which));
    if (token.isCancellationRequested) return undefined;
    if (typeof changes === 'string') throw new NoAnswerGiven(changes);
    if (changes.files.length === 0 && which === 'all')
      throw new NoAnswerGiven(
        l10n.t('All changed files are protected or may contain secrets, so there is nothing to review.'),
      );
    const text = await this.options.answers.ask(agent, prompt(changes), token);
    return text === undefined ? undefined : { text, changes };
  }

  async #run({ rootUri }: Repository, title: string, work: (token: CancellationToken) => Promise<void>): Promise<void> {
    const busy = l10n.t('An agent is working on this repository already.');
    await this.#runs.run(rootUri.toString(), { title, busy }, work);
  }

  /** The agent that the user chose for this, else that of the chat. */
  async #agent(chooses: boolean): Promise<AgentConfiguration | undefined> {
    const { agents, state, showAgents } = this.options;
    const known = [state.get<string>(agentKey) ?? '', agents.current()].flatMap((name) => agents.named(name) ?? []);
    const [first] = known;
    if (!chooses && first) return first;
    const items = agents.all().map((agent) => ({
      label: plainText(agent.name, 60),
      ...(agent.name === first?.name ? { description: l10n.t('current') } : {}),
      agent,
    }));
    if (items.length === 0) {
      await showAgents();
      return undefined;
    }
    const chosen = await markedWindow.showQuickPick(items, {
      title: l10n.t('Parley: Select Agent'),
      placeHolder: l10n.t('Select the agent for Source Control'),
    });
    if (chosen) await state.update(agentKey, chosen.agent.name);
    return chosen?.agent;
  }

  async #mayReplace(name: string): Promise<boolean> {
    const replace = l10n.t('Replace');
    const words = l10n.t('{0} has written a commit message. Replace what you typed meanwhile?', name);
    return (await markedWindow.showInformationMessage(words, replace)) === replace;
  }
}

function tellPlace(): void {
  void markedWindow.showInformationMessage(l10n.t('Run this from the title of a repository in Source Control.'));
}

function repositoryIn(argument: unknown): Repository | undefined {
  const { rootUri, inputBox } = (argument ?? {}) as Partial<Repository>;
  return rootUri?.scheme === 'file' && typeof inputBox === 'object' && typeof inputBox.value === 'string'
    ? (argument as Repository)
    : undefined;
}
