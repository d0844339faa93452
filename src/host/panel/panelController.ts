import * as l10n from '@vscode/l10n';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { FromWebview } from '../../protocol/fromWebview';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionService } from '../sessions/sessionService';
import { type ChangeParts, changeActs } from './changeActs';
import type { Commands } from './commands';
import type { ConversationChangesOptions } from './conversationChanges';
import { openActs, type TerminalParts } from './openActs';
import type { PanelActs } from './panelActs';
import { promptActs, type PromptParts } from './promptActs';
import { requestActs, type RequestParts } from './requestActs';
import { sessionActs, type SessionParts } from './sessionActs';
import type { ThreadPanel } from './threadPanel';
import { mayAskInImported } from './importedView';

/** A view, with the parts that each table of acts needs. */
export interface PanelControllerOptions
  extends
    PromptParts,
    SessionParts,
    RequestParts,
    TerminalParts,
    ChangeParts,
    Pick<ConversationChangesOptions, 'rewinds'> {
  readonly view: ChatView;
  readonly panel: ThreadPanel;
  readonly sessions: SessionService;
  readonly commands: Commands;
  readonly log: Logger;
}

/** `ThreadPanel` acts on these: they are about the channel itself. */
type ChannelMessage = 'ready' | 'thread/resync' | 'focus/changed' | 'log';

/** Does what the user asks in one view. Each message has been checked for shape; here it is checked for sense. */
export class PanelController extends Disposable {
  readonly #acts: PanelActs<Exclude<FromWebview['type'], ChannelMessage>>;

  constructor(private readonly options: PanelControllerOptions) {
    super();
    this.#acts = {
      ...promptActs(options, () => this.#closePages(), couldNot),
      ...sessionActs(options, () => this.#commands),
      ...requestActs(options),
      ...openActs(options),
      ...changeActs(options),
    };
    this.register(
      options.panel.onDidReceive((message) => {
        this.#handle(message).catch((error: unknown) => {
          options.log.error(
            `${message.type} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          );
          void markedWindow.showErrorMessage(couldNot(error));
        });
      }),
    );
  }

  async #handle(message: FromWebview): Promise<void> {
    const { view, sessionList, gallery } = this.options;
    const live = view.session;
    if (
      live.imported &&
      !mayAskInImported(message, {
        list: sessionList.opened?.view !== undefined,
        gallery: gallery.opened?.view !== undefined,
      })
    )
      return this.#refuse(message);
    const act = (
      this.#acts as Readonly<Record<string, ((message: FromWebview, live: LiveSession) => unknown) | undefined>>
    )[message.type];
    await act?.(message, live);
  }

  /**
   * An imported session is a view without acts. What its view said before of the request that keys answer holds no
   * more.
   */
  #refuse({ type }: FromWebview): void {
    const { answers, view, log } = this.options;
    if (type === 'permission/shown') return answers.handleShown(view, undefined, false);
    log.warn(`${type} was refused: the session is imported and read-only`);
  }

  /**
   * Who sends a message wants to see what comes of it, and not a page over the conversation. A form is open until it is
   * saved or closed.
   */
  #closePages(): void {
    const [list, gallery] = [this.options.sessionList.opened, this.options.gallery.opened];
    if (list?.view) list.close();
    if (gallery?.view && !gallery.view.form) gallery.close();
  }

  /** Commands are about the view that was used last: this one, which the user clicks in. */
  get #commands(): Commands {
    this.options.sessions.views.use(this.options.view);
    return this.options.commands;
  }
}

function couldNot(error: unknown): string {
  return l10n.t('Parley could not do this: {0}', plainText(error instanceof Error ? error.message : String(error)));
}
