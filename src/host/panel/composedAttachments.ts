import * as l10n from '@vscode/l10n';
import type { Later } from '../../base/later';
import { waitAtMost } from '../../base/scheduler';
import { asksFirst } from '../../protocol/attachments';
import type { Said } from '../../protocol/fromWebview';
import type { ToWebview } from '../../protocol/messages';
import type { Attachment } from '../attachments/attachment';
import type { CurrentPlace } from '../attachments/currentFile';
import type { DraftAttachments } from '../attachments/draftAttachments';
import type { Attachments } from '../attachments/messageAttachments';
import { systemClock } from '../platform/clock';
import { shownWait } from '../platform/longWork';
import type { ChatView } from '../sessions/chatViews';
import type { LiveSession } from '../sessions/liveSession';

/** The longest wait of a message for attachments; later ones go with the next message. Milliseconds. */
const ADDING_MS = 15_000;

type AddMessage = Said<'attachment/add' | 'attachment/addUris' | 'image/refused' | 'context/add'>;

export interface ComposedAttachmentsOptions {
  readonly view: ChatView;
  readonly panel: { post(message: ToWebview): unknown };
  readonly attachments: Pick<
    Later<Pick<Attachments, 'ofCurrentFile'> & { handle(message: AddMessage): Promise<unknown> }>,
    'get'
  >;
  readonly draftAttachments: DraftAttachments;
}

/** The attachments of the message that is composed in one view, also those that are still being added. */
export class ComposedAttachments {
  /** Attachments that are being added, for which a message waits. */
  readonly #adding = new Set<Promise<unknown>>();
  /** Ids of the attachments added since the last message. */
  readonly #added = new Set<string>();

  /** @param couldNot shows an error to the user */
  constructor(
    private readonly options: ComposedAttachmentsOptions,
    private readonly couldNot: (error: unknown) => string,
  ) {}

  /**
   * Takes the attachments of a message: those that the panel showed, and those that were still being added.
   * @param ids of the former
   * @param followed the current file, if the panel showed it as part of the message
   */
  async take(
    ids: readonly string[],
    live: LiveSession,
    followed: CurrentPlace | undefined,
  ): Promise<readonly Attachment[]> {
    const { draftAttachments, view } = this.options;
    const shown = draftAttachments.take(ids);
    if (this.#adding.size > 0) await shownWait(l10n.t('Adding attachments'), Promise.allSettled(this.#adding));
    // The panel may not have shown them yet. If the view shows another session now, so does the draft.
    const added = view.session === live ? draftAttachments.take([...this.#added]) : [];
    this.#added.clear();
    const own = [...shown, ...added];
    if (!followed) return own;
    return [...own, ...(await (await this.options.attachments.get()).ofCurrentFile(followed, own))];
  }

  /** Adds what the user chose, pasted or dropped. Problems are shown at the message box. */
  async add(message: AddMessage): Promise<void> {
    const { attachments, draftAttachments, panel } = this.options;
    const before = new Set(draftAttachments.views.map(({ id }) => id));
    const added = attachments
      .get()
      .then((handler) => handler.handle(message))
      .then(
        () => draftAttachments.views.forEach(({ id }) => before.has(id) || this.#added.add(id)),
        // Shown at the message box, which then keeps the message.
        (error: unknown) => panel.post({ type: 'composer/say', text: this.couldNot(error) }),
      );
    // The user may leave the picker open.
    if (message.type === 'context/add' && asksFirst(message.source)) return void (await added);
    const awaited = waitAtMost(systemClock, ADDING_MS, added);
    this.#adding.add(awaited);
    await awaited.finally(() => this.#adding.delete(awaited));
  }
}
