import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type Event, Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { OneByOne } from '../../base/oneByOne';
import { type AttachmentView, maxAttachments, maxMediaTogether } from '../../protocol/attachments';
import type { Session } from '../../thread/session';
import { attachmentMeta } from './promptBlocks';
import { type Attachment, isMedia, type NewAttachment } from './attachment';
import type { AttachmentStore } from './attachmentStore';

/** State key of the ids of a draft's attachments; see `ChatView.draftKey`. */
export const statePrefix = 'parley.attachments.';

/** State key of a draft's attachments while an earlier prompt is edited. */
function asideKey(key: string): string {
  return `${statePrefix}${key}.aside`;
}

export interface DraftAttachmentsOptions {
  readonly store: AttachmentStore;
  readonly state: vscode.Memento;
  /** The session in the view. */
  readonly session: () => Pick<Session, 'id' | 'thread'>;
  /** The key of its draft. */
  readonly draftKey: () => string;
  /** A view shows another session. */
  readonly onDidSwitch: Event<unknown>;
}

/**
 * The attachments of the message being written. The host owns the list, and the panel only shows it, so it survives
 * hiding and reloading, and can grow while the panel is closed.
 */
export class DraftAttachments extends Disposable {
  #list: readonly Attachment[] = [];
  #viewList: readonly AttachmentView[] = [];
  /** The list's current key; a first prompt changes the draft's key. */
  #key = '';
  readonly #adding = new OneByOne();
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: DraftAttachmentsOptions) {
    super();
    this.#read();
    this.register(options.onDidSwitch(() => this.#read()));
  }

  /** The same list until it changes. */
  get views(): readonly AttachmentView[] {
    return this.#viewList;
  }

  get(id: string): Attachment | undefined {
    return this.#list.find((item) => item.id === id);
  }

  /** @returns why it was not added, for the user. A duplicate is ignored silently. */
  add(made: NewAttachment): Promise<string | undefined> {
    const key = this.#key;
    const { id } = this.options.session();
    // What is added at once counts, too.
    return this.#adding.run('', () => this.#addTo(key, id, made));
  }

  /** @param key of the draft, and the session, for which the user added it. They may have gone to another one since. */
  async #addTo(key: string, sessionId: string, made: NewAttachment): Promise<string | undefined> {
    const { state, store, session } = this.options;
    // A first prompt only changes the draft's key.
    const isShown = () => key === this.#key || sessionId === session().id;
    const idsThere = () => state.get<string[]>(statePrefix + key, []);
    const list = isShown() ? this.#list : store.load(idsThere());
    if (made.linkable && list.some((item) => item.uri === made.uri && item.kind === made.kind)) return undefined;
    if (list.length >= maxAttachments) return l10n.t('A message can have at most {0} attachments.', maxAttachments);
    const length = (size = 0) => Math.ceil(size / 3) * 4;
    const together = list.filter(isMedia).reduce((sum, item) => sum + length(item.size), 0);
    const size = typeof made.content === 'object' ? made.content.byteLength : made.size;
    if (isMedia(made) && together + length(size) > maxMediaTogether)
      return l10n.t(
        'A message can have at most {0} MB of images, audio and PDF files. Send these first.',
        maxMediaTogether / 1024 / 1024,
      );
    const attachment = await store.save({ ...made, label: unused(made, list) });
    if (isShown()) this.#set([...this.#list, attachment]);
    else await state.update(statePrefix + key, [...idsThere(), attachment.id]);
    return undefined;
  }

  async remove(id: string): Promise<void> {
    if (!this.get(id)) return;
    this.#set(this.#list.filter((item) => item.id !== id));
    if (!this.#isSent(id)) await this.options.store.delete(id);
  }

  /**
   * Removes attachments that a prompt of the conversation also has: that prompt was in the box, and is back in the
   * conversation.
   */
  removeSent(): void {
    this.#set(this.#list.filter(({ id }) => !this.#isSent(id)));
  }

  /** Takes the attachments to send. Ids that are not in the draft are ignored. */
  take(ids: readonly string[]): readonly Attachment[] {
    const taken = this.#list.filter((item) => ids.includes(item.id));
    if (taken.length > 0) this.#set(this.#list.filter((item) => !taken.includes(item)));
    return taken;
  }

  /** Returns attachments that could not be sent. */
  putBack(taken: readonly Attachment[]): void {
    if (taken.length > 0)
      this.#set([...taken, ...this.#list.filter((item) => !taken.some((other) => other.id === item.id))]);
  }

  /** Puts the attachments aside, for `bringBack`, and shows others instead. */
  setAside(shown: readonly Attachment[]): void {
    const { state, draftKey } = this.options;
    const key = asideKey(draftKey());
    if (state.get<string[]>(key) === undefined)
      void state.update(
        key,
        this.#list.map(({ id }) => id),
      );
    this.#set(shown);
  }

  /** Shows the attachments again that were put aside. */
  bringBack(): void {
    const { state, store, draftKey } = this.options;
    const key = asideKey(draftKey());
    const ids = state.get<string[]>(key);
    if (ids === undefined) return;
    void state.update(key, undefined);
    this.#set(store.load(ids));
  }

  /** A session will not be shown again: its unsent attachments are removed. */
  async forget(sessionId: string): Promise<void> {
    const { state } = this.options;
    const ids = [statePrefix + sessionId, asideKey(sessionId)].flatMap((key) => state.get<string[]>(key, []));
    if (ids.length === 0 || this.#key === sessionId) return;
    for (const key of [statePrefix + sessionId, asideKey(sessionId)]) await state.update(key, undefined);
    for (const id of ids) await this.options.store.delete(id);
  }

  /** Ids of all drafts. */
  kept(): ReadonlySet<string> {
    const { state } = this.options;
    return new Set(state.keys().flatMap((key) => (key.startsWith(statePrefix) ? state.get<string[]>(key, []) : [])));
  }

  /** An earlier prompt in the box shares its attachments with the conversation. */
  #isSent(id: string): boolean {
    const { entries } = this.options.session().thread;
    return [...entries].some(
      (entry) =>
        entry.kind === 'userMessage' &&
        [...entry.parts].some((part) => '_meta' in part && part._meta?.[attachmentMeta] === id),
    );
  }

  #read(): void {
    this.#key = this.options.draftKey();
    this.#show(this.options.store.load(this.options.state.get<string[]>(statePrefix + this.#key, [])));
  }

  #set(list: readonly Attachment[]): void {
    const { state } = this.options;
    const key = this.options.draftKey();
    if (key !== this.#key) void state.update(statePrefix + this.#key, undefined);
    this.#key = key;
    void state.update(statePrefix + key, list.length === 0 ? undefined : list.map(({ id }) => id));
    this.#show(list);
  }

  #show(list: readonly Attachment[]): void {
    this.#list = list;
    this.#viewList = list.map(({ id, kind, label, detail, linkable, preview }) => ({
      id,
      kind,
      label,
      detail,
      linkable,
      ...(preview ? { preview } : {}),
    }));
    this.#changeEmitter.fire();
  }
}

/** Pasted images have no names; a number distinguishes them. */
function unused({ label, linkable }: NewAttachment, list: readonly Attachment[]): string {
  if (linkable) return label;
  let name = label;
  for (let n = 2; list.some((item) => item.label === name); n++) name = `${label} ${n}`;
  return name;
}
