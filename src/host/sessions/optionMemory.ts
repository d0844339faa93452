import type * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import { type Clock, waitAtMost } from '../../base/scheduler';
import { isPermissiveMode } from '../../thread/permissiveMode';
import type { Session } from '../../thread/session';
import type { OptionRole, SessionOption } from '../../thread/sessionOptions';

type Chosen = Readonly<Record<string, string | boolean>>;
/** Values of a select that the user has marked, by `SessionOption.key`. */
export type Favorites = Readonly<Record<string, readonly string[]>>;

/** The models that an agent offered last. */
export interface KnownModels {
  /** `SessionOption.key` of the option. */
  readonly key: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
}

/** Further models of an agent are not remembered. */
const maxModels = 200;

/** A model can change which other options there are, so it is set first. */
const order: readonly (OptionRole | undefined)[] = ['model', 'thoughtLevel', 'mode', undefined];
/** An agent that does not answer must not keep the session from opening. */
const patienceMs = 10_000;

/**
 * What the user chose last for each agent, for its next new session, the choices that they marked as favorites, and the
 * models that there were. All are in the user's profile. A value that lets the agent act without asking is never remembered: a new session
 * asks.
 */
export class OptionMemory {
  readonly #changeEmitter = new Emitter<void>();

  /** The favorites have changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly state: vscode.Memento,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /**
   * Asks the agent for what the user chose, and remembers it once the agent has confirmed it. What Parley or the agent
   * sets by itself is not remembered.
   * @throws AcpError as `Session.setOption`
   */
  async choose(agent: string, session: Session, key: string, value: string | boolean): Promise<void> {
    await session.setOption(key, value);
    const option = session.thread.options.shown.find((item) => item.key === key);
    if (option?.current === value) this.#remember(agent, option);
  }

  /**
   * Asks the agent for what was chosen last. The session opens even where the agent refuses, which the panel then says.
   */
  async apply(agent: string, session: Session, token: CancellationToken): Promise<void> {
    this.#noteModels(agent, session);
    const chosen = this.#chosenFor(agent);
    if (Object.keys(chosen).length === 0) return;
    const attached = session.sessionId;
    // The user may choose another value while the agent takes its time.
    const isStill = (option: SessionOption, value: string | boolean) =>
      option.requested === undefined && this.#chosenFor(agent)[option.key] === value;
    const isMeant = (option: SessionOption, value: string | boolean) =>
      !token.isCancellationRequested &&
      session.sessionId === attached &&
      isStill(option, value) &&
      offers(option, value);
    const applied = setOptions(session, chosen, isMeant, this.log);
    if (!(await waitAtMost(this.clock, patienceMs, applied)))
      this.log.warn(`${agent} did not answer within ${patienceMs / 1000} s when its last options were set`);
  }

  /** Those that the agent offered to its last session. */
  modelsOf(agent: string): KnownModels | undefined {
    return this.state.get<KnownModels>(modelsKey(agent));
  }

  favoritesOf(agent: string): Favorites | undefined {
    const all = this.state.get<Favorites>(favoritesKey(agent));
    return all && Object.keys(all).length > 0 ? all : undefined;
  }

  /** @param isFavorite whether the value is marked from now on */
  setFavorite(agent: string, key: string, value: string, isFavorite: boolean): void {
    const all = this.favoritesOf(agent) ?? {};
    const others = (all[key] ?? []).filter((item) => item !== value);
    void this.state.update(favoritesKey(agent), { ...all, [key]: isFavorite ? [...others, value] : others });
    this.#changeEmitter.fire();
  }

  #noteModels(agent: string, session: Session): void {
    const option = session.thread.options.shown.find(({ role }) => role === 'model');
    if (option?.type !== 'select') return;
    const choices = option.choices.slice(0, maxModels).map(({ value, name }) => ({ value, name }));
    const known = { key: option.key, choices };
    if (JSON.stringify(this.modelsOf(agent)) !== JSON.stringify(known)) void this.state.update(modelsKey(agent), known);
  }

  #remember(agent: string, option: SessionOption): void {
    const { [option.key]: _before, ...others } = this.#chosenFor(agent);
    void this.state.update(
      chosenKey(agent),
      actsUnasked(option) ? others : { ...others, [option.key]: option.current },
    );
  }

  #chosenFor(agent: string): Chosen {
    return this.state.get<Chosen>(chosenKey(agent)) ?? {};
  }
}

/**
 * Sets options of a session, the model first.
 * @param isMeant asked for each option as it is then: the choice before may have changed it.
 */
export async function setOptions(
  session: Session,
  chosen: Chosen,
  isMeant: (option: SessionOption, value: string | boolean) => boolean,
  log: Logger,
): Promise<void> {
  for (const role of order) {
    for (const [key, value] of Object.entries(chosen)) {
      const option = session.thread.options.shown.find((item) => item.key === key);
      if (!option || option.role !== role || !isMeant(option, value)) continue;
      await session
        .setOption(key, value)
        .catch((error: unknown) => log.info(`The choice of ${option.name} was not set again: ${String(error)}`));
    }
  }
}

const chosenKey = (agent: string) => `options:${agent}`;
const modelsKey = (agent: string) => `models:${agent}`;
const favoritesKey = (agent: string) => `favorites:${agent}`;

function actsUnasked(option: SessionOption): boolean {
  if (option.type === 'boolean') return option.current && isPermissiveMode({ id: option.configId, name: option.name });
  const choice = option.choices.find(({ value }) => value === option.current);
  return isPermissiveMode({ id: option.current, name: choice?.name ?? '', description: choice?.description });
}

function offers(option: SessionOption, value: string | boolean): boolean {
  return option.type === 'boolean'
    ? typeof value === 'boolean'
    : option.choices.some(
        (choice) =>
          choice.value === value &&
          !isPermissiveMode({ id: choice.value, name: choice.name, description: choice.description }),
      );
}
