import * as vscode from 'vscode';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { UnclaimedChanges } from '../changes/unclaimedChanges';
import type { Review } from '../review/review';
import type { PanelReview } from '../review/panelReview';
import { acts, type PanelActs } from './panelActs';
import { undoSession } from '../review/allChanges';
import { actOnUnclaimed } from '../review/unclaimedActs';

/** What agents have changed, and what is said to them about it. */
export interface ChangeParts {
  readonly review: Review;
  readonly pending: PanelReview;
  readonly unclaimed: UnclaimedChanges;
  /** Read-only documents. */
  readonly baselines: BaselineDocuments;
}

/** What the user decides about changes. */
export function changeActs({ review, pending, unclaimed, baselines }: ChangeParts) {
  return {
    'change/open': ({ path }, { id }) => review.open(path, id),
    'change/keep': ({ path }, { id }) => pending.kept.after(id, () => review.keep({ sessionId: id, path })),
    'change/undo': async ({ path }, { id }) =>
      path === undefined ? undoSession(review, id) : review.undo({ sessionId: id, path }),
    'change/openTurn': ({ turn }, { id }) => review.openTurn(id, turn),
    'change/keepTurn': ({ turn }, { id }) => pending.kept.after(id, () => review.keep({ sessionId: id, turn })),
    'change/undoTurn': ({ turn }, { id }) => review.undo({ sessionId: id, turn }),
    'change/list': () => vscode.commands.executeCommand('parley.changes.focus'),
    'change/resolve': ({ path, choice }, { id }) => review.resolve(id, path, choice),
    'unclaimed/act': async (message, { id }) => actOnUnclaimed({ unclaimed, baselines }, id, message),
    'keep/hold': ({ held }) => pending.open.opened?.autoKeep?.countdown.hold('person', held),
    'keep/stop': () => pending.open.opened?.autoKeep?.countdown.stop(),
    'keep/undo': () => vscode.commands.executeCommand('parley.undoLastKeep'),
    ...acts(['notes/act', 'note/open', 'note/remove'], async (message, { id }) =>
      (await pending.open.get()).notes.handle(message, id),
    ),
  } satisfies Partial<PanelActs>;
}
