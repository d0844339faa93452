import * as vscode from 'vscode';
import { acts, type PanelActs } from './panelActs';
import type { ChangeServices } from './viewParts';
import { undoSession } from '../review/allChanges';
import { actOnUnclaimed } from '../review/unclaimedActs';

/** Decisions about changes. */
export function changeActs({ review, panelReview, unclaimed, baselines }: ChangeServices) {
  return {
    'change/open': ({ path }, { id }) => review.open(path, id),
    'change/keep': ({ path }, { id }) => panelReview.kept.after(id, () => review.keep({ sessionId: id, path })),
    'change/undo': async ({ path }, { id }) =>
      path === undefined ? undoSession(review, id) : review.undo({ sessionId: id, path }),
    'change/openTurn': ({ turn }, { id }) => review.openTurn(id, turn),
    'change/keepTurn': ({ turn }, { id }) => panelReview.kept.after(id, () => review.keep({ sessionId: id, turn })),
    'change/undoTurn': ({ turn }, { id }) => review.undo({ sessionId: id, turn }),
    'change/list': () => vscode.commands.executeCommand('parley.changes.focus'),
    'change/resolve': ({ path, choice }, { id }) => review.resolve(id, path, choice),
    'unclaimed/act': async (message, { id }) => actOnUnclaimed({ unclaimed, baselines }, id, message),
    'keep/undo': () => vscode.commands.executeCommand('parley.undoLastKeep'),
    ...acts(['notes/act', 'note/open', 'note/remove'], async (message, { id }) =>
      (await panelReview.open.get()).notes.handle(message, id),
    ),
  } satisfies Partial<PanelActs>;
}
