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
import { NotSent } from '../../thread/sessionLink';
import type { RunningAgent } from '../agents/agentService';
import type { ApiKeys } from './apiKeys';
import type { SignInCommand } from './signInCommand';
import type { SignInRounds } from './signInRounds';

/** A command that runs where the user can see it and type. */
export interface SignInTerminal {
  /** Undefined if the terminal was closed before the command had ended. */
  readonly ended: Promise<PtyExit | undefined>;
  show(): void;
  /** Ends the command, too. */
  close(): void;
}

/** The way of a sign-in: by a call to the running process, or outside it, so that it must be restarted. */
export type SignInWay = 'call' | 'terminal';

export interface SignInServices {
  readonly keys: Pick<ApiKeys, 'get' | 'set' | 'delete'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Asks the user for a key. Undefined if they gave none. */
  readonly askForKey: (agent: string, method: string) => Promise<string | undefined>;
  /** Asks in VS Code's own dialog, which the panel can neither change nor answer, whether the command may run. */
  readonly agreeToRun: (command: SignInCommand) => Promise<boolean>;
  readonly run: (command: SignInCommand) => SignInTerminal;
  /** Shared by all sessions: a sign-in for one session applies to every session of that process. */
  readonly done: Emitter<{ readonly routeKey: string; readonly way: SignInWay }>;
}

/**
 * True if a failed call leads to the card: the error asks for a sign-in, and the agent offers a usable method (items
 * 41, 50).
 */
export function leadsToSignIn(agent: RunningAgent, error: unknown): boolean {
  return wantsSignIn(error) && methodsOf(agent).length > 0;
}

export function methodsOf({ features, configuration }: RunningAgent): readonly AuthMethod[] {
  return offeredMethods(features.authMethods, featuresWith(configuration.capabilities));
}

/**
 * The sign-in of one session (items 36 to 51). It begins only when a call failed without one or the user asks, offers
 * the agent's methods, and takes one step for each action of the user. The only automatic step is one attempt with a
 * key that the user gave before.
 */
export abstract class SignIn extends Disposable {
  readonly #rounds: Later<SignInRounds>;
  /** A card is about to be shown, and may be cancelled. */
  #coming: CancellationSource | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #askEmitter = this.register(new Emitter<string>());

  readonly onDidChange = this.#changeEmitter.event;
  /** The card is shown because an agent requires a sign-in. */
  readonly onDidAsk = this.#askEmitter.event;

  /**
   * @param id distinguishes this session's cards from others
   * @param folder of commands, unless the agent is configured to run elsewhere
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

  /** The card; undefined if there is none. */
  get view(): SignInView | undefined {
    return this.#rounds.opened?.view;
  }

  /** The card is shown or about to be. */
  get isOpen(): boolean {
    return this.#coming !== undefined || this.view !== undefined;
  }

  /** The number of cards so far. */
  get asked(): number {
    return this.#rounds.opened?.asked ?? 0;
  }

  /**
   * Makes a call that may need a sign-in, and repeats it after each one.
   * @returns the agent of the successful call, which is another process after a sign-in in a terminal.
   * @throws NotSent if the user closes the card, and errors of `call`.
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

  /** The call that needed the sign-in has succeeded. */
  settled(): void {
    this.#rounds.opened?.settled();
  }

  /**
   * Shows the card and waits until the user has signed in.
   * @param error of the agent; absent if the user asks.
   * @returns the agent to use, as `during` does.
   * @throws NotSent if the user closes the card, ConnectionEnded if the agent ends meanwhile.
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

  /** The user chose a method. A method that was not offered, and a closed card, have no effect (item 40). */
  async choose(requestId: string, methodId: string): Promise<void> {
    await this.#rounds.opened?.choose(requestId, methodId);
  }

  /** A further action of the user on the card. */
  act(requestId: string, act: SignInAct): void {
    this.#rounds.opened?.act(requestId, act);
  }

  /** Closes the card, if there is one. Work that waits for the sign-in is cancelled. */
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
