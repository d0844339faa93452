import * as l10n from '@vscode/l10n';
import type { AuthMethod } from '../../acp/authMethods';
import { AcpError, ConnectionEnded } from '../../acp/errors';
import { CancellationSource, rejectsWhenCancelled } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import type { PtyExit } from '../../node/pty';
import type { SignInAct, SignInMethodView, SignInView } from '../../protocol/signInView';
import { reasonOf, wantsSignIn } from '../../thread/errorCause';
import { newIds } from '../../thread/newIds';
import { NotSent } from '../../thread/sessionLink';
import { reduceSignIn, type SignInAction, startSignIn } from '../../view/signInState';
import type { RunningAgent } from '../agents/agentService';
import { methodsOf, type SignInServices, type SignInTerminal, type SignInWay } from './signIn';
import { type SignInCommand, signInCommand } from './signInCommand';

interface Round {
  readonly agent: RunningAgent;
  readonly methods: readonly AuthMethod[];
  readonly result: Deferred<SignInWay>;
  /** Methods whose stored key failed: the user is asked the next time. */
  readonly refused: Set<string>;
  view: SignInView;
  asking: boolean;
  attempt?: CancellationSource;
  command?: SignInCommand;
  terminal?: SignInTerminal;
}

/** The parts of its session that a card needs. */
export interface SignInWays {
  /** Ends an agent's process, if it still runs, and starts a new one. */
  readonly restart: (agent: RunningAgent) => Promise<RunningAgent>;
  readonly changed: () => void;
  /** The card is shown because an agent requires a sign-in. */
  readonly asked: (title: string) => void;
}

/**
 * The card of one session, shown once for each requested sign-in, with one step for each action of the user. Loaded
 * with the first.
 */
export class SignInRounds extends Disposable {
  #round: Round | undefined;
  #count = 0;
  readonly #newId: (kind: string) => string;
  /** The method that worked, until a call proves it: if the agent asks again, it did not. */
  #unproven: string | undefined;

  /** @param id and `folder` as for `SignIn` */
  constructor(
    id: string,
    private readonly folder: string,
    private readonly services: SignInServices,
    private readonly ways: SignInWays,
  ) {
    super();
    this.#newId = newIds(id, services.clock.now());
    this.register(
      services.done.event(
        ({ routeKey, way }) => this.#round?.agent.routeKey === routeKey && this.#round.result.resolve(way),
      ),
    );
  }

  /** The card; undefined if there is none. */
  get view(): SignInView | undefined {
    return this.#round?.view;
  }

  /** The number of cards so far. */
  get asked(): number {
    return this.#count;
  }

  /** The call that needed the sign-in has succeeded. */
  settled(): void {
    this.#unproven = undefined;
  }

  /**
   * Shows the card and waits until the user has signed in.
   * @param error of the agent; absent if the user asks.
   * @returns the agent to use, which is another process after a sign-in in a terminal.
   * @throws NotSent if the user closes the card, ConnectionEnded if the agent ends meanwhile.
   */
  async request(agent: RunningAgent, error?: unknown): Promise<RunningAgent> {
    this.#round?.result.reject(new NotSent());
    const { name } = agent.configuration;
    const again = error === undefined ? undefined : this.#unproven;
    this.settled();
    const said = error instanceof AcpError ? reasonOf(error) : undefined;
    const reason = said && !/^authentication required[.!]?$/i.test(said) ? said.slice(0, longest) : undefined;
    const methods = methodsOf(agent);
    this.#count++;
    const round: Round = {
      agent,
      methods,
      result: new Deferred(),
      refused: new Set(),
      asking: false,
      view: startSignIn({
        requestId: this.#newId('s'),
        methods: methods.map(methodView),
        reason: again === undefined ? reason : undefined,
        problem: again === undefined ? undefined : withReason(l10n.t('{0} still asks you to sign in.', name), reason),
        needed: error !== undefined,
      }),
    };
    this.#round = round;
    round.result.promise.catch(() => undefined);
    void agent.connection.whenClosed.then(() => round.result.reject(new ConnectionEnded()));
    this.ways.changed();
    try {
      if (error !== undefined) void this.#begin(round, again);
      const way = await round.result.promise;
      this.#end(round);
      return way === 'terminal' ? await this.ways.restart(agent) : agent;
    } finally {
      this.#end(round);
    }
  }

  /** The user chose a method. A method that was not offered, and a closed card, have no effect (item 40). */
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
    this.#apply(round, {
      type: 'commandShown',
      methodId,
      command: command.line,
      folder: command.cwd,
      variables: command.variables,
    });
  }

  /** A further action of the user on the card. */
  act(requestId: string, act: SignInAct): void {
    const round = this.#roundOf(requestId);
    if (!round) return;
    switch (act) {
      case 'run':
        return void this.#run(round);
      case 'done':
        return round.view.step.type === 'terminal'
          ? this.#succeed(round, round.view.step.methodId, 'terminal')
          : undefined;
      case 'showTerminal':
        return round.terminal?.show();
      case 'back':
        this.#callOff(round);
        return this.#apply(round, { type: 'wentBack' });
      case 'dismiss':
        return this.dismiss();
    }
  }

  /** Closes the card, if there is one: work that waits for the sign-in is cancelled. */
  dismiss(): void {
    this.#round?.result.reject(new NotSent());
  }

  override dispose(): void {
    this.dismiss();
    super.dispose();
  }

  /** Forgets a key that failed, or tries one that the user gave earlier, before the user is asked. */
  async #begin(round: Round, again: string | undefined): Promise<void> {
    const { name } = round.agent.configuration;
    try {
      if (again === undefined) await this.#tryStoredKey(round);
      else await this.services.keys.delete(name, again);
    } catch (error) {
      this.services.log.warn(`${name}: stored keys cannot be read: ${String(error)}`);
    }
    if (this.#round === round && !round.result.isSettled) this.ways.asked(l10n.t('Sign in to {0}', name));
  }

  async #tryStoredKey(round: Round): Promise<void> {
    for (const method of round.methods) {
      const key =
        method.how.type === 'apiKey'
          ? await this.services.keys.get(round.agent.configuration.name, method.id)
          : undefined;
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
      await Promise.race([
        connection.authenticate(method.id, attempt.token, key),
        rejectsWhenCancelled(attempt.token, () => AcpError.cancelled()),
      ]);
      if (key !== undefined) await this.#keep(configuration.name, method.id, key);
      this.#succeed(round, method.id, 'call');
    } catch (error) {
      if (attempt.token.isCancellationRequested) return;
      round.refused.add(method.id);
      if (wantsSignIn(error)) await this.services.keys.delete(configuration.name, method.id);
      const said = error instanceof AcpError ? reasonOf(error) : undefined;
      this.#apply(round, {
        type: 'failed',
        problem: withReason(l10n.t('Sign-in with “{0}” failed.', method.name), said?.slice(0, longest)),
      });
    }
  }

  async #keep(agent: string, methodId: string, key: string): Promise<void> {
    try {
      await this.services.keys.set(agent, methodId, key);
    } catch (error) {
      this.services.log.warn(`${agent}: the key cannot be kept: ${String(error)}`);
    }
  }

  async #run(round: Round): Promise<void> {
    const { command, view } = round;
    if (view.step.type !== 'confirm' || !command || round.asking) return;
    const { methodId } = view.step;
    round.asking = true;
    const isAgreed = await this.services.agreeToRun(command).finally(() => (round.asking = false));
    // The card may be closed, or show another step by now.
    if (!isAgreed || this.#round !== round || round.view !== view) return;
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

  #succeed(round: Round, methodId: string, way: SignInWay): void {
    if (this.#round !== round || !round.result.resolve(way)) return;
    // A command that the user leaves continues: it is theirs.
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
    this.ways.changed();
  }

  #roundOf(requestId: string): Round | undefined {
    return this.#round?.view.requestId === requestId ? this.#round : undefined;
  }

  #apply(round: Round, action: SignInAction): void {
    const next = reduceSignIn(round.view, action);
    if (this.#round !== round || next === round.view) return;
    round.view = next;
    this.ways.changed();
  }
}

/** The end of a sign-in command, as a sentence. */
export function exitWords({ signal, exitCode }: PtyExit): string {
  if (signal) return l10n.t('The signal {0} ended the command.', signal);
  return exitCode === undefined
    ? l10n.t('The command ended.')
    : l10n.t('The command ended with exit code {0}.', exitCode);
}

function withReason(sentence: string, reason: string | undefined): string {
  return reason ? `${sentence} ${reason}` : sentence;
}

/** The most characters of an agent's words on the card. */
const longest = 1_000;

function methodView({ id, name, description, how }: AuthMethod): SignInMethodView {
  const kind = how.type === 'ownCommand' || how.type === 'command' ? 'terminal' : how.type;
  return { id, name, ...(description ? { description } : {}), kind };
}
