import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { longList } from '../../protocol/optionView';
import { isPermissiveMode } from '../../thread/permissiveMode';
import type { Session } from '../../thread/session';
import { currentChoice, optionOf, type SessionOption } from '../../thread/sessionOptions';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { OptionMemory } from './optionMemory';
import type { SessionService } from './sessionService';

type SelectOption = SessionOption & { readonly type: 'select' };

export interface OptionTarget {
  readonly sessions: SessionService;
  readonly memory: Pick<OptionMemory, 'choose' | 'favoritesOf' | 'setFavorite'>;
  /** The panel tells of a choice that could not be had; a notification only while nobody can see it there. */
  readonly panels: { readonly isVisible: boolean };
}

/**
 * Lets the user choose the mode or the model of the shown session. Starts the agent, which alone knows what there is.
 */
export async function pickOption(target: OptionTarget, role: 'mode' | 'model'): Promise<void> {
  if (!(await target.sessions.tryAttach())) return;
  const { agent, session } = target.sessions.active;
  const option = optionOf(session.thread.options, role);
  if (option?.type !== 'select' || option.choices.length === 0) {
    void markedWindow.showInformationMessage(
      role === 'mode'
        ? l10n.t('{0} has no modes to choose from.', agent)
        : l10n.t('{0} has no models to choose from.', agent),
    );
    return;
  }
  await pickChoice(
    target,
    session,
    option,
    role === 'mode' ? l10n.t('Parley: Select Mode for {0}', agent) : l10n.t('Parley: Select Model for {0}', agent),
  );
}

/** Goes to the agent's next mode, from the last to the first. */
export async function nextMode(target: OptionTarget): Promise<void> {
  if (!(await target.sessions.tryAttach())) return;
  const { session } = target.sessions.active;
  const mode = optionOf(session.thread.options, 'mode');
  if (mode?.type !== 'select' || mode.choices.length < 2) return;
  const index = mode.choices.findIndex(({ value }) => value === (mode.requested ?? mode.current));
  await setOption(target, session, mode.key, mode.choices[(index + 1) % mode.choices.length]!.value);
}

/** Lists all that can be chosen. What is on or off changes in place; anything else opens its own list. */
export async function pickSessionOptions(target: OptionTarget): Promise<void> {
  if (!(await target.sessions.tryAttach())) return;
  const { agent, session } = target.sessions.active;
  const title = l10n.t('Parley: Options for {0}', agent);
  if (session.thread.options.shown.length === 0) {
    void markedWindow.showInformationMessage(l10n.t('{0} has no options to choose from.', agent));
    return;
  }
  for (;;) {
    const option = await pickFromOptions(target, session, title);
    if (!option || (await pickChoice(target, session, option, `${title}: ${plainText(option.name)}`, true)) !== 'back')
      return;
  }
}

/** Shows a list until the user leaves it; `accept` returns what to leave it with, or undefined to stay. */
function quickPick<I extends vscode.QuickPickItem, R>(
  fill: (picker: vscode.QuickPick<I>) => void,
  accept: (item: I) => R | undefined,
  session?: Session,
  onBack?: () => R,
  onButton?: (item: I) => void,
): Promise<R | undefined> {
  const picker = markedWindow.createQuickPick<I>();
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  if (onBack) picker.buttons = [vscode.QuickInputButtons.Back];
  fill(picker);
  return new Promise<R | undefined>((resolve) => {
    const subscription = session?.onDidChange(() => fill(picker));
    const finish = (result: R | undefined) => {
      resolve(result);
      picker.hide();
    };
    picker.onDidTriggerButton(() => finish(onBack?.()));
    picker.onDidTriggerItemButton(({ item }) => {
      onButton?.(item);
      fill(picker);
    });
    picker.onDidAccept(() => {
      const item = picker.selectedItems[0];
      const result = item && accept(item);
      if (result !== undefined) finish(result);
    });
    picker.onDidHide(() => {
      subscription?.dispose();
      picker.dispose();
      resolve(undefined);
    });
    picker.show();
  });
}

interface OptionItem extends vscode.QuickPickItem {
  readonly option: SessionOption;
}

/** @returns the select whose values the user wants to see. */
function pickFromOptions(target: OptionTarget, session: Session, title: string): Promise<SelectOption | undefined> {
  let drawn: readonly SessionOption[] | undefined;
  const fill = (picker: vscode.QuickPick<OptionItem>) => {
    const { shown } = session.thread.options;
    // Called with every update of a stream.
    if (drawn === shown) return;
    drawn = shown;
    const active = picker.activeItems[0]?.option.key;
    picker.title = title;
    picker.placeholder = l10n.t('Select an option to change');
    picker.keepScrollPosition = true;
    picker.items = shown.map((option) => ({
      label: plainText(option.name),
      description: valueInWords(option),
      detail: plainText(option.description ?? ''),
      option,
    }));
    picker.activeItems = picker.items.filter(({ option }) => option.key === active);
  };
  const accept = ({ option }: OptionItem): SelectOption | undefined => {
    if (option.type === 'select') return option;
    void setOption(target, session, option.key, !(option.requested ?? option.current));
    return undefined;
  };
  return quickPick(fill, accept, session);
}

function valueInWords(option: SessionOption): string {
  if (option.type === 'select') return plainText(currentChoice(option).name);
  return (option.requested ?? option.current) ? `$(check) ${l10n.t('On')}` : l10n.t('Off');
}

interface ChoiceItem extends vscode.QuickPickItem {
  readonly value?: string;
}

/** @returns `back` where the user wants the list before this one. */
async function pickChoice(
  target: OptionTarget,
  session: Session,
  option: SelectOption,
  title: string,
  canGoBack = false,
): Promise<'back' | undefined> {
  const { agent } = target.sessions.active;
  const favorites = () => target.memory.favoritesOf(agent)?.[option.key] ?? [];
  const chosen = await quickPick<ChoiceItem, { readonly value?: string }>(
    (picker) => {
      picker.title = title;
      picker.placeholder = plainText(option.description ?? option.name);
      const active = picker.activeItems[0]?.value ?? option.current;
      picker.keepScrollPosition = true;
      picker.items = choiceItems(option, favorites());
      picker.activeItems = picker.items.filter(({ value }) => value === active).slice(0, 1);
    },
    (item) => item,
    undefined,
    canGoBack ? () => ({}) : undefined,
    ({ value }) =>
      value !== undefined && target.memory.setFavorite(agent, option.key, value, !favorites().includes(value)),
  );
  if (chosen?.value !== undefined) await setOption(target, session, option.key, chosen.value);
  return chosen && chosen.value === undefined ? 'back' : undefined;
}

/** The choices in the agent's order, a separator before each group. */
function choiceItems(option: SelectOption, favorites: readonly string[]): ChoiceItem[] {
  const items = groupedItems(option);
  if (option.choices.length < longList) return items;
  const marked = items.map((item) =>
    item.value === undefined
      ? item
      : { ...item, buttons: [favorites.includes(item.value) ? removeFavorite() : addFavorite()] },
  );
  const first = marked.filter(({ value }) => value !== undefined && favorites.includes(value));
  if (first.length === 0) return marked;
  const all =
    marked[0]?.kind === vscode.QuickPickItemKind.Separator
      ? []
      : [{ label: l10n.t('All'), kind: vscode.QuickPickItemKind.Separator }];
  return [{ label: l10n.t('Favorites'), kind: vscode.QuickPickItemKind.Separator }, ...first, ...all, ...marked];
}

const addFavorite = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('star-empty'),
  tooltip: l10n.t('Add to Favorites'),
});
const removeFavorite = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('star-full'),
  tooltip: l10n.t('Remove from Favorites'),
});

function groupedItems(option: SelectOption): ChoiceItem[] {
  return option.choices.flatMap(({ value, name, description, group }, index) => {
    const warning = option.role === 'mode' && isPermissiveMode({ id: value, name }) ? '$(warning) ' : '';
    const item = {
      label: `${warning}${plainText(name)}`,
      description: value === option.current ? l10n.t('current') : '',
      detail: plainText(description ?? '', 500),
      value,
    };
    const begins = group !== option.choices[index - 1]?.group;
    return begins && (group !== undefined || index > 0)
      ? [{ label: plainText(group ?? ''), kind: vscode.QuickPickItemKind.Separator }, item]
      : [item];
  });
}

async function setOption(
  { panels, memory, sessions }: OptionTarget,
  session: Session,
  key: string,
  value: string | boolean,
): Promise<void> {
  try {
    // Another session may be shown by now.
    const live = sessions.open.find((item) => item.session === session);
    if (live) await memory.choose(live.agent, session, key, value);
  } catch (error) {
    const { problem } = session.thread.options;
    if (problem === undefined || !panels.isVisible)
      void markedWindow.showErrorMessage(plainText(problem ?? messageOf(error), 500));
  }
}
