import { type AuthMethod, offeredMethods } from '../../acp/authMethods';
import { featuresWith } from '../../acp/clientFeatures';
import { CancellationSource } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { PtyExit } from '../../node/pty';
import type { SignInAct, SignInView } from '../../protocol/signInView';
import { wantsSignIn } from '../../thread/errorCause';
import { NotSent } from '../../thread/notSent';
import type { RunningAgent } from '../agents/agentService';
import type { ApiKeys } from './apiKeys';
import type { SignInCommand } from './signInCommand';
import type { SignInRounds } from './signInRounds';

/** A command that runs where the user can see it and type. */
export interface SignInTerminal {
  /** Undefined when the terminal was closed before the command had ended. */
  readonly ended: Promise<PtyExit | undefined>;
  show(): void;
  /** Ends the command, too. */
  close(): void;
}

/** How a sign-in was made: by a call to the running process, or beside it, so that it has to be started again. */
export type SignInWay = 'call' | 'terminal';

export interface SignInServices {
  readonly keys: Pick<ApiKeys, 'get' | 'set' | 'delete'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Asks the user for a key. Undefined when they gave none. */
  readonly askForKey: (agent: string, method: string) => Promise<string | undefined>;
  /** Asks in VS Code's own dialog, which the panel can neither change nor answer, whether the command may run. */
  readonly agreeToRun: (command: SignInCommand) => Promise<boolean>;
  readonly run: (command: SignInCommand) => SignInTerminal;
  /** Shared by all sessions: who signs in for one session has signed in for every session of that process. */
  readonly done: Emitter<{ readonly routeKey: string; readonly way: SignInWay }>;
}

/**
 * True where a failed call leads to the card: the error asks for it, and the agent offers a way that we can go (items
 * 41, 50).
 */
export function leadsToSignIn(agent: RunningAgent, error: unknown): boolean {
  return wantsSignIn(error) && methodsOf(agent).length > 0;
}

export function methodsOf({ features, configuration }: RunningAgent): readonly AuthMethod[] {
  return offeredMethods(features.authMethods, featuresWith(configuration.capabilities));
}

/**
 * Signing in for one session (items 36 to 51): begins only when a call failed for want of it or the user asks, offers
 * what the agent offers, and goes one step for each thing that the user does. Nothing is tried by itself but a key
 * that the user gave before, once.
 */
export abstract class SignIn extends Disposable {
  readonly #rounds: Later<SignInRounds>;
  /** A card is on its way, and may be called off. */
  #coming: CancellationSource | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #askEmitter = this.register(new Emitter<string>());

  readonly onDidChange = this.#changeEmitter.event;
  /** The card has come, because an agent asks. */
  readonly onDidAsk = this.#askEmitter.event;

  /**
   * @param id tells this session's cards from those of others
   * @param folder where commands run unless the agent is configured to run elsewhere
   */
  constructor(id: string, folder: string, services: SignInServices) {
    super();
    this.#rounds = this.register(
      new Later(async () => {
        const { SignInRounds } = await import('./signInRounds');
        return new SignInRounds(id, folder, services, {
          restart: (agent) => this.restart(agent),
          changed: () => this.#changeEmitter.fire(),
          asked: (title) => this.#askEmitter.fire(title),
        });
      }),
    );
  }

  /** The card; undefined while there is none. */
  get view(): SignInView | undefined {
    return this.#rounds.opened?.view;
  }

  /** There is a card, or it is on its way. */
  get isOpen(): boolean {
    return this.#coming !== undefined || this.view !== undefined;
  }

  /** How many cards there have been. */
  get asked(): number {
    return this.#rounds.opened?.asked ?? 0;
  }

  /**
   * Makes a call that may need a sign-in, and makes it again after each one: once for each time that the user signs in.
   * @returns the agent that the call succeeded with, which is another process after a sign-in in a terminal.
   * @throws NotSent when the user puts the card away, and what `call` throws.
   */
  async during(first: RunningAgent, call: (agent: RunningAgent) => Promise<void>): Promise<RunningAgent> {
    for (let agent = first; ;) {
      try {
        await call(agent);
        this.settled();
        return agent;
      } catch (error) {
        if (!leadsToSignIn(agent, error)) throw error;
        agent = await this.request(agent, error);
      }
    }
  }

  /** What needed the sign-in has worked. */
  settled(): void {
    this.#rounds.opened?.settled();
  }

  /**
   * Shows the card and waits until the user has signed in.
   * @param error what the agent said; left out when the user asks.
   * @returns the agent to go on with, as `during` does.
   * @throws NotSent when the user puts the card away, ConnectionEnded when the agent ends meanwhile.
   */
  async request(agent: RunningAgent, error?: unknown): Promise<RunningAgent> {
    const coming = new CancellationSource();
    this.#coming?.cancel();
    this.#coming = coming;
    const rounds = await this.#rounds.get().finally(() => {
      if (this.#coming === coming) this.#coming = undefined;
    });
    if (coming.token.isCancellationRequested) throw new NotSent();
    return rounds.request(agent, error);
  }

  /** The user chose a method. One that was not offered, and a card that is not there any more, do nothing (item 40). */
  async choose(requestId: string, methodId: string): Promise<void> {
    await this.#rounds.opened?.choose(requestId, methodId);
  }

  /** What else the user did on the card. */
  act(requestId: string, act: SignInAct): void {
    this.#rounds.opened?.act(requestId, act);
  }

  /** Closes the card, if there is one. What waits for the sign-in is given up. */
  dismiss(): void {
    this.#coming?.cancel();
    this.#rounds.opened?.dismiss();
  }

  /** Ends an agent's process, if it still runs, and starts a new one. */
  protected abstract restart(agent: RunningAgent): Promise<RunningAgent>;

  override dispose(): void {
    this.dismiss();
    super.dispose();
  }
}
