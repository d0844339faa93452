import * as l10n from '@vscode/l10n';
import { ConnectionEnded } from '../../acp/errors';
import { CancellationSource } from '../../base/cancellation';
import type { ConnectionView } from '../../protocol/viewModel';
import { NotSent } from '../../thread/notSent';
import type { AgentService, RunningAgent } from '../agents/agentService';
import { failedToStart } from '../agents/connectionMessages';
import { StartFailure } from '../agents/startFailure';
import { leadsToSignIn, methodsOf, SignIn, type SignInServices } from './signIn';

/** What a session lets its sign-in see and do. */
export interface SignInSession {
  readonly id: string;
  /** The configured name. */
  readonly agent: string;
  /** Absolute. */
  readonly cwd: string;
  readonly runningAgent: () => RunningAgent | undefined;
  /** Joins the session to its agent. Resolves when it is, or when the panel says why not. */
  readonly tryAttach: () => Promise<boolean>;
  readonly show: (connection: ConnectionView) => void;
}

/** The sign-in of a session together with the process that it may have to replace. */
export class SessionSignIn extends SignIn {
  #start: CancellationSource | undefined;

  constructor(
    private readonly session: SignInSession,
    private readonly agents: Pick<AgentService, 'running' | 'start' | 'stop'>,
    private readonly signIns: SignInServices,
  ) {
    super(session.id, session.cwd, signIns);
  }

  /** Its process is being replaced: that it ends is no news. */
  get isRestarting(): boolean {
    return this.#start !== undefined;
  }

  /** The user wants to sign in: the agent is started if need be. Resolves when the card is gone. */
  async ask(): Promise<'signedIn' | 'noWay' | 'otherwise'> {
    const { session, asked } = this;
    if (!session.runningAgent()) await session.tryAttach();
    const agent = session.runningAgent();
    // To join the agent may have asked for it already.
    if (!agent || this.isOpen || this.asked > asked) return 'otherwise';
    if (methodsOf(agent).length === 0) return 'noWay';
    return (await this.#succeeds(agent)) && (await session.tryAttach()) ? 'signedIn' : 'otherwise';
  }

  /**
   * @returns what `prepare` gives for another try after a refusal that a sign-in has helped (item 43); undefined where
   * nothing has.
   */
  async recover<T>(error: unknown, prepare: () => Promise<T>): Promise<T | undefined> {
    const agent = this.session.runningAgent();
    return agent && leadsToSignIn(agent, error) && (await this.#succeeds(agent, error)) ? prepare() : undefined;
  }

  /** Puts the card away, or ends the start of a new process. @returns false when there was neither. */
  stop(): boolean {
    const had = this.isOpen || this.isRestarting;
    this.dismiss();
    this.#start?.cancel();
    return had;
  }

  /** A new process, because the old one does not know of a sign-in beside it. */
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
