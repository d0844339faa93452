import type { Logger } from '../../base/log';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { ChatView } from '../sessions/chatViews';
import type { SessionService } from '../sessions/sessionService';
import type { ChatPanels } from './chatPanels';
import { acts, type PanelActs } from './panelActs';
import type { PermissionAnswers } from './permissionAnswers';
import type { PermissionCommands } from './permissionCommands';
import { openPlan } from './openWhole';
import { answerElicitation } from '../sessions/elicitationAnswers';

/** What an agent asks, and who answers. */
export interface RequestParts {
  readonly panels: Pick<ChatPanels, 'reveal'>;
  readonly permissions: () => Promise<PermissionCommands>;
  readonly answers: PermissionAnswers;
}

interface RequestPlace {
  readonly view: ChatView;
  readonly sessions: SessionService;
  /** Read-only documents. */
  readonly baselines: BaselineDocuments;
  readonly log: Logger;
}

/** What the user answers to permission requests, questions and sign-in cards, and looks at before. */
export function requestActs({
  view,
  sessions,
  panels,
  permissions,
  answers,
  baselines,
  log,
}: RequestParts & RequestPlace) {
  return {
    'permission/select': ({ requestId, optionId, note }) => answers.select(requestId, optionId, note),
    'permission/showOptions': ({ requestId }) => answers.showOptions(requestId),
    'permission/shown': ({ requestId, read }) => answers.handleShown(view, requestId, read),
    'permission/addRule': async ({ requestId }, live) => (await permissions()).addRule(requestId, live),
    'permission/disableRule': async ({ entryId }, live) => (await permissions()).disableRules(entryId, live),
    'permission/openDiff': async ({ requestId, path }) =>
      (await import('./proposedDiff')).openProposedDiff(requestId, path, answers, baselines, log),
    'plan/open': async ({ requestId }) => openPlan(answers.subjectOf(requestId)?.subject, baselines),
    'question/show': async ({ key }) => {
      if (await sessions.openSession(key)) await panels.reveal('question');
    },
    'focus/leave': () => answers.leave(),
    ...acts(
      ['elicitation/submit', 'elicitation/open', 'elicitation/decline', 'elicitation/cancel'],
      async (message, { session }) => answerElicitation(message, session.elicitations),
    ),
    'signIn/choose': ({ requestId, methodId }, { signIn }) => signIn.choose(requestId, methodId),
    'signIn/act': ({ requestId, act }, { signIn }) => signIn.act(requestId, act),
  } satisfies Partial<PanelActs>;
}
