import type { SessionModeState } from '@agentclientprotocol/sdk';
import { asObject, stringOf, usableOf } from '../base/decode';

/** One value of a select. The schema nests choices in groups; here each carries the name of its group. */
export interface ConfigChoice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
  readonly group?: string;
}

interface OptionBase {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /**
   * The agent's own spelling: a word of the schema, a custom one, or absent. Only a hint for where to show the option.
   */
  readonly category?: string;
}

/** `SessionConfigOption` of the schema. A `currentValue` need not be among the choices. */
export type ConfigOption =
  | (OptionBase & { readonly type: 'select'; readonly currentValue: string; readonly choices: readonly ConfigChoice[] })
  | (OptionBase & { readonly type: 'boolean'; readonly currentValue: boolean });

/** `models` of a session response: no longer in the schema, but some agents still offer their models this way. */
export interface ModelState {
  readonly currentModelId: string;
  readonly availableModels: readonly { readonly id: string; readonly name: string; readonly description?: string }[];
}

/** The choices that a session response offers. The three may describe the same thing. */
export interface OfferedOptions {
  readonly modes: SessionModeState | undefined;
  readonly models: ModelState | undefined;
  readonly configOptions: readonly ConfigOption[] | undefined;
}

export const nothingOffered: OfferedOptions = { modes: undefined, models: undefined, configOptions: undefined };

type Report = (issue: string) => void;

/** Reads the response of session/new, load, resume. Never throws. */
export function decodeOffered(raw: unknown, issue: Report): OfferedOptions {
  const response = asObject(raw);
  return {
    modes: decodeModes(response['modes'], issue),
    models: decodeModels(response['models'], issue),
    configOptions: decodeConfigOptions(response['configOptions'], issue),
  };
}

/**
 * Reads a whole list of config options. Options of an unknown type, and malformed ones, are skipped (item 105, 109); of
 * two with the same id the first counts. `undefined` when there is no list.
 */
export function decodeConfigOptions(raw: unknown, issue: Report): readonly ConfigOption[] | undefined {
  const ids = new Set<string>();
  return usableOf(
    (item) => {
      const option = decodeOption(item, issue);
      if (!option || ids.has(option.id)) return undefined;
      ids.add(option.id);
      return option;
    },
    issue,
    'configOptions',
  )(raw);
}

function decodeOption(raw: unknown, issue: Report): ConfigOption | undefined {
  const option = asObject(raw);
  const id = stringOf(option['id']);
  const { currentValue, options } = option;
  const type = option['type'] ?? (typeof currentValue === 'boolean' ? 'boolean' : 'select');
  if (id === undefined || id === '') return undefined;
  const base = { id, ...words(option, id), ...optional('category', stringOf(option['category'])) };
  if (type === 'boolean') return typeof currentValue === 'boolean' ? { ...base, type, currentValue } : undefined;
  if (type !== 'select') return undefined;
  const choices = decodeChoices(options, issue);
  // Until the user chooses, some agents have no value.
  const current = currentValue === null || currentValue === undefined ? '' : stringOf(currentValue);
  return current !== undefined && choices ? { ...base, type, currentValue: current, choices } : undefined;
}

/** Flat values and groups of values, also mixed. */
function decodeChoices(raw: unknown, issue: Report): readonly ConfigChoice[] | undefined {
  const choices = usableOf((item) => decodeGroup(item, issue) ?? decodeChoice(item), issue, 'options')(raw)?.flat();
  const known = new Set<string>();
  return choices?.filter(({ value }) => known.size < known.add(value).size);
}

function decodeGroup(raw: unknown, issue: Report): readonly ConfigChoice[] | undefined {
  const group = asObject(raw);
  if (!('options' in group)) return undefined;
  const name = stringOf(group['name']) ?? stringOf(group['group']) ?? '';
  return usableOf(
    decodeChoice,
    issue,
    'options of a group',
  )(group['options'])?.map((choice) => ({
    ...choice,
    group: name,
  }));
}

function decodeChoice(raw: unknown): ConfigChoice | undefined {
  const choice = asObject(raw);
  const value = stringOf(raw) ?? stringOf(choice['value']);
  return value === undefined ? undefined : { value, ...words(choice, value) };
}

/** `undefined` when the agent has no modes, or none that could be used. */
function decodeModes(raw: unknown, issue: Report): SessionModeState | undefined {
  const currentModeId = stringOf(asObject(raw)['currentModeId']);
  const availableModes = usableOf(
    (item) => identified(item, 'id'),
    issue,
    'availableModes',
  )(asObject(raw)['availableModes']);
  return currentModeId === undefined || availableModes === undefined ? undefined : { currentModeId, availableModes };
}

function decodeModels(raw: unknown, issue: Report): ModelState | undefined {
  const currentModelId = stringOf(asObject(raw)['currentModelId']);
  const availableModels = usableOf(
    (item) => identified(item, 'modelId'),
    issue,
    'availableModels',
  )(asObject(raw)['availableModels']);
  return currentModelId === undefined || availableModels === undefined
    ? undefined
    : { currentModelId, availableModels };
}

function identified(
  raw: unknown,
  key: 'id' | 'modelId',
): { readonly id: string; readonly name: string; readonly description?: string } | undefined {
  const item = asObject(raw);
  const id = stringOf(item[key]);
  return id === undefined ? undefined : { id, ...words(item, id) };
}

/** Name and description; the id replaces a missing name. */
function words(
  item: Readonly<Record<string, unknown>>,
  id: string,
): { readonly name: string; readonly description?: string } {
  return {
    name: stringOf(item['name'])?.trim() || id,
    ...optional('description', stringOf(item['description'])?.trim() || undefined),
  };
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}
