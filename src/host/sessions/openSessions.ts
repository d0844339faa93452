import { Emitter } from '../../base/event';
import { Disposable, DisposableStore } from '../../base/lifecycle';
import type { AgentTerminalEvent } from '../../thread/agentTerminals';
import { LiveSession, type LiveSessionOrigin, type SessionPart } from './liveSession';
import type { SessionDirectory } from './sessionDirectory';
import type { SessionServices } from './sessionServices';

/**
 * Sessions out of sight that stay joined to their agents although nothing happens in them; some agents run a process
 * for each.
 */
const MAX_IDLE = 3;

/** The lifetimes of the open sessions: makes them, closes them, and tells in one place what happens in any of them. */
export class OpenSessions extends Disposable {
  readonly #stores = new Map<string, DisposableStore>();
  readonly #changeEmitter = this.register(new Emitter<{ readonly session: LiveSession; readonly part: SessionPart }>());
  readonly #closeEmitter = this.register(new Emitter<{ readonly id: string }>());
  readonly #terminalEmitter = this.register(new Emitter<{ readonly id: string; readonly event: AgentTerminalEvent }>());
  readonly #detachEmitter = this.register(new Emitter<{ readonly id: string }>());
  readonly #askEmitter = this.register(new Emitter<{ readonly session: LiveSession; readonly title: string }>());
  readonly #promptEmitter = this.register(new Emitter<{ readonly session: LiveSession }>());
  readonly #endEmitter = this.register(new Emitter<{ readonly session: LiveSession; readonly stopReason: string }>());

  readonly onDidChange = this.#changeEmitter.event;
  readonly onDidClose = this.#closeEmitter.event;
  readonly onDidReceiveTerminal = this.#terminalEmitter.event;
  readonly onDidDetach = this.#detachEmitter.event;
  readonly onDidAsk = this.#askEmitter.event;
  readonly onDidSendPrompt = this.#promptEmitter.event;
  readonly onDidEndTurn = this.#endEmitter.event;

  constructor(
    private readonly services: SessionServices,
    private readonly directory: Pick<SessionDirectory, 'live' | 'views'>,
  ) {
    super();
  }

  /** A session that no view shows yet. */
  add(origin: LiveSessionOrigin): LiveSession {
    const item = new LiveSession(origin, this.services);
    const { id } = origin;
    const store = new DisposableStore();
    store.add(item.onDidChange((part) => this.#changeEmitter.fire({ session: item, part })));
    store.add(item.session.onDidReceiveTerminal((event) => this.#terminalEmitter.fire({ id, event })));
    store.add(item.session.onDidAsk(({ title }) => this.#askEmitter.fire({ session: item, title })));
    store.add(item.session.onDidSendPrompt(() => this.#promptEmitter.fire({ session: item })));
    store.add(item.session.onDidEndTurn(({ stopReason }) => this.#endEmitter.fire({ session: item, stopReason })));
    store.add(item.connection.onDidDetach(() => this.#detachEmitter.fire({ id })));
    this.#stores.set(id, store);
    this.directory.live.set(id, item);
    return item;
  }

  /** Ends a session's use of its agent. Resolves when a start that was under way has ended, too. */
  async close(item: LiveSession): Promise<void> {
    const { live } = this.directory;
    live.delete(item.id);
    const closed = item.close();
    this.#stores.get(item.id)?.dispose();
    this.#stores.delete(item.id);
    this.#closeEmitter.fire({ id: item.id });
    await closed;
    item.dispose();
    // An agent that no session uses would only cost memory.
    if (![...live.values()].some((other) => other.agent === item.agent))
      await this.services.agents.processes.stop(item.agent);
  }

  /** Closes those that no view shows and in which nothing happens, but for the last few. */
  closeIdle(): void {
    const { live, views } = this.directory;
    const idle = [...live.values()].filter(
      (item) => !views.showing(item.id) && item.isIdle && !item.unread && item.queue.list.length === 0,
    );
    for (const item of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) void this.close(item);
  }

  override dispose(): void {
    for (const store of this.#stores.values()) store.dispose();
    super.dispose();
  }
}
