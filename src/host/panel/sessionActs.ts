import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import { pendingIn } from '../../changes/pending';
import { wantsSignIn } from '../../thread/errorCause';
import type { Review } from '../review/review';
import type { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import type { Commands } from './commands';
import { acts, type PanelActs } from './panelActs';
import type { ChangeServices, SessionServices } from './viewParts';

/** Acts on the choice of a session, its agent, its options, and its notices. @param commands about this view */
export function sessionActs(
  view: ChatView,
  { sessions, sessionList, gallery, options, worktrees, trouble, dismissed }: SessionServices,
  { review, rewinds }: ChangeServices,
  commands: () => Commands,
  log: Logger,
) {
  return {
    'sessions/toggle': async () => (await sessionList.get()).toggle(),
    'sessions/more': () => sessionList.opened?.more(),
    'sessions/undoDelete': () => sessionList.opened?.undoDelete(),
    'sessions/search': ({ text }) => sessionList.opened?.find(text),
    'sessions/show': ({ key }) => sessionList.opened?.show(key),
    'sessions/showHit': ({ id }) => sessionList.opened?.showHit(id),
    'sessions/act': ({ act, keys }) => sessionList.opened?.act(act, keys),
    'session/new': () => commands().newSession(),
    'gallery/open': ({ key }) => commands().showAgents(key),
    'gallery/close': () => gallery.opened?.close(),
    'gallery/act': ({ key, act }) => gallery.opened?.act(key, act),
    'agentForm/open': () => gallery.opened?.forms.add(),
    'agentForm/close': () => gallery.opened?.forms.close(),
    'agentForm/draft': ({ values }) => gallery.opened?.forms.keep(values),
    'agentForm/save': ({ values }) => gallery.opened?.forms.save(values),
    'agentForm/test': ({ values }) => gallery.opened?.forms.test(values),
    'agent/select': () => commands().selectAgent(),
    'option/set': ({ key, value }, { agent, session }) =>
      // The panel already shows the reason.
      options.choose(agent, session, key, value).catch((error: unknown) => {
        log.debug(`An option was not changed: ${String(error)}`);
        return wantsSignIn(error) ? commands().signIn() : undefined;
      }),
    'option/favorite': ({ key, value, isFavorite }, { agent }) => options.setFavorite(agent, key, value, isFavorite),
    'optionProblem/dismiss': (_, { session }) => session.dismissOptionProblem(),
    ...acts(['setup/showServers', 'setup/showFolders'], ({ type }) => {
      sessions.views.use(view);
      return vscode.commands.executeCommand(
        type === 'setup/showServers' ? 'parley.showMcpServers' : 'parley.sessionFolders',
      );
    }),
    ...acts(['place/choose', 'worktree/show'], async ({ type }, live) =>
      (await import('./placeActs')).actOnPlace(type, live, worktrees),
    ),
    'follow/toggle': () => commands().toggleFollow(),
    'prompt/pick': () => commands().goToPrompt(),
    'notice/act': async ({ action }, live) =>
      (await import('./noticeActs')).actOnNotice(action, {
        sessions,
        live,
        commands: commands(),
        rewinds: () => rewinds(live),
      }),
    'agentNotice/dismiss': ({ id }, { session }) => session.dismissNotice(id),
    'usage/dismiss': ({ label, resetsAt }, { agent }) => dismissed.dismiss(agent, label, resetsAt),
    'storage/retry': () => trouble.retry(),
    'trust/manage': () => vscode.commands.executeCommand('workbench.trust.manage'),
    'demo/start': async (_, live) => startDemo(live, sessions, review),
  } satisfies Partial<PanelActs>;
}

/** The demo agent's scene for new users. */
const tour = '/tour';

/** Lets the demo agent play its tour, and opens the file that it has changed, with the marks of the review. */
async function startDemo(
  live: LiveSession,
  sessions: Pick<SessionService, 'submit' | 'views'>,
  review: Pick<Review, 'rows'>,
): Promise<void> {
  await sessions.submit({ text: tour, mentions: [], attachments: [] }, live);
  const changed = pendingIn(review.rows, { sessionId: live.id })[0];
  // A user who has opened another session meanwhile stays there.
  if (changed && sessions.views.showing(live.id))
    await vscode.window.showTextDocument(vscode.Uri.file(changed.path), { preserveFocus: true });
}
