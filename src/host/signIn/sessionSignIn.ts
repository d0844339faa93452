import * as l10n from '@vscode/l10n';
import { ConnectionEnded } from '../../acp/errors';
import { CancellationSource } from '../../base/cancellation';
import type { ConnectionView } from '../../protocol/viewModel';
import { NotSent } from '../../thread/sessionLink';
import type { AgentService, RunningAgent } from '../agents/agentService';
import { failedToStart } from '../agents/connectionMessages';
import { StartFailure } from '../agents/startFailure';
import { leadsToSignIn, methodsOf, SignIn, type SignInServices } from './signIn';

/** The parts of a session that its sign-in uses. */
export interface SignInSession {
  readonly id: string;
  /** The configured name. */
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly runningAgent: () => RunningAgent | undefined;
  /** Attaches the session to its agent. Resolves when that is done, or when the panel shows why it failed. */
  readonly tryAttach: () => Promise<boolean>;
  readonly show: (connection: ConnectionView) => void;
}

/** The sign-in of a session, including the process that it may have to replace. */
export class SessionSignIn extends SignIn {
  #start: CancellationSource | undefined;

  constructor(
    private readonly session: SignInSession,
    private readonly agents: Pick<AgentService, 'running' | 'start' | 'stop'>,
    private readonly signIns: SignInServices,
  ) {
    super(session.id, session.cwd, signIns);
  }

  /** Its process is being replaced, so its end is expected. */
  get isRestarting(): boolean {
    return this.#start !== undefined;
  }

  /** The user requests a sign-in: the agent is started if needed. Resolves when the card is closed. */
  async ask(): Promise<'signedIn' | 'noWay' | 'otherwise'> {
    const { session, asked } = this;
    if (!session.runningAgent()) await session.tryAttach();
    const agent = session.runningAgent();
    // Attaching may already have shown the card.
    if (!agent || this.isOpen || this.asked > asked) return 'otherwise';
    if (methodsOf(agent).length === 0) return 'noWay';
    return (await this.#succeeds(agent)) && (await session.tryAttach()) ? 'signedIn' : 'otherwise';
  }

  /**
   * @returns the result of `prepare` for another attempt after a sign-in has solved a refusal (item 43); undefined if
   * it has not.
   */
  async recover<T>(error: unknown, prepare: () => Promise<T>): Promise<T | undefined> {
    const agent = this.session.runningAgent();
    return agent && leadsToSignIn(agent, error) && (await this.#succeeds(agent, error)) ? prepare() : undefined;
  }

  /** Closes the card, or ends the start of a new process. @returns false if there was neither. */
  stop(): boolean {
    const had = this.isOpen || this.isRestarting;
    this.dismiss();
    this.#start?.cancel();
    return had;
  }

  /** Starts a new process, because the old one does not notice a sign-in outside it. */
  protected override async restart(agent: RunningAgent): Promise<RunningAgent> {
    const { session, agents } = this;
    this.#start = new CancellationSource();
    session.show({
      state: 'starting',
      detail: l10n.t('Restarting {0}', session.agent),
      since: this.signIns.clock.now(),
    });
    try {
      if (agents.running(session.agent) === agent) await agents.stop(session.agent);
      return await agents.start(agent.configuration, session.cwd, this.#start.token);
    } finally {
      this.#start = undefined;
    }
  }

  async #succeeds(agent: RunningAgent, error?: unknown): Promise<boolean> {
    try {
      await this.request(agent, error);
      return true;
    } catch (failure) {
      if (failure instanceof StartFailure && failure.isCancellation) this.session.show({ state: 'idle' });
      else if (!(failure instanceof NotSent || failure instanceof ConnectionEnded))
        this.session.show(failedToStart(this.session.agent, failure));
      return false;
    }
  }
}
