import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';
import type { RemarkThreads } from './remarkThreads';

/** A review that has ended. */
export interface ReviewOutcome {
  /** Its name, as plain text. */
  readonly agent: string;
  /** The number of remarks on lines. */
  readonly count: number;
  /** What it said without a place. */
  readonly rest: string;
  /** One more offer, if there are remarks. */
  readonly offer?: { readonly label: string; readonly run: () => Promise<void> };
}

/** Says what an agent's review found, and offers to read it. */
export async function tellReview(
  { agent, count, rest, offer }: ReviewOutcome,
  threads: Pick<RemarkThreads, 'openFirst'>,
): Promise<void> {
  const [show, read] = [l10n.t('Show Remarks'), l10n.t('Show Answer')];
  const words =
    count === 0
      ? rest === ''
        ? l10n.t('{0} has no remarks on the changes.', agent)
        : l10n.t('{0} answered without remarks on lines.', agent)
      : count === 1
        ? l10n.t('{0} has 1 remark on the changes.', agent)
        : l10n.t('{0} has {1} remarks on the changes.', agent, count);
  const offers = [
    ...(count > 0 ? [show] : []),
    ...(count > 0 && offer ? [offer.label] : []),
    ...(rest === '' ? [] : [read]),
  ];
  const chosen = await markedWindow.showInformationMessage(words, ...offers);
  if (chosen === show) await threads.openFirst();
  else if (chosen === read) {
    const document = await vscode.workspace.openTextDocument({ content: visibleText(rest), language: 'markdown' });
    await vscode.window.showTextDocument(document, { preview: true });
  } else if (chosen !== undefined && chosen === offer?.label) await offer.run();
}

/** The user should know what the agent did not see. */
export function tellLeftOut({ leftOut }: { readonly leftOut: readonly string[] }): void {
  if (leftOut.length === 0) return;
  const names = namedTogether(leftOut.map((name) => plainText(name, 80)));
  const words = l10n.t('The agent did not see {0}: protected, or may contain secrets.', names);
  markedWindow.setStatusBarMessage(words, 10_000);
}
