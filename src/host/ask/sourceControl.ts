import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CancellationSource, type CancellationToken } from '../../base/cancellation';
import { Disposable } from '../../base/lifecycle';
import { visibleText } from '../../base/visibleText';
import type { Logger } from '../../base/log';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { ConfiguredAgents } from '../agents/configuredAgents';
import { namedTogether } from '../platform/problemList';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { commitMessageIn, commitPrompt } from './commitMessage';
import { type ReadChangesOptions, readChanges, type RepositoryChanges } from './repositoryChanges';
import { readReview, reviewPrompt } from './remarks';
import type { RemarkThreads } from './remarkThreads';
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
  /** What runs, by the top of the repository. */
  readonly #running = new Map<string, CancellationSource>();

  constructor(private readonly options: SourceControlAsksOptions) {
    super();
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
      (await this.options.threads()).show(answer.changes.top, agent.name, remarks);
      tellLeftOut(answer.changes);
      void this.#tellReview(name, remarks.length, rest);
    });
  }

  /** Stops everything that runs. */
  stop(): void {
    for (const source of this.#running.values()) source.cancel();
  }

  override dispose(): void {
    this.stop();
    super.dispose();
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

  /** One at a time for a repository, with a notification whose Cancel stops it. */
  async #run({ rootUri }: Repository, title: string, work: (token: CancellationToken) => Promise<void>): Promise<void> {
    const key = rootUri.toString();
    if (this.#running.has(key))
      return void markedWindow.showInformationMessage(l10n.t('An agent is working on this repository already.'));
    const source = new CancellationSource();
    this.#running.set(key, source);
    this.#tellContext();
    try {
      await markedWindow.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (_, token) => {
          token.onCancellationRequested(() => source.cancel());
          await work(source.token);
        },
      );
    } catch (error) {
      if (source.token.isCancellationRequested) return;
      const words = error instanceof Error ? error.message : String(error);
      if (!(error instanceof NoAnswerGiven)) this.options.log.error(`Source Control: ${words}`);
      void markedWindow.showErrorMessage(plainText(words, 1_000));
    } finally {
      this.#running.delete(key);
      this.#tellContext();
    }
  }

  #tellContext(): void {
    void vscode.commands.executeCommand('setContext', 'parley.asksRepository', this.#running.size > 0);
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

  async #tellReview(name: string, count: number, rest: string): Promise<void> {
    const [show, read] = [l10n.t('Show Remarks'), l10n.t('Show Answer')];
    const words =
      count === 0
        ? rest === ''
          ? l10n.t('{0} has no remarks on the changes.', name)
          : l10n.t('{0} answered without remarks on lines.', name)
        : count === 1
          ? l10n.t('{0} has 1 remark on the changes.', name)
          : l10n.t('{0} has {1} remarks on the changes.', name, count);
    const offers = [...(count > 0 ? [show] : []), ...(rest === '' ? [] : [read])];
    const chosen = await markedWindow.showInformationMessage(words, ...offers);
    if (chosen === show) await (await this.options.threads()).openFirst();
    if (chosen === read) {
      const document = await vscode.workspace.openTextDocument({ content: visibleText(rest), language: 'markdown' });
      await vscode.window.showTextDocument(document, { preview: true });
    }
  }
}

function tellPlace(): void {
  void markedWindow.showInformationMessage(l10n.t('Run this from the title of a repository in Source Control.'));
}

/** The user should know what the agent did not see. */
function tellLeftOut({ leftOut }: RepositoryChanges): void {
  if (leftOut.length === 0) return;
  const names = namedTogether(leftOut.map((name) => plainText(name, 80)));
  const words = l10n.t('The agent did not see {0}: protected, or may contain secrets.', names);
  markedWindow.setStatusBarMessage(words, 10_000);
}

function repositoryIn(argument: unknown): Repository | undefined {
  const { rootUri, inputBox } = (argument ?? {}) as Partial<Repository>;
  return rootUri?.scheme === 'file' && typeof inputBox === 'object' && typeof inputBox.value === 'string'
    ? (argument as Repository)
    : undefined;
}
