import { Emitter } from '../../base/event';
import type { Session } from '../../thread/session';
import type { LiveSession } from './liveSession';

/** A view in which one session is shown: the panel in the side bar, or an editor tab. */
export class ChatView {
  /** The user can see it, if the window is not covered. */
  isVisible = false;
  #current: LiveSession | undefined;

  /**
   * @param tab what VS Code has for it; none for the side bar's
   * @param subagent the call of the only subagent that it shows; such a view is not among `ChatViews`
   */
  constructor(
    readonly tab?: { readonly reveal: () => void; readonly close: () => void },
    readonly subagent?: string,
  ) {}

  /** @throws Error before there is one */
  get session(): LiveSession {
    if (!this.#current) throw new Error('no session is shown yet');
    return this.#current;
  }

  set session(shown: LiveSession) {
    this.#current = shown;
  }

  /** Under what its draft is kept. In a tab a session can be found again before its first prompt. */
  get draftKey(): string {
    return this.tab ? this.session.id : draftKey(this.session.session);
  }

  shows(id: string): boolean {
    return this.#current?.id === id;
  }
}

/** A view shows another session. */
export interface ViewSwitch {
  readonly view: ChatView;
  /** The session that it showed has moved to a tab, with its draft. */
  readonly isMove: boolean;
}

/**
 * The views that are open: the side bar's, which is always there, and one for each tab. A session is in one of them at
 * most.
 */
export class ChatViews {
  readonly sideBar = new ChatView();
  /** The one that was used last at the end. */
  readonly #order = new Set<ChatView>([this.sideBar]);
  readonly #switchEmitter = new Emitter<ViewSwitch>();
  readonly #useEmitter = new Emitter<ChatView>();

  readonly onDidSwitch = this.#switchEmitter.event;
  /** Another view was used. */
  readonly onDidUse = this.#useEmitter.event;

  get all(): readonly ChatView[] {
    return [...this.#order];
  }

  /** The view that was used last: what commands are about. */
  get active(): ChatView {
    return this.all.at(-1)!;
  }

  /** The view in which a session is shown, by our own id. */
  showing(id: string): ChatView | undefined {
    return this.all.find((view) => view.shows(id));
  }

  /** Shows a session in a view, which need not be one of them yet. Also for the session that it shows already. */
  show(view: ChatView, session: LiveSession, isMove = false): void {
    view.session = session;
    if (!this.#order.has(view)) this.#order.add(view);
    this.#switchEmitter.fire({ view, isMove });
  }

  /** The user works in the view. */
  use(view: ChatView): void {
    if (view === this.active || !this.#order.delete(view)) return;
    this.#order.add(view);
    this.#useEmitter.fire(view);
  }

  /** The tab is closed. */
  remove(view: ChatView): void {
    const { active } = this;
    if (!view.tab || !this.#order.delete(view)) return;
    if (view === active) this.#useEmitter.fire(this.active);
  }
}

/**
 * The state key of a session's draft. Before the first prompt, the session could not be found again, so the draft
 * belongs to none.
 */
export function draftKey({ id, thread }: Pick<Session, 'id' | 'thread'>): string {
  return thread.entries.length === 0 ? 'new' : id;
}
