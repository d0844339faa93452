import * as l10n from '@vscode/l10n';
import type { FormField } from '../acp/decodeFormField';

/**
 * Tests a text against the agent's pattern; undefined if the pattern is invalid or takes too long. Injected, because a
 * hostile pattern can keep a regular expression busy for years.
 */
export type PatternCheck = (pattern: string, text: string) => boolean | undefined;

/** The problem with a field's value, as one sentence for the user; undefined if there is none. */
export function fieldProblem(
  field: FormField,
  value: string | boolean | readonly string[],
  matches: PatternCheck,
): string | undefined {
  switch (field.type) {
    case 'string':
      return textProblem(field, String(value), matches);
    case 'number':
    case 'integer':
      return numberProblem(field, String(value).trim());
    case 'boolean':
      return undefined;
    case 'select':
      if (value === '') return field.required ? l10n.t('Select one.') : undefined;
      return field.options.some((option) => option.value === value) ? undefined : l10n.t('Select one of the options.');
    case 'multiSelect':
      return countProblem(field, (value as readonly string[]).length);
    case 'unsupported':
      return field.required ? l10n.t('This is required, but Parley cannot show it.') : undefined;
  }
}

/**
 * Parses a number; undefined if the text is not one. A comma is not a decimal point, because it may separate thousands.
 */
export function numberFrom(text: string): number | undefined {
  const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function textProblem(
  field: Extract<FormField, { type: 'string' }>,
  raw: string,
  matches: PatternCheck,
): string | undefined {
  const text = field.format === undefined ? raw : raw.trim();
  if (text === '') return field.required ? l10n.t('Fill in this field.') : undefined;
  const { minLength = 0, maxLength = Infinity } = field;
  const length = [...text].length;
  if (length < minLength)
    return minLength === 1
      ? l10n.t('Use at least 1 character (now {0}).', length)
      : l10n.t('Use at least {0} characters (now {1}).', minLength, length);
  if (length > maxLength)
    return maxLength === 1
      ? l10n.t('Use at most 1 character (now {0}).', length)
      : l10n.t('Use at most {0} characters (now {1}).', maxLength, length);
  if (field.format !== undefined && !formats[field.format].test(text)) return formats[field.format].problem();
  if (field.pattern !== undefined && matches(field.pattern, text) === false)
    return l10n.t('This does not match the required format: {0}', field.pattern);
  return undefined;
}

type Format = NonNullable<Extract<FormField, { type: 'string' }>['format']>;

const formats: Readonly<Record<Format, { test(text: string): boolean; problem(): string }>> = {
  email: {
    test: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text),
    problem: () => l10n.t('Enter an email address, such as name@example.com.'),
  },
  uri: { test: isUri, problem: () => l10n.t('Enter a full address, such as https://example.com.') },
  date: { test: isDate, problem: () => l10n.t('Enter a date, such as 2026-11-20.') },
  'date-time': { test: isDateTime, problem: () => l10n.t('Enter a date and a time, such as 2026-11-20T14:30:00Z.') },
};

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && (!/^https?:/i.test(text) || /^https?:\/\/[^/?#\s]+/i.test(text));
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === '') return false;
  // `Date` turns 31 April into 1 May.
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** RFC 3339 with an offset, as JSON Schema requires. */
function isDateTime(text: string): boolean {
  const [, date = '', hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.exec(text) ?? [];
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}

function numberProblem(field: Extract<FormField, { type: 'number' | 'integer' }>, text: string): string | undefined {
  const whole = field.type === 'integer';
  if (text === '') return field.required ? l10n.t('Fill in this field.') : undefined;
  const number = numberFrom(text);
  if (number === undefined || (whole && !Number.isInteger(number)))
    return whole ? l10n.t('Enter a whole number, such as 3.') : l10n.t('Enter a number, such as 1.5.');
  // A larger integer would differ from the typed one.
  if (whole && !Number.isSafeInteger(number)) return l10n.t('This number is too large.');
  const { minimum = -Infinity, maximum = Infinity } = field;
  if (number >= minimum && number <= maximum) return undefined;
  if (maximum === Infinity) return l10n.t('Enter {0} or more.', minimum);
  return minimum === -Infinity
    ? l10n.t('Enter {0} or less.', maximum)
    : l10n.t('Enter a number from {0} to {1}.', minimum, maximum);
}

function countProblem(
  { minItems = 0, maxItems = Infinity, required }: Extract<FormField, { type: 'multiSelect' }>,
  count: number,
): string | undefined {
  // An empty selection is not an answer, and an optional field needs none.
  if (count === 0 && !required) return undefined;
  if (count < minItems)
    return minItems === maxItems ? l10n.t('Select {0}.', minItems) : l10n.t('Select at least {0}.', minItems);
  return count > maxItems ? l10n.t('Select at most {0}.', maxItems) : undefined;
}
