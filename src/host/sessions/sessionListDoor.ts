import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { FromWebview } from '../../protocol/fromWebview';
import type { SessionAct, SessionsView } from '../../protocol/sessionsView';
import type { SessionList } from './sessionList';

/** The way into the list of sessions, whose code is loaded when it is first opened. */
export class SessionListDoor extends Disposable {
  #loading: Promise<SessionList> | undefined;
  #list: SessionList | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** What the list shows has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly load: () => Promise<SessionList>) {
    super();
  }

  /** Undefined while it is closed. */
  get view(): SessionsView | undefined {
    return this.#list?.view;
  }

  async toggle(): Promise<void> {
    await (await this.#loaded()).toggle();
  }

  close(): void {
    this.#list?.close();
  }

  /** What the panel asks of the list. */
  async handle(message: Extract<FromWebview, { type: `sessions/${string}` }>): Promise<void> {
    const list = this.#list;
    switch (message.type) {
      case 'sessions/toggle':
        return this.toggle();
      case 'sessions/more':
        return list?.more();
      case 'sessions/undoDelete':
        return list?.undoDelete();
      case 'sessions/search':
        return list?.find(message.text);
      case 'sessions/show':
        return list?.show(message.key);
      case 'sessions/showHit':
        return list?.showHit(message.id);
      case 'sessions/act':
        return void (await list?.act(message.act, message.keys));
    }
  }

  /** Asks for another name for a session. @returns false for one that is in no list, because nothing was sent in it */
  async rename(key: string): Promise<boolean> {
    return (await this.#loaded()).act('rename', [key]);
  }

  /** A command of the context menu. @param context comes from the panel */
  async act(act: SessionAct, context: unknown): Promise<void> {
    const keys = (context as { readonly sessionKeys?: unknown } | undefined)?.sessionKeys;
    if (Array.isArray(keys))
      await this.#list?.act(
        act,
        keys.filter((key): key is string => typeof key === 'string'),
      );
  }

  #loaded(): Promise<SessionList> {
    this.#loading ??= this.load().then((list) => {
      this.#list = this.register(list);
      this.register(list.onDidChange(() => this.#changeEmitter.fire()));
      return list;
    });
    return this.#loading;
  }
}
