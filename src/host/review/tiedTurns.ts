import * as l10n from '@vscode/l10n';
import { listed } from '../../changes/notes';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';

/** A turn as shown to the user. */
export interface TurnName {
  /** The number of the prompt that began it; undefined if no prompt did. */
  readonly number: number | undefined;
  /** The text of the prompt. */
  readonly title: string | undefined;
}

/** Turns that changed the same lines as the turn that the user decides on. */
export interface TiedTurns {
  readonly wish: 'undo' | 'keep';
  readonly turns: readonly TurnName[];
  readonly labels: readonly string[];
  /** True if the decision also covers other lines. */
  readonly hasRest: boolean;
}

const MAX_NAMED = 5;

/**
 * Asks what to do with lines that several turns changed.
 * @returns true to include the other turns; undefined: do nothing.
 */
export async function askTied({ wish, turns, labels, hasRest }: TiedTurns): Promise<boolean | undefined> {
  const numbers = turns.flatMap(({ number }) => number ?? []).sort((a, b) => a - b);
  const isUndo = wish === 'undo';
  const question =
    numbers.length < turns.length || turns.length > MAX_NAMED ? ofMany(isUndo, turns.length) : ofNamed(isUndo, numbers);
  const prompts = turns
    .slice(0, MAX_NAMED)
    .flatMap(({ number, title }) =>
      title === undefined ? [] : [[number, plainText(title, 80)].filter((word) => word !== undefined).join('. ')],
    );
  const detail = [...prompts, l10n.t('Files: {0}', plainText(namedTogether(labels), 500))].join('\n');
  const others = isUndo ? l10n.t('Undo Those Too') : l10n.t('Keep Those Too');
  const rest = isUndo ? l10n.t('Undo the Rest') : l10n.t('Keep the Rest');
  // The first button is the default, so it is the one that changes less.
  const choice = await markedWindow.showWarningMessage(
    question,
    { modal: true, detail },
    ...(hasRest ? [rest, others] : [others]),
  );
  return choice === undefined ? undefined : choice === others;
}

function ofMany(isUndo: boolean, count: number): string {
  if (count === 1)
    return isUndo
      ? l10n.t('Also undo changes of another turn on the same lines?')
      : l10n.t('Also keep changes of another turn on the same lines?');
  return isUndo
    ? l10n.t('Also undo changes of {0} other turns on the same lines?', count)
    : l10n.t('Also keep changes of {0} other turns on the same lines?', count);
}

function ofNamed(isUndo: boolean, numbers: readonly number[]): string {
  const names = listed(numbers.map(String));
  if (numbers.length === 1)
    return isUndo
      ? l10n.t('Also undo changes of turn {0} on the same lines?', names)
      : l10n.t('Also keep changes of turn {0} on the same lines?', names);
  return isUndo
    ? l10n.t('Also undo changes of turns {0} on the same lines?', names)
    : l10n.t('Also keep changes of turns {0} on the same lines?', names);
}
