import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Overlap } from '../../changes/merge';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/** What the user wants where both sides have changed the same lines. */
export type OverlapAnswer = Overlap | 'merge';

type Choice = vscode.QuickPickItem & { readonly answer: OverlapAnswer | 'each' };

/**
 * Asks which lines the user wants where both sides have changed them: once for all files, or for each.
 * @param places how many there are in a file, by label; at least one file
 * @returns the answer for each file; undefined if the user wants nothing to be taken over
 */
export async function askOverlaps(
  places: ReadonlyMap<string, number>,
  agent: string,
): Promise<ReadonlyMap<string, OverlapAnswer> | undefined> {
  const labels = [...places.keys()];
  const count = [...places.values()].reduce((sum, each) => sum + each, 0);
  const each: Choice = {
    answer: 'each',
    label: l10n.t('For Each File…'),
    detail: l10n.t('{0} files, one after the other.', labels.length),
  };
  const all = await ask(titleOf(count), [...choices(agent), ...(labels.length > 1 ? [each] : [])]);
  if (all === undefined) return undefined;
  const answers = new Map<string, OverlapAnswer>();
  for (const label of labels) {
    const answer =
      all === 'each' ? await ask(`${plainText(label)}: ${titleOf(places.get(label)!)}`, choices(agent)) : all;
    if (answer === undefined || answer === 'each') return undefined;
    answers.set(label, answer);
  }
  return answers;
}

function choices(agent: string): readonly Choice[] {
  return [
    { answer: 'mine', label: l10n.t('Yours'), detail: l10n.t('Leaves those changes out.') },
    { answer: 'theirs', label: l10n.t('The Worktree’s'), detail: l10n.t('Undo of the change brings yours back.') },
    { answer: 'both', label: l10n.t('Both'), detail: l10n.t('Yours first. Edit the result, or undo the change.') },
    {
      answer: 'merge',
      label: l10n.t('Ask {0} to Merge', plainText(agent, 60)),
      detail: l10n.t('Yours stay until then. You see the prompt before it goes, and review the result.'),
    },
  ];
}

async function ask(title: string, items: readonly Choice[]): Promise<Choice['answer'] | undefined> {
  const placeHolder = l10n.t('Which lines do you want there?');
  return (await markedWindow.showQuickPick(items, { title, placeHolder }))?.answer;
}

function titleOf(count: number): string {
  return count === 1
    ? l10n.t('One Place Has Changed on Both Sides')
    : l10n.t('{0} Places Have Changed on Both Sides', count);
}
