import type { Logger } from '../../base/log';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { ChatView } from '../sessions/chatViews';
import type { SessionService } from '../sessions/sessionService';
import { acts, type PanelActs } from './panelActs';
import type { RequestServices } from './viewParts';
import { openPlan } from './openActs';

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
      (await import('./proposedDiff')).openProposedDiff(requestId, path, answers, baselines, log),
    'plan/open': async ({ requestId }) => openPlan(answers.subjectOf(requestId)?.subject, baselines),
    'question/show': async ({ key }) => {
      if (await sessions.openSession(key)) await panels.reveal('question');
    },
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
