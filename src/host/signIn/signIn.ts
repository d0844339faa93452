import * as l10n from '@vscode/l10n';
import { type AuthMethod, offeredMethods } from '../../acp/authMethods';
import { featuresWith } from '../../acp/clientFeatures';
import { AcpError, ConnectionEnded } from '../../acp/errors';
import { CancellationSource, rejectsWhenCancelled } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { PtyExit } from '../../node/pty';
import type { SignInAct, SignInMethodView, SignInView } from '../../protocol/signInView';
import { reasonOf, wantsSignIn } from '../../thread/errorCause';
import { NotSent } from '../../thread/notSent';
import { reduceSignIn, type SignInAction, startSignIn } from '../../view/signInState';
import type { RunningAgent } from '../agents/agentService';
import type { ApiKeys } from './apiKeys';
import { type SignInCommand, signInCommand } from './signInCommand';

/** A command that runs where the user can see it and type. */
export interface SignInTerminal {
  /** Undefined when the terminal was closed before the command had ended. */
  readonly ended: Promise<PtyExit | undefined>;
  show(): void;
  /** Ends the command, too. */
  close(): void;
}

/** How a sign-in was made: by a call to the running process, or beside it, so that it has to be started again. */
type Way = 'call' | 'terminal';

export interface SignInServices {
  readonly keys: Pick<ApiKeys, 'get' | 'set' | 'delete'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Asks the user for a key. Undefined when they gave none. */
  readonly askForKey: (agent: string, method: string) => Promise<string | undefined>;
  readonly run: (command: SignInCommand) => SignInTerminal;
  /** Shared by all sessions: who signs in for one session has signed in for every session of that process. */
  readonly done: Emitter<{ readonly routeKey: string; readonly way: Way }>;
}

interface Round {
  readonly agent: RunningAgent;
  readonly methods: readonly AuthMethod[];
  readonly result: Deferred<Way>;
  /** Methods whose stored key did not work: the next time the user is asked. */
  readonly refused: Set<string>;
  view: SignInView;
  asking: boolean;
  attempt?: CancellationSource;
  command?: SignInCommand;
  terminal?: SignInTerminal;
}

/** True where a failed call leads to the card: the error asks for it, and the agent offers a way that we can go (items 41, 50). */
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
  #round: Round | undefined;
  #count = 0;
  /** What worked, until a call shows that it did: an agent that asks again is not satisfied by it. */
  #unproven: string | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #askEmitter = this.register(new Emitter<string>());

  readonly onDidChange = this.#changeEmitter.event;
  /** The card has come, because an agent asks. */
  readonly onDidAsk = this.#askEmitter.event;

  /**
   * @param id tells this session's cards from those of others
   * @param folder where commands run unless the agent is configured to run elsewhere
   */
  constructor(
    private readonly id: string,
    private readonly folder: string,
    private readonly services: SignInServices,
  ) {
    super();
    this.register(services.done.event(({ routeKey, way }) => this.#round?.agent.routeKey === routeKey && this.#round.result.resolve(way)));
  }

  /** The card; undefined while there is none. */
  get view(): SignInView | undefined {
    return this.#round?.view;
  }

  /** How many cards there have been. */
  get asked(): number {
    return this.#count;
  }

  /**
   * Makes a call that may need a sign-in, and makes it again after each one: once for each time that the user signs in.
   * @returns the agent that the call succeeded with, which is another process after a sign-in in a terminal.
   * @throws NotSent when the user puts the card away, and what `call` throws.
   */
  async during(first: RunningAgent, call: (agent: RunningAgent) => Promise<void>): Promise<RunningAgent> {
    for (let agent = first; ; ) {
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
    this.#unproven = undefined;
  }

  /**
   * Shows the card and waits until the user has signed in.
   * @param error what the agent said; left out when the user asks.
   * @returns the agent to go on with, as `during` does.
   * @throws NotSent when the user puts the card away, ConnectionEnded when the agent ends meanwhile.
   */
  async request(agent: RunningAgent, error?: unknown): Promise<RunningAgent> {
    this.#round?.result.reject(new NotSent());
    const { name } = agent.configuration;
    const again = error === undefined ? undefined : this.#unproven;
    this.settled();
    const said = error instanceof AcpError ? reasonOf(error) : undefined;
    const reason = said && !/^authentication required[.!]?$/i.test(said) ? said.slice(0, longest) : undefined;
    const methods = methodsOf(agent);
    const round: Round = {
      agent,
      methods,
      result: new Deferred(),
      refused: new Set(),
      asking: false,
      view: startSignIn({
        requestId: `${this.id.slice(0, 8)}-s${++this.#count}`,
        methods: methods.map(methodView),
        reason: again === undefined ? reason : undefined,
        problem: again === undefined ? undefined : withReason(l10n.t('{0} still asks you to sign in.', name), reason),
        needed: error !== undefined,
      }),
    };
    this.#round = round;
    round.result.promise.catch(() => undefined);
    const closing = agent.connection.onDidClose(() => round.result.reject(new ConnectionEnded()));
    this.#changeEmitter.fire();
    try {
      if (error !== undefined) void this.#begin(round, again);
      const way = await round.result.promise;
      this.#end(round);
      return way === 'terminal' ? await this.restart(agent) : agent;
    } finally {
      closing.dispose();
      this.#end(round);
    }
  }

  /** The user chose a method. One that was not offered, and a card that is not there any more, do nothing (item 40). */
  async choose(requestId: string, methodId: string): Promise<void> {
    const round = this.#roundOf(requestId);
    const method = round?.methods.find(({ id }) => id === methodId);
    if (!round || !method || round.view.step.type !== 'choose' || round.asking) return;
    if (method.how.type === 'agent') return this.#try(round, method);
    if (method.how.type === 'apiKey') {
      const key = await this.#keyFor(round, method);
      return key ? this.#try(round, method, key) : undefined;
    }
    const command = signInCommand(method, round.agent.started, this.folder);
    if (!command) return;
    round.command = command;
    this.#apply(round, { type: 'commandShown', methodId, command: command.line, folder: command.cwd, variables: command.variables });
  }

  /** What else the user did on the card. */
  act(requestId: string, act: SignInAct): void {
    const round = this.#roundOf(requestId);
    if (!round) return;
    switch (act) {
      case 'run':
        return this.#run(round);
      case 'done':
        return round.view.step.type === 'terminal' ? this.#succeed(round, round.view.step.methodId, 'terminal') : undefined;
      case 'showTerminal':
        return round.terminal?.show();
      case 'back':
        this.#callOff(round);
        return this.#apply(round, { type: 'wentBack' });
      case 'dismiss':
        return this.dismiss();
    }
  }

  /** Puts the card away, if there is one: what waits for the sign-in is not done. */
  dismiss(): void {
    this.#round?.result.reject(new NotSent());
  }

  /** Ends an agent's process, if it still runs, and starts a new one. */
  protected abstract restart(agent: RunningAgent): Promise<RunningAgent>;

  override dispose(): void {
    this.dismiss();
    super.dispose();
  }

  /** Forgets a key that did not help, or tries one that the user gave earlier; only then the user is called. */
  async #begin(round: Round, again: string | undefined): Promise<void> {
    const { name } = round.agent.configuration;
    try {
      if (again === undefined) await this.#tryStoredKey(round);
      else await this.services.keys.delete(name, again);
    } catch (error) {
      this.services.log.warn(`${name}: stored keys cannot be read: ${String(error)}`);
    }
    if (this.#round === round && !round.result.isSettled) this.#askEmitter.fire(l10n.t('Sign in to {0}', name));
  }

  async #tryStoredKey(round: Round): Promise<void> {
    for (const method of round.methods) {
      const key = method.how.type === 'apiKey' ? await this.services.keys.get(round.agent.configuration.name, method.id) : undefined;
      if (key && this.#round === round) return this.#try(round, method, key);
    }
  }

  async #keyFor(round: Round, method: AuthMethod): Promise<string | undefined> {
    const { name } = round.agent.configuration;
    round.asking = true;
    try {
      const stored = round.refused.has(method.id) ? undefined : await this.services.keys.get(name, method.id);
      return stored ?? (await this.services.askForKey(name, method.name));
    } finally {
      round.asking = false;
    }
  }

  async #try(round: Round, method: AuthMethod, key?: string): Promise<void> {
    if (this.#round !== round || round.view.step.type !== 'choose') return;
    const { connection, configuration } = round.agent;
    const attempt = new CancellationSource();
    round.attempt = attempt;
    this.#apply(round, { type: 'methodTried', methodId: method.id, at: this.services.clock.now() });
    try {
      await Promise.race([connection.authenticate(method.id, attempt.token, key), rejectsWhenCancelled(attempt.token, () => AcpError.cancelled())]);
      if (key !== undefined) await this.#keep(configuration.name, method.id, key);
      this.#succeed(round, method.id, 'call');
    } catch (error) {
      if (attempt.token.isCancellationRequested) return;
      round.refused.add(method.id);
      if (wantsSignIn(error)) await this.services.keys.delete(configuration.name, method.id);
      const said = error instanceof AcpError ? reasonOf(error) : undefined;
      this.#apply(round, { type: 'failed', problem: withReason(l10n.t('“{0}” did not work.', method.name), said?.slice(0, longest)) });
    }
  }

  async #keep(agent: string, methodId: string, key: string): Promise<void> {
    try {
      await this.services.keys.set(agent, methodId, key);
    } catch (error) {
      this.services.log.warn(`${agent}: the key cannot be kept: ${String(error)}`);
    }
  }

  #run(round: Round): void {
    const { command, view } = round;
    if (view.step.type !== 'confirm' || !command) return;
    const { methodId } = view.step;
    const terminal = this.services.run(command);
    round.terminal = terminal;
    this.#apply(round, { type: 'commandRun', at: this.services.clock.now() });
    void terminal.ended.then((exit) => {
      if (round.terminal !== terminal) return;
      if (exit?.exitCode === 0) return this.#succeed(round, methodId, 'terminal');
      const how = exit ? exitWords(exit) : l10n.t('The terminal was closed before the command ended.');
      this.#apply(round, { type: 'failed', problem: `${how} ${l10n.t('You are not signed in.')}` });
    });
  }

  #succeed(round: Round, methodId: string, way: Way): void {
    if (this.#round !== round || !round.result.resolve(way)) return;
    // A command that the user leaves behind goes on: it is theirs.
    delete round.terminal;
    this.#unproven = methodId;
    this.services.done.fire({ routeKey: round.agent.routeKey, way });
  }

  #callOff(round: Round): void {
    const { attempt, terminal } = round;
    delete round.attempt;
    delete round.terminal;
    attempt?.cancel();
    terminal?.close();
  }

  #end(round: Round): void {
    this.#callOff(round);
    if (this.#round !== round) return;
    this.#round = undefined;
    this.#changeEmitter.fire();
  }

  #roundOf(requestId: string): Round | undefined {
    return this.#round?.view.requestId === requestId ? this.#round : undefined;
  }

  #apply(round: Round, action: SignInAction): void {
    const next = reduceSignIn(round.view, action);
    if (this.#round !== round || next === round.view) return;
    round.view = next;
    this.#changeEmitter.fire();
  }
}

/** How the command of a sign-in ended, as a sentence. */
export function exitWords({ signal, exitCode }: PtyExit): string {
  if (signal) return l10n.t('The command was ended by {0}.', signal);
  return exitCode === undefined ? l10n.t('The command ended.') : l10n.t('The command ended with exit code {0}.', exitCode);
}

function withReason(sentence: string, reason: string | undefined): string {
  return reason ? `${sentence} ${reason}` : sentence;
}

/** Characters of an agent's words on the card. */
const longest = 1_000;

function methodView({ id, name, description, how }: AuthMethod): SignInMethodView {
  const kind = how.type === 'ownCommand' || how.type === 'command' ? 'terminal' : how.type;
  return { id, name, ...(description ? { description } : {}), kind };
}
