import * as l10n from '@vscode/l10n';
import { asObject, decoded, defined, integerOf, numberOf, oneOf, stringOf, usableOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';

const stringFormats = ['email', 'uri', 'date', 'date-time'] as const;

/** One of the answers that a field offers. */
export interface FormOption {
  readonly value: string;
  readonly title: string;
  readonly description?: string;
}

interface FieldCommon {
  /** Name of the property in the answer. */
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** The typed value is never displayed or stored. */
  readonly secret: boolean;
}

/**
 * A property of a requested form (schema `ElicitationPropertySchema`). `unsupported` is an unknown kind, which must not
 * show as a known one (item 169); `what` is the agent's word for it.
 */
export type FormField = FieldCommon &
  (
    | {
        readonly type: 'string';
        readonly default?: string;
        readonly format?: (typeof stringFormats)[number];
        readonly pattern?: string;
        /** In characters, not in UTF-16 units. */
        readonly minLength?: number;
        readonly maxLength?: number;
      }
    | {
        readonly type: 'number' | 'integer';
        readonly default?: number;
        readonly minimum?: number;
        readonly maximum?: number;
      }
    | { readonly type: 'boolean'; readonly default?: boolean }
    | { readonly type: 'select'; readonly default?: string; readonly options: readonly FormOption[] }
    | {
        readonly type: 'multiSelect';
        readonly default: readonly string[];
        readonly options: readonly FormOption[];
        readonly minItems?: number;
        readonly maxItems?: number;
      }
    | { readonly type: 'unsupported'; readonly what: string }
  );

/** A longer list is not drawn. */
const maxOptions = 2_000;

/**
 * Reads one property. Never throws and never leaves a property out. A property that cannot be understood becomes
 * `unsupported`, so that the user sees that the agent asked for it. Contradictory constraints count as absent.
 */
export function decodeFormField(
  key: string,
  raw: unknown,
  required: boolean,
  report: (issue: string) => void,
): FormField {
  const property = plainProperty(asObject(raw));
  const issue = (text: string) => report(`requestedSchema.properties[${JSON.stringify(key)}]: ${text}`);
  const description = stringOf(property['description']);
  const common: FieldCommon = {
    key,
    label: stringOf(property['title']) || key,
    ...(description ? { description } : {}),
    required,
    secret:
      isSecret(property) ||
      (property['type'] === 'string' && (namesSecret(key) || namesSecret(stringOf(property['title']) ?? ''))),
  };
  const field = decodeTyped(property, common, issue);
  // The agent already knows a secret with a default value, and a prefilled one would be stored in the transcript.
  return common.secret && 'default' in field && field.type !== 'multiSelect' ? withoutDefault(field) : field;
}

/**
 * The same property as the protocol writes it. The libraries that make schemas of types write an optional value as one
 * that may be null, and leave out the type of a choice.
 */
function plainProperty(property: JsonObject): JsonObject {
  const listed = property['anyOf'] ?? property['oneOf'];
  const branches = (Array.isArray(listed) ? listed : []).map(asObject).filter(({ type }) => type !== 'null');
  const [only] = branches;
  const isNullable = only !== undefined && branches.length === 1 && !('const' in only) && 'type' in only;
  const { anyOf: _any, oneOf: _one, ...rest } = property;
  const plain = isNullable ? { ...only, ...rest } : property;
  const types = [plain['type']].flat().filter((type) => type !== 'null');
  const type = types.length === 1 ? types[0] : plain['type'];
  const isChoice = (key: string) => Array.isArray(plain[key]) && plain[key].some((item) => isText(item));
  const titled = isChoice('oneOf') ? plain['oneOf'] : isChoice('anyOf') ? plain['anyOf'] : undefined;
  return {
    ...plain,
    ...(type === undefined && (titled !== undefined || isChoice('enum')) ? { type: 'string' } : { type }),
    ...(titled === undefined ? {} : { oneOf: titled }),
  };
}

function isText(option: unknown): boolean {
  return typeof option === 'string' || typeof asObject(option)['const'] === 'string';
}

function decodeTyped(property: JsonObject, common: FieldCommon, issue: (text: string) => void): FormField {
  const type = stringOf(property['type']);
  switch (type) {
    case 'string':
      return property['enum'] == null && property['oneOf'] == null
        ? decodeString(property, common)
        : decodeSelect(property, common, issue);
    case 'number':
    case 'integer': {
      const read = type === 'integer' ? integerOf : numberOf;
      return {
        ...common,
        type,
        ...defined({
          default: read(property['default']),
          minimum: read(property['minimum']),
          maximum: read(property['maximum']),
        }),
      };
    }
    case 'boolean':
      return { ...common, type, ...(typeof property['default'] === 'boolean' ? { default: property['default'] } : {}) };
    case 'array':
      return decodeMultiSelect(property, common, issue);
    default:
      issue(`the type ${JSON.stringify(property['type'])} is not known`);
      return { ...common, type: 'unsupported', what: type ?? l10n.t('a field without a type') };
  }
}

function decodeString(property: JsonObject, common: FieldCommon): FormField {
  return {
    ...common,
    type: 'string',
    ...defined({
      default: stringOf(property['default']),
      format: decoded(oneOf(...stringFormats), property['format']),
      pattern: stringOf(property['pattern']),
      minLength: countOf(property['minLength']),
      maxLength: countOf(property['maxLength']),
    }),
  };
}

function decodeSelect(property: JsonObject, common: FieldCommon, issue: (text: string) => void): FormField {
  const options =
    property['oneOf'] == null
      ? plainOptions(property['enum'], property['enumNames'], issue)
      : titledOptions(property['oneOf'], issue);
  if (!isUsable(options)) return unusable(common, options);
  const preset = stringOf(property['default']);
  return {
    ...common,
    type: 'select',
    options,
    ...(options.some(({ value }) => value === preset) ? defined({ default: preset }) : {}),
  };
}

function decodeMultiSelect(property: JsonObject, common: FieldCommon, issue: (text: string) => void): FormField {
  if (!isObject(property['items'])) return { ...common, type: 'unsupported', what: l10n.t('a list of anything') };
  const { items } = property;
  const titled = items['anyOf'] ?? items['oneOf'];
  const type = stringOf(items['type']) ?? (Array.isArray(items['enum']) ? 'string' : undefined);
  if (titled == null && type !== 'string') {
    issue(`items of the type ${JSON.stringify(items['type'])} are not known`);
    return {
      ...common,
      type: 'unsupported',
      what: type === undefined ? l10n.t('a list of anything') : l10n.t('a list of {0}', type),
    };
  }
  const options =
    titled == null ? plainOptions(items['enum'], items['enumNames'], issue) : titledOptions(titled, issue);
  if (!isUsable(options)) return unusable(common, options);
  const preset = new Set(usableOf(stringOf, issue, 'default')(property['default']));
  return {
    ...common,
    type: 'multiSelect',
    options,
    default: common.secret ? [] : options.flatMap(({ value }) => (preset.has(value) ? [value] : [])),
    ...defined({ minItems: countOf(property['minItems']), maxItems: countOf(property['maxItems']) }),
  };
}

function isUsable(options: readonly FormOption[]): boolean {
  return options.length > 0 && options.length <= maxOptions;
}

function unusable(common: FieldCommon, options: readonly FormOption[]): FormField {
  return {
    ...common,
    type: 'unsupported',
    what: options.length === 0 ? l10n.t('a choice without options') : l10n.t('a choice of {0} options', options.length),
  };
}

/** `enum`; MCP servers of an earlier version put the titles beside it, in `enumNames`. */
function plainOptions(values: unknown, names: unknown, issue: (text: string) => void): FormOption[] {
  const titles: readonly unknown[] = Array.isArray(names) ? names : [];
  let index = -1;
  const decode = (item: unknown): FormOption | undefined => {
    index++;
    return typeof item === 'string' ? { value: item, title: stringOf(titles[index]) || item } : undefined;
  };
  return distinct(usableOf(decode, issue, 'enum')(values) ?? []);
}

function titledOptions(raw: unknown, issue: (text: string) => void): FormOption[] {
  const decode = (item: unknown): FormOption | undefined => {
    const option = asObject(item);
    const value = stringOf(option['const']);
    const description = stringOf(option['description']);
    return value === undefined
      ? undefined
      : { value, title: stringOf(option['title']) || value, ...(description ? { description } : {}) };
  };
  return distinct(usableOf(decode, issue, 'options')(raw) ?? []);
}

function distinct(options: readonly FormOption[]): FormOption[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}

/** Agents mark secrets under their own key in `_meta`; the schema has no field for it. */
function isSecret(property: JsonObject): boolean {
  if (property['format'] === 'password' || property['writeOnly'] === true) return true;
  return Object.values(asObject(property['_meta'])).some((vendor) => asObject(vendor)['isSecret'] === true);
}

/** Recognizes a secret by its name, even if the agent does not mark it: it is hidden and never written to a file. */
function namesSecret(name: string): boolean {
  return (
    name.length <= 200 &&
    /(?:^|[^a-z])(?:pass(?:word|phrase|code)|(?:api|access|private|secret)[ _-]?key|token|secret|pin|cvv|otp|(?:recovery|seed) (?:phrase|code))[ ?:*]*$/i.test(
      name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
    )
  );
}

function withoutDefault(field: FormField): FormField {
  const { default: _default, ...rest } = field as FormField & { default?: unknown };
  return rest as FormField;
}

function countOf(value: unknown): number | undefined {
  const count = integerOf(value);
  return count !== undefined && count >= 0 ? count : undefined;
}
