import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/lifecycle';
import { markedWindow } from '../../platform/markedWindow';
import { plainText } from '../../platform/plainText';
import type { AgentConfiguration } from '../agentSettings';
import type { AgentCheck, CheckRequest } from './agentCheck';
import { type CheckAct, checkItems } from './checkItems';
import { checkReport, type CheckSurroundings } from './checkReport';
import type { CheckOffer, CheckView } from './checkSteps';

export interface CheckPickerOptions {
  readonly check: Pick<AgentCheck, 'run'>;
  readonly agents: () => readonly AgentConfiguration[];
  /** The agent of the shown session. */
  readonly current: () => string;
  /** The problem of a name's entry in the setting, if there is one. */
  readonly problemOf: (name: string) => string | undefined;
  /** Runs the actions that leave the list. */
  readonly act: (act: Exclude<CheckOffer, 'install' | 'sendPrompt'> | 'showLog', agent: string) => Promise<void>;
  readonly surroundings: CheckSurroundings;
}

type Row = vscode.QuickPickItem & { readonly act?: CheckAct };

/** Checks one agent in a list that shows each step as it comes. */
export class CheckPicker extends Disposable {
  #running: vscode.CancellationTokenSource | undefined;

  constructor(private readonly options: CheckPickerOptions) {
    super();
  }

  /** Checks an agent; without a name, one that the user chooses if there are several. */
  async open(name?: string): Promise<void> {
    const chosen = name ?? (await this.#choose());
    if (chosen === undefined) return;
    const configuration = this.options.agents().find((agent) => agent.name === chosen);
    if (configuration) return this.#show(configuration);
    const problem = this.options.problemOf(chosen);
    const edit = l10n.t('Edit Settings');
    const words = problem
      ? `${problem} ${l10n.t('Correct it in the parley.agents setting.')}`
      : l10n.t(
          'There is no agent named {0}. Select another agent, or add this one to the parley.agents setting.',
          chosen,
        );
    if ((await markedWindow.showWarningMessage(words, edit)) === edit) await this.options.act('editSettings', chosen);
  }

  override dispose(): void {
    this.#running?.cancel();
    super.dispose();
  }

  async #choose(): Promise<string | undefined> {
    const agents = this.options.agents();
    if (agents.length <= 1) return agents[0]?.name;
    const current = this.options.current();
    const sorted = [...agents.filter(({ name }) => name === current), ...agents.filter(({ name }) => name !== current)];
    const items = sorted.map((agent) => ({
      label: plainText(agent.name),
      description:
        agent.name === current
          ? l10n.t({ message: 'current', comment: ['Beside the agent in use, in a list of agents.'] })
          : '',
      name: agent.name,
    }));
    return (
      await markedWindow.showQuickPick(items, {
        title: l10n.t('Parley: Check Agent'),
        placeHolder: l10n.t('Select an agent to check'),
      })
    )?.name;
  }

  #show(configuration: AgentConfiguration): void {
    const { name } = configuration;
    const picker = markedWindow.createQuickPick<Row>();
    let view: CheckView | undefined;
    let cancel: vscode.CancellationTokenSource | undefined;
    let isOpen = true;
    picker.title = l10n.t('Parley: Check {0}', plainText(name));
    picker.ignoreFocusOut = true;
    picker.keepScrollPosition = true;
    const draw = (next: CheckView) => {
      view = next;
      if (!isOpen) return;
      const selected = picker.activeItems[0]?.act;
      picker.items = checkItems(next).map(({ isSeparator, ...item }) => ({
        ...item,
        alwaysShow: true,
        ...(isSeparator ? { kind: vscode.QuickPickItemKind.Separator } : {}),
      }));
      // The list is new; restore the user's selection, or select the most helpful row.
      const row =
        picker.items.find(({ act }) => act !== undefined && act === selected) ??
        picker.items.find(({ act }) => act !== undefined);
      if (row) picker.activeItems = [row];
      picker.busy = next.isRunning;
      picker.placeholder = summaryOf(next);
    };
    const run = (how: Pick<CheckRequest, 'mayInstall' | 'sendsPrompt'> = {}) => {
      cancel?.cancel();
      const mine = (cancel = this.#running = new vscode.CancellationTokenSource());
      void this.options.check.run(
        { configuration, until: 'session', ...how },
        mine.token,
        (next) => mine === cancel && draw(next),
      );
    };
    picker.onDidAccept(async () => {
      const act = picker.selectedItems[0]?.act;
      switch (act) {
        case undefined:
          return;
        case 'cancel':
          return cancel?.cancel();
        case 'again':
          return run();
        case 'install':
          return run({ mayInstall: true });
        case 'sendPrompt':
          return run({ sendsPrompt: true });
        case 'copy':
          if (view) await vscode.env.clipboard.writeText(checkReport(view, this.options.surroundings));
          picker.placeholder = l10n.t('The report was copied.');
          return;
        case 'useScratchFolder':
          await this.options.act(act, name);
          return run();
        default:
          picker.hide();
          return this.options.act(act, name);
      }
    });
    picker.onDidHide(() => {
      isOpen = false;
      cancel?.cancel();
      picker.dispose();
    });
    picker.show();
    run();
  }
}

/** The result in one line, at the place where screen readers begin. */
function summaryOf({ agent, steps, isRunning, isCancelled }: CheckView): string {
  if (isRunning) return l10n.t('Checking {0}. Press Escape to cancel.', plainText(agent));
  if (isCancelled) return l10n.t('The check was cancelled.');
  return steps.some(({ state }) => state === 'failed')
    ? l10n.t('{0} does not work yet.', plainText(agent))
    : l10n.t('{0} works.', plainText(agent));
}
