import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AccountInfo } from '../../acp/decodePlanWindow';
import type { ElicitationScope } from '../../acp/decodeElicitation';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { Update } from '../../acp/decodeUpdate';
import { AcpError } from '../../acp/errors';
import type { ClientHandlers, FileHandlers, TerminalHandlers } from '../../acp/handlers';
import type { CancellationToken } from '../../base/cancellation';
import type { Logger } from '../../base/log';
import { ChildSessions } from '../../thread/childSessions';
import type { Session } from '../../thread/session';
import type { ReplayGate } from './replayGate';

/**
 * Updates kept for a session that is not known yet; agents send commands and modes before they answer `session/new`.
 */
const maxEarly = 1_000;
/** Unknown sessions for which updates are kept, the newest ones; an agent that invents ids must not fill the memory. */
const maxUnknown = 8;

/**
 * Finds the session that a message of an agent names. Ids belong to one process of an agent (`routeKey`), so the key is
 * both; what goes on to files and terminals carries our own id, which is unique.
 */
export class SessionRouter {
  readonly #sessions = new Map<string, Session>();
  /** Sessions of subagents, by agent. */
  readonly #children = new Map<string, ChildSessions>();
  readonly #early = new Map<string, { readonly update: Update; readonly receivedAt: number }[]>();
  /** Sessions that were left: what an agent still says of them is of no use to anyone. */
  readonly #left = new Set<string>();
  /** What an agent said about its account, for later sessions. */
  readonly #accounts = new Map<string, { readonly account: AccountInfo; readonly receivedAt: number }[]>();
  /** Of sessions that were gone on with, whose conversation is on screen. */
  readonly #replays = new Map<string, ReplayGate>();
  /**
   * The newest opening of each session that was gone on with: the answer to an earlier one, which was called off, may
   * come later.
   */
  readonly #openings = new Map<string, object>();

  constructor(
    private readonly files: FileHandlers,
    private readonly terminals: TerminalHandlers,
    private readonly log: Logger,
    /** What becomes of a permission that is asked for; shown to the user as it is where nobody says otherwise. */
    private readonly permit: (
      session: Session,
      params: PermissionParams,
      token: CancellationToken,
    ) => Promise<RequestPermissionResponse> = (session, params, token) => session.requestPermission(params, token),
  ) {}

  /** Makes a session known and applies what came for it before (item 63). */
  register(agent: string, sessionId: string, session: Session): void {
    const key = keyOf(agent, sessionId);
    this.#sessions.set(key, session);
    const early = this.#early.get(key) ?? [];
    this.#early.delete(key);
    this.#left.delete(key);
    for (const { account, receivedAt } of this.#accounts.get(agent) ?? [])
      session.applyUpdate({ type: 'account', account }, receivedAt);
    for (const { update, receivedAt } of early) session.applyUpdate(update, receivedAt);
  }

  /**
   * A session that was left is being gone on with: what comes for it is kept until it is registered.
   * @param replay drops what the agent tells once more of a conversation that is on screen
   * @returns whether no other opening of the session has begun since
   */
  expect(agent: string, sessionId: string, replay?: ReplayGate): () => boolean {
    const key = keyOf(agent, sessionId);
    const opening = {};
    this.#left.delete(key);
    this.#replays.get(key)?.discard();
    this.#replays.delete(key);
    this.#openings.set(key, opening);
    if (replay) this.#replays.set(key, replay);
    return () => this.#openings.get(key) === opening;
  }

  unregister(agent: string, sessionId: string): void {
    const key = keyOf(agent, sessionId);
    this.#sessions.delete(key);
    this.#early.delete(key);
    this.#left.add(key);
    this.#openGate(key);
  }

  /** True while the agent has any session with us. */
  serves(agent: string): boolean {
    const prefix = keyOf(agent, '');
    return [...this.#sessions.keys()].some((key) => key.startsWith(prefix));
  }

  /** The agent has ended: none of its ids means anything any more. */
  forgetAgent(agent: string): void {
    this.#accounts.delete(agent);
    this.#children.delete(agent);
    const prefix = keyOf(agent, '');
    for (const key of [...this.#replays.keys()]) if (key.startsWith(prefix)) this.#openGate(key);
    for (const key of [...this.#sessions.keys()]) if (key.startsWith(prefix)) this.#sessions.delete(key);
    for (const key of [...this.#early.keys()]) if (key.startsWith(prefix)) this.#early.delete(key);
    for (const key of [...this.#openings.keys()]) if (key.startsWith(prefix)) this.#openings.delete(key);
    for (const key of [...this.#left]) if (key.startsWith(prefix)) this.#left.delete(key);
  }

  /**
   * @param home the session in which to show what concerns the agent as a whole, or a session that is just being
   * opened; undefined when there is none.
   */
  handlersFor(agent: string, home: () => Session | undefined = () => undefined): ClientHandlers {
    const local = <T extends { sessionId: string }>(params: T): T => ({
      ...params,
      sessionId: this.#require(agent, params.sessionId).id,
    });
    // What may change files is work, also where no turn runs.
    const work = <T extends { sessionId: string }>(params: T): T => {
      this.#require(agent, params.sessionId).works();
      return local(params);
    };
    return {
      sessionUpdate: (sessionId, update, receivedAt) => this.#update(agent, sessionId, update, receivedAt),
      accountUpdate: (account, receivedAt) => {
        // Of who pays and of the windows the last word counts.
        const kept = (this.#accounts.get(agent) ?? []).filter(
          ({ account: other }) => (other.windows === undefined) !== (account.windows === undefined),
        );
        this.#accounts.set(agent, [...kept, { account, receivedAt }]);
        for (const session of this.#sessionsOf(agent)) session.applyUpdate({ type: 'account', account }, receivedAt);
      },
      requestPermission: async (params: PermissionParams, token: CancellationToken) => {
        const parentToolCallId = this.#childrenOf(agent).callOf(params.sessionId);
        const { toolCall } = params;
        const asked =
          parentToolCallId === undefined || !toolCall
            ? params
            : { ...params, toolCall: { ...toolCall, parentToolCallId } };
        return this.permit(this.#require(agent, params.sessionId), asked, token);
      },
      readTextFile: async (params, token, large) => this.files.readTextFile(local(params), token, large),
      writeTextFile: async (params, token) => this.files.writeTextFile(work(params), token),
      createTerminal: async (params, token) => this.terminals.createTerminal(work(params), token),
      terminalOutput: async (params) => this.terminals.terminalOutput(local(params)),
      waitForTerminalExit: async (params, token) => this.terminals.waitForTerminalExit(local(params), token),
      killTerminal: async (params) => this.terminals.killTerminal(local(params)),
      releaseTerminal: async (params) => this.terminals.releaseTerminal(local(params)),
      createElicitation: async ({ scope, message, ask }, token) => {
        const session = this.#stageFor(agent, scope, home);
        if (!session) return { action: 'cancel' };
        const toolCallId = 'sessionId' in scope ? scope.toolCallId : undefined;
        if (ask.mode === 'form') return session.elicitations.request(message, ask, toolCallId, token);
        const { webPage } = await import('../platform/webPage');
        const page = webPage(ask.elicitationId, ask.url);
        return session.elicitations.request(message, { mode: 'url', page }, toolCallId, token);
      },
      completeElicitation: (elicitationId) => {
        const known = [...this.#sessionsOf(agent), ...(home() ? [home()!] : [])].some((session) =>
          session.elicitations.complete(elicitationId),
        );
        if (!known) this.log.debug(`${agent}: elicitation/complete for an elicitation that does not wait was ignored`);
      },
    };
  }

  /**
   * Where an elicitation is shown. Agents ask before they have told the id of a session, and beside any session (item
   * 167).
   */
  #stageFor(agent: string, scope: ElicitationScope, home: () => Session | undefined): Session | undefined {
    if ('requestId' in scope) return home() ?? this.#sessionsOf(agent).at(-1);
    const opening = home();
    const known = this.#sessions.get(keyOf(agent, this.#childrenOf(agent).rootOf(scope.sessionId)));
    return known ?? (opening?.sessionId === undefined && opening ? opening : this.#require(agent, scope.sessionId));
  }

  #sessionsOf(agent: string): Session[] {
    const prefix = keyOf(agent, '');
    return [...this.#sessions].flatMap(([key, session]) => (key.startsWith(prefix) ? [session] : []));
  }

  #update(agent: string, sessionId: string, update: Update, receivedAt: number): void {
    // A session that the user has is nobody's.
    if (update.type === 'subagent' && this.#sessions.has(keyOf(agent, update.sessionId))) return;
    const children = this.#childrenOf(agent);
    const root = children.rootOf(sessionId);
    for (const item of children.inRoot(sessionId, update))
      if (this.#replays.get(keyOf(agent, root))?.admits(item, receivedAt) !== false)
        this.deliver(agent, root, item, receivedAt);
  }

  #childrenOf(agent: string): ChildSessions {
    const known = this.#children.get(agent) ?? new ChildSessions();
    this.#children.set(agent, known);
    return known;
  }

  #openGate(key: string): void {
    const gate = this.#replays.get(key);
    this.#replays.delete(key);
    gate?.open();
    if (gate && gate.count > 0)
      this.log.debug(
        `${key.replace('\u0000', ' ')}: ${gate.count} updates of a replay of what is on screen already were dropped`,
      );
  }

  /** Takes an update that no gate holds back. */
  deliver(agent: string, sessionId: string, update: Update, receivedAt: number): void {
    const key = keyOf(agent, sessionId);
    const session = this.#sessions.get(key);
    if (session) return session.applyUpdate(update, receivedAt);
    if (this.#left.has(key))
      return this.log.debug(`${agent}: update for the session ${sessionId}, which was left, was dropped`);
    const early = this.#early.get(key) ?? [];
    if (early.length >= maxEarly)
      return this.log.debug(`${agent}: update for the unknown session ${sessionId} was dropped`);
    const [oldest] = this.#early.keys();
    if (early.length === 0 && this.#early.size >= maxUnknown) this.#forgetEarly(oldest!);
    early.push({ update, receivedAt });
    this.#early.set(key, early);
  }

  #forgetEarly(key: string): void {
    this.log.debug(
      `${this.#early.get(key)?.length ?? 0} updates for the unknown session ${key.replace('\u0000', ' ')} were dropped`,
    );
    this.#early.delete(key);
  }

  #require(agent: string, sessionId: string): Session {
    const session = this.#sessions.get(keyOf(agent, this.#childrenOf(agent).rootOf(sessionId)));
    if (!session) throw AcpError.notFound(`Unknown session: ${sessionId}`, { sessionId });
    return session;
  }
}

function keyOf(agent: string, sessionId: string): string {
  return `${agent}\u0000${sessionId}`;
}
