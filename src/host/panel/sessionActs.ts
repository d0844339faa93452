import * as vscode from 'vscode';
import type { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import { wantsSignIn } from '../../thread/errorCause';
import type { Gallery } from '../gallery/gallery';
import type { Review } from '../review/review';
import type { ChatView } from '../sessions/chatViews';
import type { OptionMemory } from '../sessions/optionMemory';
import type { SessionList } from '../sessions/sessionList';
import type { SessionService } from '../sessions/sessionService';
import type { Commands } from './commands';
import type { ConversationChangesOptions } from './conversationChanges';
import { acts, type PanelActs } from './panelActs';
import { startDemo } from './startDemo';

/** Sessions, their agents, and the pages that list both. */
export interface SessionParts {
  readonly sessionList: Later<SessionList>;
  readonly gallery: Later<Gallery>;
  readonly optionMemory: Pick<OptionMemory, 'choose' | 'setFavorite'>;
  /** Tries to save again what could not be saved. */
  readonly retrySaving: () => void;
}

interface SessionPlace extends Pick<ConversationChangesOptions, 'rewinds'> {
  readonly view: ChatView;
  readonly sessions: SessionService;
  readonly review: Review;
  readonly log: Logger;
}

/** Which session is shown, with which agent and options, and what its notices offer. @param commands about this view */
export function sessionActs(options: SessionParts & SessionPlace, commands: () => Commands) {
  const { view, sessions, sessionList, gallery, optionMemory, review, rewinds, log } = options;
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
      // Why it could not be had stands in the panel by then.
      optionMemory.choose(agent, session, key, value).catch((error: unknown) => {
        log.debug(`An option was not changed: ${String(error)}`);
        return wantsSignIn(error) ? commands().signIn() : undefined;
      }),
    'option/favorite': ({ key, value, isFavorite }, { agent }) =>
      optionMemory.setFavorite(agent, key, value, isFavorite),
    'optionProblem/dismiss': (_, { session }) => session.dismissOptionProblem(),
    ...acts(['setup/showServers', 'setup/showFolders'], ({ type }) => {
      sessions.views.use(view);
      return vscode.commands.executeCommand(
        type === 'setup/showServers' ? 'parley.showMcpServers' : 'parley.sessionFolders',
      );
    }),
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
    'storage/retry': () => options.retrySaving(),
    'trust/manage': () => vscode.commands.executeCommand('workbench.trust.manage'),
    'demo/start': async (_, live) => startDemo(live, sessions, review),
  } satisfies Partial<PanelActs>;
}
