import * as l10n from '@vscode/l10n';
import { messageOf, stackOf } from '../../base/errorText';
import { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { FromWebview } from '../../protocol/fromWebview';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { LiveSession } from '../sessions/liveSession';
import type { Commands } from './commands';
import type { PanelActs } from './panelActs';
import { promptActs } from './promptActs';
import { sessionActs } from './sessionActs';
import type { PanelServices, ViewParts } from './viewParts';

/** `ThreadPanel` handles these, because they are about the channel itself. */
type ChannelMessage = 'ready' | 'thread/resync' | 'focus/changed' | 'log';

/** Acts that are needed before there is anything to decide on or to open. */
type FirstActs = ReturnType<typeof promptActs> & ReturnType<typeof sessionActs>;

/** Handles the user's actions in one view. Messages have a valid form already; here their content is checked. */
export class PanelController extends Disposable {
  readonly #firstActs: FirstActs;
  readonly #laterActs: Later<PanelActs<Exclude<FromWebview['type'], ChannelMessage | keyof FirstActs>>>;

  constructor(
    private readonly parts: ViewParts,
    private readonly services: PanelServices,
  ) {
    super();
    const { view } = parts;
    const { chat, requests, changes, terminals, files, log } = services;
    this.#firstActs = {
      ...promptActs(parts, chat, changes, files, () => this.#closePages(), couldNot),
      ...sessionActs(view, chat, changes, () => this.#commands, log),
    };
    this.#laterActs = this.register(
      new Later(async () => {
        const [{ changeActs, requestActs }, { openActs }] = await Promise.all([
          import('./decisionActs'),
          import('./openActs'),
        ]);
        return {
          ...requestActs(view, requests, chat.sessions, changes.baselines, log),
          ...openActs(parts, changes, terminals, log),
          ...changeActs(changes),
        };
      }),
    );
    this.register(
      parts.panel.onDidReceive((message) => {
        this.#handle(message).catch((error: unknown) => {
          log.error(`${message.type} failed: ${stackOf(error)}`);
          void markedWindow.showErrorMessage(couldNot(error));
        });
      }),
    );
  }

  async #handle(message: FromWebview): Promise<void> {
    const { sessionList, gallery } = this.services.chat;
    const live = this.parts.view.session;
    if (live.imported) {
      // At once: what the view said before of the request that keys answer holds no more.
      if (message.type === 'permission/shown')
        return this.services.requests.answers.handleShown(this.parts.view, undefined, false);
      const { mayAskInImported } = await import('./limitedViews');
      const pages = { list: sessionList.opened?.view !== undefined, gallery: gallery.opened?.view !== undefined };
      if (!mayAskInImported(message, pages))
        return this.services.log.warn(`${message.type} was refused: the session is imported and read-only`);
    }
    if (this.parts.view.subagent !== undefined && !(await import('./limitedViews')).mayAskInSubagent(message))
      return this.services.log.warn(`${message.type} was refused: the view shows only a subagent`);
    const acts = message.type in this.#firstActs ? this.#firstActs : await this.#laterActs.get();
    const act = (acts as Readonly<Record<string, ((message: FromWebview, live: LiveSession) => unknown) | undefined>>)[
      message.type
    ];
    await act?.(message, live);
  }

  /**
   * A page must not hide the answer to a sent message. A form stays open until it is saved or closed.
   */
  #closePages(): void {
    const { sessionList, gallery: pages } = this.services.chat;
    const [list, gallery] = [sessionList.opened, pages.opened];
    if (list?.view) list.close();
    if (gallery?.view && !gallery.view.form) gallery.close();
  }

  /** Commands act on the view that was used last. A click in this view makes it that one. */
  get #commands(): Commands {
    this.services.chat.sessions.views.use(this.parts.view);
    return this.services.commands;
  }
}

function couldNot(error: unknown): string {
  return l10n.t('Parley could not do this: {0}', plainText(messageOf(error)));
}
