import * as l10n from '@vscode/l10n';
import type { SessionModeState } from '@agentclientprotocol/sdk';
import {
  type ConfigChoice,
  type ConfigOption,
  type ModelState,
  nothingOffered,
  type OfferedOptions,
} from '../acp/decodeOptions';

/** The purpose of an option, if known: these have their own pickers in the panel. */
export type OptionRole = 'mode' | 'model' | 'thoughtLevel';

interface ShownBase {
  /** Identifies the option; the agent never sees it. */
  readonly key: string;
  /** The method for setting it: `session/set_config_option`, `session/set_mode` or `session/set_model`. */
  readonly source: 'config' | 'modes' | 'models';
  /** The agent's id of a config option; "" for the other sources. */
  readonly configId: string;
  readonly name: string;
  readonly description?: string;
  readonly role?: OptionRole;
}

/** One option of a session, from any of the agent's lists. */
export type SessionOption =
  | (ShownBase & {
      readonly type: 'select';
      readonly current: string;
      /** Chosen and not yet confirmed. */ readonly requested?: string;
      readonly choices: readonly ConfigChoice[];
    })
  | (ShownBase & { readonly type: 'boolean'; readonly current: boolean; readonly requested?: boolean });

/** A session's options and their values; changed only by the functions below. */
export interface SessionOptions extends OfferedOptions {
  /** Each option once, in the agent's order: `modes` and `models` do not repeat a config option (item 110). */
  readonly shown: readonly SessionOption[];
  /** Chosen by the user and not yet answered, by `SessionOption.key`. */
  readonly requested: Readonly<Record<string, string | boolean>>;
  /** Why the last choice failed, in one sentence. */
  readonly problem?: string;
}

export const noOptions: SessionOptions = { ...nothingOffered, shown: [], requested: {} };

/** A new session, or none: all options are as it offers them. */
export function offer(offered: OfferedOptions): SessionOptions {
  const { modes, models, configOptions } = offered;
  if (!modes && !models && !configOptions) return noOptions;
  return withShown({ ...noOptions, modes, models, configOptions });
}

/** The agent's whole list, from its answer or by itself: options may have come and gone (item 108). */
export function replaceConfigOptions(options: SessionOptions, configOptions: readonly ConfigOption[]): SessionOptions {
  // Modes that the list covers follow it, in case a later list has none.
  const mode = modeOptionOf({ ...options, configOptions });
  const followed = mode?.type === 'select' && options.modes?.availableModes.some(({ id }) => id === mode.currentValue);
  return withShown({
    ...options,
    configOptions,
    modes: followed ? { ...options.modes!, currentModeId: mode.currentValue } : options.modes,
  });
}

/** The agent has changed its mode, by any method; a mode that it never offered is accepted, too (item 107). */
export function changeMode(options: SessionOptions, modeId: string): SessionOptions {
  const { modes, configOptions } = options;
  const option = modeOptionOf(options);
  // If the two lists name modes differently, a mode known only to `modes` does not apply to the option.
  const ofOption =
    option?.type === 'select' &&
    (option.choices.some(({ value }) => value === modeId) || !modes?.availableModes.some(({ id }) => id === modeId));
  if ((modes?.currentModeId ?? modeId) === modeId && (!ofOption || option.currentValue === modeId)) return options;
  return withShown({
    ...options,
    modes: modes && { ...modes, currentModeId: modeId },
    configOptions: ofOption
      ? configOptions?.map((item) =>
          item.id === option.id && item.type === 'select' ? { ...item, currentValue: modeId } : item,
        )
      : configOptions,
  });
}

export function changeModel(options: SessionOptions, modelId: string): SessionOptions {
  return options.models ? withShown({ ...options, models: { ...options.models, currentModelId: modelId } }) : options;
}

/** One config option has a new value; for agents whose answer does not have the list. */
export function changeConfigOption(options: SessionOptions, configId: string, value: string | boolean): SessionOptions {
  const changed = options.configOptions?.map((option) =>
    option.id === configId && typeof option.currentValue === typeof value
      ? ({ ...option, currentValue: value } as ConfigOption)
      : option,
  );
  return changed ? replaceConfigOptions(options, changed) : options;
}

/** The user chose; the agent has not answered yet. */
export function requestChoice(options: SessionOptions, key: string, value: string | boolean): SessionOptions {
  return withShown({ ...withoutProblem(options), requested: { ...options.requested, [key]: value } });
}

/** The agent has answered a choice. A later choice for the same option stays pending. */
export function settleChoice(
  options: SessionOptions,
  key: string,
  value: string | boolean,
  problem: string | undefined,
): SessionOptions {
  const { [key]: waiting, ...others } = options.requested;
  const told = problem === undefined ? options : { ...options, problem };
  return waiting === value ? withShown({ ...told, requested: others }) : told;
}

export function withoutProblem(options: SessionOptions): SessionOptions {
  if (options.problem === undefined) return options;
  const { problem: _problem, ...rest } = options;
  return rest;
}

/** The first option of a role: the panel and the commands call it, for example, "the model". */
export function optionOf(options: SessionOptions, role: OptionRole): SessionOption | undefined {
  return options.shown.find((option) => option.role === role);
}

/** The current choice, or a stand-in for a value that was never offered. An option without a value shows its name. */
export function currentChoice(option: SessionOption & { readonly type: 'select' }): ConfigChoice {
  return choiceOf(option, option.current);
}

export function choiceOf(option: SessionOption & { readonly type: 'select' }, value: string): ConfigChoice {
  return option.choices.find((choice) => choice.value === value) ?? { value, name: value || option.name };
}

function withShown(options: SessionOptions): SessionOptions {
  return { ...options, shown: shownOf(options) };
}

function shownOf(options: SessionOptions): readonly SessionOption[] {
  const { modes, models, configOptions = [], requested } = options;
  const shown: SessionOption[] = [];
  if (modes && modes.availableModes.length > 0 && !modeOptionOf(options)) {
    shown.push({
      key: 'modes',
      source: 'modes',
      configId: '',
      name: l10n.t('Mode'),
      role: 'mode',
      type: 'select',
      current: modes.currentModeId,
      choices: modes.availableModes.map(asChoice),
    });
  }
  for (const option of configOptions) {
    const { id, name, description } = option;
    const role = roleIn(option, configOptions);
    const base = {
      key: `config:${id}`,
      source: 'config' as const,
      configId: id,
      name,
      ...(description === undefined ? {} : { description }),
      ...(role === undefined ? {} : { role }),
    };
    shown.push(
      option.type === 'boolean'
        ? { ...base, type: 'boolean', current: option.currentValue }
        : { ...base, type: 'select', current: option.currentValue, choices: option.choices },
    );
  }
  if (models && models.availableModels.length > 0 && !coveringOption(configOptions, 'model', models.availableModels)) {
    shown.push({
      key: 'models',
      source: 'models',
      configId: '',
      name: l10n.t('Model'),
      role: 'model',
      type: 'select',
      current: models.currentModelId,
      choices: models.availableModels.map(asChoice),
    });
  }
  return shown.map((option) => {
    const value = requested[option.key];
    return typeof value === typeof option.current ? ({ ...option, requested: value } as SessionOption) : option;
  });
}

function modeOptionOf({
  modes,
  configOptions = [],
}: {
  readonly modes: SessionModeState | undefined;
  readonly configOptions: readonly ConfigOption[] | undefined;
}): ConfigOption | undefined {
  return coveringOption(configOptions, 'mode', modes?.availableModes ?? []);
}

/**
 * The config option for the same setting as an older list: it has the same role, or offers every value of that list.
 */
function coveringOption(
  configOptions: readonly ConfigOption[],
  role: OptionRole,
  older: ModelState['availableModels'] | SessionModeState['availableModes'],
): ConfigOption | undefined {
  const offersAll = (option: ConfigOption) =>
    option.type === 'select' &&
    older.length > 0 &&
    older.every(({ id }) => option.choices.some(({ value }) => value === id));
  return configOptions.find((option) => roleOf(option) === role) ?? configOptions.find(offersAll);
}

/**
 * The role of an option. If several share a category, such as a provider and a model, the one with its name has the
 * role, or else the first; the others have none.
 */
function roleIn(option: ConfigOption, all: readonly ConfigOption[]): OptionRole | undefined {
  const role = roleOf(option);
  const same = role === undefined ? [] : all.filter((other) => roleOf(other) === role);
  if (same.length < 2) return role;
  const word = wordOf[role!];
  const best =
    same.find(({ id }) => id === word) ??
    same.find(({ name }) => name.toLowerCase() === word.replace('_', ' ')) ??
    same[0];
  return option === best ? role : undefined;
}

/** Each role by the word for its category. */
const wordOf: Readonly<Record<OptionRole, string>> = { mode: 'mode', model: 'model', thoughtLevel: 'thought_level' };

/** Categories are optional hints; without one, an id that is the word itself has the same meaning. */
function roleOf(option: ConfigOption): OptionRole | undefined {
  if (option.type !== 'select') return undefined;
  switch (option.category ?? option.id) {
    case 'mode':
      return 'mode';
    case 'model':
      return 'model';
    case 'thought_level':
      return 'thoughtLevel';
    default:
      return undefined;
  }
}

function asChoice({
  id,
  name,
  description,
}: {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}): ConfigChoice {
  return { value: id, name, ...(description ? { description } : {}) };
}
