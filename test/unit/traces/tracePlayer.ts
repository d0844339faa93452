import { vi } from 'vitest';
import type { AgentFeatures } from '../../../src/acp/capabilities';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { AcpError } from '../../../src/acp/errors';
import { quirksOf } from '../../../src/acp/quirks';
import { neverCancelled } from '../../../src/base/cancellation';
import { Deferred } from '../../../src/base/deferred';
import type { Logger } from '../../../src/base/log';
import { openSession } from '../../../src/host/sessions/openSession';
import { runningAgent } from '../../fakes/runningAgent';
import { SessionRouter } from '../../../src/host/sessions/sessionRouter';
import { checkPattern } from '../../../src/node/patternCheck';
import type { FormValue } from '../../../src/thread/elicitation';
import { answerForm } from '../../../src/thread/formAnswer';
import type { PendingElicitations } from '../../../src/thread/pendingElicitations';
import { nameOf, pendingPermission } from '../../../src/thread/permissionRequests';
import { Session } from '../../../src/thread/session';
import { FakeClock } from '../../fakes/fakeClock';
import { MemoryLink } from '../../fakes/memoryLink';
import { ShownSession } from '../../fakes/shownSession';
import type { Trace, TraceLine } from '../../fakes/traces.mjs';
import type { WireMessage } from '../../fakes/wireLog';
import { excuseOf } from './excuse';

/** The folder in which the traces were recorded. */
export const cwd = '/home/user/project';

/** A request of the agent while it is played. */
interface AgentRequest {
  readonly method: string;
  /** For files and terminals: settled with what the recorded client answered. */
  readonly served?: Deferred<WireMessage> | undefined;
  /** For a terminal's output: where it is shown. */
  readonly terminal?: { readonly shown: ShownSession; readonly terminalId: string } | undefined;
  /** For questions: where the answer has to be given. */
  readonly question?: { readonly session: Session; readonly requestId: string } | undefined;
}

/**
 * Plays a trace against our whole core in memory: reader, connection, router, session, publisher and the webview's
 * replica. What the recorded client did is done by ours, each at its place; where the user chose, the same is chosen.
 */
export class TracePlayer {
  readonly clock = new FakeClock();
  /** All threads, in the order in which they were opened. */
  readonly played: ShownSession[] = [];
  /**
   * How many updates of each kind came to what: `agent_message_chunk`, `agent_message_chunk (empty)`, `usage_update
   * (logged)`.
   */
  readonly tally = new Map<string, number>();
  /** Updates without any effect that nothing excuses. */
  readonly lost: unknown[] = [];
  /** Requests of the agent that were answered otherwise than by the recorded client. */
  readonly otherAnswers: string[] = [];
  /** What the recorded client did and ours did not. */
  readonly notDone: string[] = [];
  /** Writes where the link writes. */
  private readonly log: Logger;
  private readonly router: SessionRouter;
  /** The thread that shows each of the agent's sessions now. */
  private readonly sessions = new Map<string, ShownSession>();
  private features: AgentFeatures | undefined;
  /** Requests of the recorded client: its id → ours. */
  private readonly ours = new Map<unknown, unknown>();
  /** Ids of our `session/load` requests → sessions. */
  private readonly loads = new Map<unknown, string>();
  private requests = new Map<unknown, AgentRequest>();
  /** Links to processes of the agent, the running one last. */
  private readonly links: MemoryLink[] = [];
  private served: Deferred<WireMessage>[] = [];
  private readonly oddAnswers: unknown[] = [];
  /** Updates that no gate held back. */
  private delivered = 0;
  private time = 0;

  constructor() {
    // When bytes were read is told by the clock of the system.
    vi.useFakeTimers({ toFake: ['Date'], now: this.clock.now() });
    const serve = async () => {
      const answer = new Deferred<WireMessage>();
      this.served.push(answer);
      const { result, error } = await answer.promise;
      if (error) throw new AcpError(error.code, error.message, error.data);
      return result;
    };
    const write = (level: string) => (message: string) => void this.link.logged.push(`${level}: ${message}`);
    this.log = {
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
    this.router = new SessionRouter(
      { readTextFile: serve, writeTextFile: serve },
      {
        createTerminal: serve,
        terminalOutput: serve,
        waitForTerminalExit: serve,
        killTerminal: serve,
        releaseTerminal: serve,
      },
      this.log,
    );
    const deliver = this.router.deliver.bind(this.router);
    this.router.deliver = (...update) => {
      this.delivered++;
      deliver(...update);
    };
    this.links.push(new MemoryLink(this.router.handlersFor('recorded')));
  }

  get link(): MemoryLink {
    return this.links.at(-1)!;
  }

  /** What was written to the log, by whomever. */
  get logged(): string[] {
    return this.links.flatMap(({ logged }) => logged);
  }

  async play(trace: Trace): Promise<void> {
    for (const line of trace.lines) {
      // Lines were written in the order in which they came, though their times were not always taken in that order.
      this.pass(Math.max(0, line.t - this.time));
      this.time = Math.max(this.time, line.t);
      if (line.dir === 'note' && line.msg === ('start' as unknown) && this.features) await this.restart();
      else if (line.dir === '<') await this.agentSays(line.msg);
      else if (line.dir === '>') await this.clientSays(line);
    }
    this.pass(100);
  }

  private pass(ms: number): void {
    this.clock.advance(ms);
    vi.setSystemTime(this.clock.now());
  }

  /** The agent's process ends. */
  async end(): Promise<void> {
    this.link.dispose();
    await this.link.connection.whenClosed;
    this.router.forgetAgent('recorded');
    for (const { session } of this.played) session.detach();
    this.pass(100);
  }

  /** The window was reloaded: another process of the agent, and the same threads. */
  private async restart(): Promise<void> {
    await this.end();
    // What goes on with a session loads this first.
    await import('../../../src/host/sessions/replayGate');
    this.checkAnswers();
    this.ours.clear();
    this.time = 0;
    this.links.push(new MemoryLink(this.router.handlersFor('recorded')));
  }

  dispose(): void {
    vi.useRealTimers();
    this.link.dispose();
    for (const played of this.played) played.dispose();
  }

  /** Requests of the agent that were not answered once. */
  unanswered(): unknown[] {
    this.checkAnswers();
    return this.oddAnswers;
  }

  private checkAnswers(): void {
    for (const id of this.requests.keys()) {
      const count = this.link.sent.filter((message) => message['method'] === undefined && message['id'] === id).length;
      if (count !== 1) this.oddAnswers.push({ id, count });
    }
    this.requests = new Map();
  }

  private async agentSays(message: WireMessage): Promise<void> {
    if (message['method'] === undefined) {
      const id = this.ours.get(message['id']);
      if (id !== undefined) this.link.receive({ ...message, id });
      await this.link.settle();
      if (message['error']) this.backToFormer(id);
    } else if (message['method'] === 'session/update') await this.update(message);
    else if (message['id'] === undefined) {
      this.link.receive(message);
      await this.link.settle();
    } else await this.request(message, message['method']);
  }

  private async update(message: WireMessage): Promise<void> {
    const { sessionId, update } = message['params'];
    const played = this.sessions.get(sessionId);
    const before = played?.session.thread;
    const effects = played?.effects ?? 0;
    const logged = this.logged.length;
    const delivered = this.delivered;
    this.link.receive(message);
    await this.link.settle();
    const isHeld = this.delivered === delivered;
    const { value } = decodeUpdate(update);
    // Text waits a moment for more, unless somebody looks.
    const hasEffect = played !== undefined && (played.session.thread !== before || played.effects > effects);
    const outcome = hasEffect
      ? ''
      : this.logged.length > logged
        ? ' (logged)'
        : isHeld
          ? ' (held back)'
          : played
            ? value && before && excuseOf(value, before)
            : ' (before its session)';
    if (outcome === undefined) this.lost.push(update);
    const kind = `${update.sessionUpdate}${outcome === undefined ? ' (lost)' : outcome === '' || outcome.startsWith(' ') ? outcome : ` (${outcome})`}`;
    this.tally.set(kind, (this.tally.get(kind) ?? 0) + 1);
  }

  private async request(message: WireMessage, method: string): Promise<void> {
    const shown = this.sessions.get(message['params']?.sessionId);
    const session = shown?.session;
    const waiting = session?.thread.waiting.map(({ requestId }) => requestId) ?? [];
    this.served = [];
    this.link.receive(message);
    await this.link.settle();
    const asked = session?.thread.waiting.find(({ requestId }) => !waiting.includes(requestId));
    this.requests.set(message['id'], {
      method,
      served: this.served[0],
      terminal: shown && method === 'terminal/output' ? { shown, terminalId: message['params'].terminalId } : undefined,
      question: session && asked ? { session, requestId: asked.requestId } : undefined,
    });
  }

  private async clientSays({ msg }: TraceLine): Promise<void> {
    const { method, id, params = {} } = msg;
    if (method === undefined) return this.answer(msg);
    if (method === 'session/cancel') {
      this.sessions.get(params.sessionId)?.session.cancel();
      return this.link.settle();
    }
    const before = this.link.sent.length;
    this.call(method, params)?.catch(() => undefined);
    const find = () => this.link.sent.slice(before).find((message) => message['method'] === method);
    // What opens a session loads code first, also where it is there.
    for (let round = 0; round < 50 && (round === 0 || (!find() && /^session\/(?:load|resume)$/.test(method))); round++)
      await this.link.settle();
    const sent = find();
    if (!sent) return void this.notDone.push(method);
    this.ours.set(id, sent['id']);
    if (method === 'session/load') this.loads.set(sent['id'], params['sessionId']);
  }

  /** The recorded client went on with the thread that it had where a load failed; ours would begin a new session. */
  private backToFormer(id: unknown): void {
    const sessionId = this.loads.get(id);
    const former = this.played.find(({ session }) => sessionId !== undefined && session.sessionId === sessionId);
    if (sessionId === undefined || !former) return;
    this.sessions.set(sessionId, former);
    this.router.register('recorded', sessionId, former.session);
  }

  private call(method: string, params: WireMessage): Promise<unknown> | undefined {
    const { connection } = this.link;
    const session = this.sessions.get(params['sessionId'])?.session;
    switch (method) {
      case 'initialize':
        return connection.initialize().then((features) => (this.features = features));
      case 'session/new':
        return this.open(undefined);
      case 'session/load':
      case 'session/resume':
        return this.open(params['sessionId']);
      case 'session/list':
        return connection.listSessions(cwd, params['cursor']);
      case 'session/prompt':
        return session?.prompt(params['prompt']);
      case 'session/set_mode':
        return (
          this.choose(session, 'modes', params['modeId']) ?? connection.setMode(params['sessionId'], params['modeId'])
        );
      case 'session/set_model':
        return (
          this.choose(session, 'models', params['modelId']) ??
          connection.setModel(params['sessionId'], params['modelId'])
        );
      case 'session/set_config_option':
        return this.choose(session, `config:${params['configId']}`, params['value']);
      case 'session/close':
        return connection.closeSession(params['sessionId']);
      default:
        return undefined;
    }
  }

  /** Chooses as the user would. @returns undefined where the option is not shown, because another tells the same. */
  private choose(session: Session | undefined, key: string, value: string | boolean): Promise<void> | undefined {
    return session?.thread.options.shown.some((option) => option.key === key)
      ? session.setOption(key, value)
      : undefined;
  }

  /** Joins a new thread to a session as the extension does; to one that the agent had before where it is named. */
  private async open(remoteId: string | undefined): Promise<void> {
    const { clock, router, features } = this;
    const { connection } = this.link;
    const shown =
      this.detached(remoteId) ??
      new ShownSession(new Session(`ours-${this.played.length}`, clock, this.log), clock, cwd);
    const { session } = shown;
    if (!this.played.includes(shown)) this.played.push(shown);
    if (remoteId !== undefined) this.sessions.set(remoteId, shown);
    const quirks = quirksOf(features!);
    const agent = runningAgent(connection, { name: 'recorded', features: features!, quirks, routeKey: 'recorded' });
    const earlier = remoteId === undefined ? undefined : { agent: 'recorded', remoteId };
    const { sessionId } = await openSession(
      {
        agent,
        session,
        params: { cwd, mcpServers: [] },
        earlier,
        router,
        clock,
        log: this.log,
      },
      neverCancelled,
    );
    this.sessions.set(sessionId, shown);
  }

  /** The thread of a session whose agent has ended. */
  private detached(remoteId: string | undefined): ShownSession | undefined {
    const shown = remoteId === undefined ? undefined : this.sessions.get(remoteId);
    return shown?.session.sessionId === undefined ? shown : undefined;
  }

  /** Answers a request of the agent as the recorded client did. */
  private async answer(recorded: WireMessage): Promise<void> {
    const request = this.requests.get(recorded['id']);
    if (!request) throw new Error(`the trace answers ${JSON.stringify(recorded['id'])}, which the agent never asked`);
    const { served, terminal, question } = request;
    served?.resolve(recorded);
    if (terminal) terminal.shown.showOutput(terminal.terminalId, recorded['result']);
    const { outcome, action, content } = recorded['result'] ?? {};
    const asked = question && pendingPermission(question.session.thread, question.requestId);
    if (asked && outcome?.outcome === 'selected') question.session.selectPermission(nameOf(asked), outcome.optionId);
    if (question && action) decide(question.session.elicitations, question.requestId, action, content);
    await this.link.settle();
    const given = this.link.sent.find((message) => message['method'] === undefined && message['id'] === recorded['id']);
    const gist = ({ result, error }: WireMessage = {}) => (error ? `error ${error.code}` : JSON.stringify(result));
    if (gist(given) !== gist(recorded))
      this.otherAnswers.push(`${request.method}: ${gist(given)} instead of ${gist(recorded)}`);
  }
}

/** Does with an elicitation what the recorded person did. */
function decide(
  elicitations: PendingElicitations,
  requestId: string,
  action: 'accept' | 'decline' | 'cancel',
  content: Record<string, FormValue | number> = {},
): void {
  const values = Object.entries(content).map(
    ([key, value]) => [key, typeof value === 'number' ? String(value) : value] as const,
  );
  if (action === 'decline') elicitations.decline(requestId);
  else if (action === 'cancel') elicitations.cancel(requestId);
  else if (elicitations.pageOf(requestId)) elicitations.opened(requestId);
  else elicitations.submit(requestId, (form) => answerForm(form, new Map(values), checkPattern));
}
