import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { FoundFile, FromWebview } from '../../protocol/messages';
import type { PanelUiState } from '../../protocol/viewModel';
import { wantsSignIn } from '../../thread/errorCause';
import type { Attachments } from '../attachments/messageAttachments';
import type { DraftAttachments } from '../attachments/draftAttachments';
import { markedWindow } from '../platform/markedWindow';
import type { GalleryDoor } from '../gallery/galleryDoor';
import type { ChatPanels } from './chatPanels';
import type { Commands } from './commands';
import { ComposedAttachments } from './composedAttachments';
import type { ConversationChanges, ConversationChangesOptions } from './conversationChanges';
import { type Draft, isEmptyDraft } from '../sessions/draft';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import type { UnclaimedChanges } from '../changes/unclaimedChanges';
import type { PermissionCommands } from './permissionCommands';
import { plainText } from '../platform/plainText';
import type { PermissionAnswers } from './permissionAnswers';
import type { Review } from '../review/review';
import type { ReviewDoor } from '../review/reviewDoor';
import type { OptionMemory } from '../sessions/optionMemory';
import type { ChatView } from '../sessions/chatViews';
import type { SessionListDoor } from '../sessions/sessionListDoor';
import type { SessionService } from '../sessions/sessionService';
import type { ThreadPanel } from './threadPanel';

export interface PanelControllerOptions extends ConversationChangesOptions {
  readonly view: ChatView;
  readonly panel: ThreadPanel;
  readonly panels: Pick<ChatPanels, 'reveal'>;
  readonly sessions: SessionService;
  readonly sessionList: SessionListDoor;
  readonly gallery: GalleryDoor;
  readonly commands: Commands;
  readonly permissions: () => Promise<PermissionCommands>;
  readonly answers: PermissionAnswers;
  readonly review: Review;
  readonly pending: ReviewDoor;
  readonly attachments: () => Promise<Attachments>;
  readonly draftAttachments: DraftAttachments;
  readonly optionMemory: Pick<OptionMemory, 'choose' | 'setFavorite'>;
  readonly findFiles: (text: string) => Promise<readonly FoundFile[]>;
  readonly openTerminal: (sessionId: string, terminalId: string) => boolean;
  /** Ends a command that runs here; false where the agent runs it. */
  readonly stopTerminal: (sessionId: string, terminalId: string) => boolean;
  /** Tries to save again what could not be saved. */
  readonly retrySaving: () => void;
  readonly saveUi: (ui: PanelUiState) => void;
  /** Called with a message before it is sent. */
  readonly forgetSent: (text: string) => void;
  /** Read-only documents. */
  readonly baselines: BaselineDocuments;
  readonly unclaimed: UnclaimedChanges;
  readonly log: Logger;
}

/** Does what the user asks in one view. Each message has been checked for shape; here it is checked for sense. */
export class PanelController extends Disposable {
  #conversation: ConversationChanges | undefined;
  readonly #composed: ComposedAttachments;

  constructor(private readonly options: PanelControllerOptions) {
    super();
    this.#composed = new ComposedAttachments(options, couldNot);
    this.register(
      options.panel.onDidReceive((message) => {
        this.#handle(message).catch((error: unknown) => {
          options.log.error(`${message.type} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
          void markedWindow.showErrorMessage(couldNot(error));
        });
      }),
    );
  }

  async #handle(message: FromWebview): Promise<void> {
    const { view, sessions, sessionList, panel, permissions, review, baselines, log } = this.options;
    const live = view.session;
    const { session, cwd } = live;
    if (live.imported && !(await import('./importedView')).mayAskInImported(message, { list: sessionList.view !== undefined, gallery: this.options.gallery.view !== undefined })) return this.#refuse(message);
    switch (message.type) {
      case 'ui/changed':
        return this.options.saveUi(message.ui);
      case 'prompt/submit': {
        const { text, mentions } = message;
        const draft: Draft = { text, mentions, attachments: await this.#composed.take(message.attachments, live), notes: this.options.pending.opened?.notes.take(text, live.id) };
        if (message.edits !== undefined) return (await this.#changes()).resend(message.edits, draft, live);
        if (isEmptyDraft(draft)) return;
        if (!view.tab) this.#closePages();
        this.options.forgetSent(text);
        return sessions.submit(draft, live);
      }
      case 'attachment/remove':
        return this.options.draftAttachments.remove(message.id);
      case 'attachment/removeSent':
        return this.options.draftAttachments.removeSent();
      case 'attachment/open':
        return (await this.options.attachments()).open(this.options.draftAttachments.get(message.id));
      case 'attachment/add':
      case 'attachment/addUris':
      case 'image/refused':
      case 'context/add':
        return this.#composed.add(message);
      case 'queue/send':
        return live.queue.sendNow(message.id);
      case 'queue/edit': {
        const draft = live.queue.edit(message.id)?.draft;
        if (!draft) return;
        await this.options.pending.putBack(draft.notes, live.id);
        return (await this.#changes()).putBack(draft);
      }
      case 'queue/remove':
        return this.options.pending.putBack(live.queue.remove(message.id)?.draft.notes, live.id);
      case 'queue/resume':
        return live.queue.resume();
      case 'queue/clear':
        for (const { draft } of live.queue.clear()) await this.options.pending.putBack(draft.notes, live.id);
        return;
      case 'queue/move':
        return live.queue.move(message.id, message.to);
      case 'sessions/toggle':
      case 'sessions/more':
      case 'sessions/undoDelete':
      case 'sessions/search':
      case 'sessions/show':
      case 'sessions/showHit':
      case 'sessions/act':
        return sessionList.handle(message);
      case 'gallery/open':
        return this.#commands.showAgents(message.key);
      case 'gallery/close':
        return this.options.gallery.close();
      case 'gallery/act':
        return this.options.gallery.act(message.key, message.act);
      case 'agentForm/open':
      case 'agentForm/close':
      case 'agentForm/draft':
      case 'agentForm/save':
      case 'agentForm/test':
        return this.options.gallery.form(message);
      case 'turn/cancel':
      case 'start/cancel':
        return live.stop();
      case 'permission/select':
        return this.options.answers.select(message.requestId, message.optionId, message.note);
      case 'permission/showOptions':
        return this.options.answers.showOptions(message.requestId);
      case 'permission/shown':
        return this.options.answers.handleShown(view, message.requestId, message.read);
      case 'question/show':
        if (await sessions.openSession(message.key)) await this.options.panels.reveal('question');
        return;
      case 'permission/addRule':
        return (await permissions()).addRule(message.requestId, live);
      case 'permission/disableRule':
        return (await permissions()).disableRules(message.entryId, live);
      case 'focus/leave':
        return this.options.answers.leave();
      case 'elicitation/submit':
      case 'elicitation/open':
      case 'elicitation/decline':
      case 'elicitation/cancel':
        return (await import('../sessions/elicitationAnswers')).answerElicitation(message, session.elicitations);
      case 'signIn/choose':
        return live.signIn.choose(message.requestId, message.methodId);
      case 'signIn/act':
        return live.signIn.act(message.requestId, message.act);
      case 'notice/act':
        return (await import('./noticeActs')).actOnNotice(message.action, { sessions, live, commands: this.#commands, rewinds: () => this.options.rewinds(live) });
      case 'agentNotice/dismiss':
        return session.dismissNotice(message.id);
      case 'storage/retry':
        return this.options.retrySaving();
      case 'agent/select':
        return this.#commands.selectAgent();
      case 'option/set':
        // Why it could not be had stands in the panel by then.
        return this.options.optionMemory.choose(live.agent, session, message.key, message.value).catch((error: unknown) => {
          log.debug(`An option was not changed: ${String(error)}`);
          return wantsSignIn(error) ? this.#commands.signIn() : undefined;
        });
      case 'option/favorite':
        return this.options.optionMemory.setFavorite(live.agent, message.key, message.value, message.isFavorite);
      case 'optionProblem/dismiss':
        return session.dismissOptionProblem();
      case 'session/new':
        return this.#commands.newSession();
      case 'setup/showServers':
      case 'setup/showFolders':
        sessions.views.use(view);
        return vscode.commands.executeCommand(message.type === 'setup/showServers' ? 'parley.showMcpServers' : 'parley.sessionFolders');
      case 'follow/toggle':
        return this.#commands.toggleFollow();
      case 'trust/manage':
        return vscode.commands.executeCommand('workbench.trust.manage');
      case 'demo/start':
        return (await import('./startDemo')).startDemo(live, sessions, review);
      case 'link/open':
        return (await import('../platform/links')).openLink(message.href, cwd, log);
      case 'location/open':
        if (await (await this.options.attachments()).openStored(message.path)) return;
        return (await import('../platform/links')).openLocation(message.path, message.line, cwd, log, message.column);
      case 'symbol/open':
        return (await import('./openSymbol')).openSymbol(message.names, (text) => panel.post({ type: 'composer/say', text }));
      case 'paths/query':
      case 'snippet/query': {
        const { answerQuestion } = await import('./panelQuestions');
        await panel.post(await answerQuestion(message, live, log));
        return;
      }
      case 'list/open':
        return (await import('./openWhole')).openList(session.thread, message, baselines);
      case 'plan/open':
        return (await import('./openWhole')).openPlan(this.options.answers.subjectOf(message.requestId)?.subject, baselines);
      case 'permission/openDiff':
        return (await import('./proposedDiff')).openProposedDiff(message.requestId, message.path, this.options.answers, baselines, log);
      case 'diff/open':
        return (await import('./toolDiffs')).openDiff(this.options, message);
      case 'diff/review':
        return (await import('./toolDiffs')).reviewDiff(this.options, message);
      case 'terminal/open':
        if (!this.options.openTerminal(session.id, message.terminalId)) void markedWindow.showInformationMessage(l10n.t('This command has ended. Its terminal is no longer available.'));
        return;
      case 'terminal/cancel':
        return this.options.stopTerminal(session.id, message.terminalId) ? undefined : session.cancelTerminal(message.terminalId);
      case 'toolCall/cancel':
        return session.cancelToolCall(message.entryId);
      case 'code/copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'code/insert':
        return (await import('./codeActions')).insertCode(message.text);
      case 'code/newFile':
        return (await import('./codeActions')).openAsNewFile(message.text, message.language);
      case 'code/save':
        return (await import('./saveCode')).saveCode(message.text, message.info);
      case 'change/open':
        return review.open(message.path, session.id);
      case 'change/keep':
        return this.options.pending.kept.after(session.id, () => review.keep({ sessionId: session.id, path: message.path }));
      case 'change/undo':
        return message.path === undefined ? (await import('../review/allChanges')).undoSession(review, session.id) : review.undo({ sessionId: session.id, path: message.path });
      case 'change/openTurn':
        return review.openTurn(session.id, message.turn);
      case 'change/keepTurn':
        return this.options.pending.kept.after(session.id, () => review.keep({ sessionId: session.id, turn: message.turn }));
      case 'change/undoTurn':
        return review.undo({ sessionId: session.id, turn: message.turn });
      case 'change/list':
        await vscode.commands.executeCommand('parley.changes.focus');
        return;
      case 'unclaimed/act':
        return (await import('../review/unclaimedActs')).actOnUnclaimed(this.options, session.id, message);
      case 'keep/hold':
        return this.options.pending.opened?.autoKeep?.countdown.hold('person', message.held);
      case 'keep/undo':
        await vscode.commands.executeCommand('parley.undoLastKeep');
        return;
      case 'keep/stop':
        return this.options.pending.opened?.autoKeep?.countdown.stop();
      case 'change/resolve':
        return review.resolve(session.id, message.path, message.choice);
      case 'prompt/pick':
        return this.#commands.goToPrompt();
      case 'prompt/edit':
      case 'prompt/cancelEdit':
      case 'answer/copy':
      case 'answer/retry':
      case 'checkpoint/restore':
      case 'checkpoint/redo':
        return (await this.#changes()).handle(message);
      case 'notes/act':
      case 'note/open':
      case 'note/remove':
        return (await this.options.pending.open()).notes.handle(message, live.id);
      case 'files/query': {
        const files = await this.options.findFiles(message.text);
        await panel.post({ type: 'files/found', queryId: message.queryId, files });
        return;
      }
      default:
        return;
    }
  }

  /** An imported session is a view without acts. What its view said before of the request that keys answer holds no more. */
  #refuse({ type }: FromWebview): void {
    const { answers, view, log } = this.options;
    if (type === 'permission/shown') return answers.handleShown(view, undefined, false);
    log.warn(`${type} was refused: the session is imported and read-only`);
  }

  /** Who sends a message wants to see what comes of it, and not a page over the conversation. A form is open until it is saved or closed. */
  #closePages(): void {
    const { sessionList, gallery } = this.options;
    if (sessionList.view) sessionList.close();
    if (gallery.view && !gallery.view.form) gallery.close();
  }

  /** Commands are about the view that was used last: this one, which the user clicks in. */
  get #commands(): Commands {
    this.options.sessions.views.use(this.options.view);
    return this.options.commands;
  }

  async #changes(): Promise<ConversationChanges> {
    const lazy = await import('./conversationChanges');
    return (this.#conversation ??= new lazy.ConversationChanges(this.options));
  }
}

function couldNot(error: unknown): string {
  return l10n.t('Parley could not do this: {0}', plainText(error instanceof Error ? error.message : String(error)));
}
