import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { ChatView } from '../sessions/chatViews';
import type { SessionService } from '../sessions/sessionService';
import { openPlan } from './openActs';
import { acts, type PanelActs } from './panelActs';
import type { ChangeServices, RequestServices } from './viewParts';

/** Answers to permission requests, questions and sign-in cards, and the views of their details. */
export function requestActs(
  view: ChatView,
  { panels, permissions, answers }: RequestServices,
  sessions: SessionService,
  baselines: BaselineDocuments,
  log: Logger,
) {
  return {
    'permission/select': ({ requestId, optionId, note }) => answers.select(requestId, optionId, note),
    'permission/showOptions': ({ requestId }) => answers.showOptions(requestId),
    'permission/shown': ({ requestId, read }) => answers.handleShown(view, requestId, read),
    'permission/addRule': async ({ requestId }, live) => (await permissions.get()).addRule(requestId, live),
    'permission/disableRule': async ({ entryId }, live) => (await permissions.get()).disableRules(entryId, live),
    'permission/openDiff': async ({ requestId, path }) =>
      (await import('./openDiffs')).openProposedDiff(requestId, path, answers, baselines, log),
    'plan/open': async ({ requestId }) => openPlan(answers.subjectOf(requestId)?.subject, baselines),
    'question/show': async ({ key }) => {
      if (await sessions.openSession(key)) await panels.reveal('question');
    },
    'subagent/open': ({ entryId }, live) => panels.openSubagent(live, entryId),
    'focus/leave': () => answers.leave(),
    ...acts(
      ['elicitation/submit', 'elicitation/open', 'elicitation/decline', 'elicitation/cancel'],
      async (message, { session }) =>
        (await import('../sessions/elicitationAnswers')).answerElicitation(message, session.elicitations),
    ),
    'signIn/choose': ({ requestId, methodId }, { signIn }) => signIn.choose(requestId, methodId),
    'signIn/act': ({ requestId, act }, { signIn }) => signIn.act(requestId, act),
  } satisfies Partial<PanelActs>;
}

/** Decisions about changes. */
export function changeActs({ review, panelReview, problems, unclaimed, baselines }: ChangeServices) {
  return {
    'change/open': ({ path }, { id }) => review.open(path, id),
    'change/keep': ({ path }, { id }) => panelReview.kept.after(id, () => review.keep({ sessionId: id, path })),
    'change/undo': async ({ path }, { id }) =>
      path === undefined
        ? import('../review/confirmations').then(({ undoSession }) => undoSession(review, id))
        : review.undo({ sessionId: id, path }),
    'change/openTurn': ({ turn }, { id }) => review.openTurn(id, turn),
    'change/keepTurn': ({ turn }, { id }) => panelReview.kept.after(id, () => review.keep({ sessionId: id, turn })),
    'change/undoTurn': ({ turn }, { id }) => review.undo({ sessionId: id, turn }),
    'problems/show': async (_message, { id }) => (await problems.get()).show(id),
    'problems/ask': async (_message, { id }) => (await problems.get()).ask(id),
    'change/list': () => vscode.commands.executeCommand('parley.changes.focus'),
    'change/resolve': ({ path, choice }, { id }) => review.resolve(id, path, choice),
    'unclaimed/act': async (message, { id }) =>
      (await import('../review/unclaimedActs')).actOnUnclaimed({ unclaimed, baselines }, id, message),
    'keep/undo': () => vscode.commands.executeCommand('parley.undoLastKeep'),
    ...acts(['notes/act', 'note/open', 'note/remove'], async (message, { id }) =>
      (await panelReview.open.get()).notes.handle(message, id),
    ),
  } satisfies Partial<PanelActs>;
}
