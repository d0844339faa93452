import type { FormValue, FormValues } from './formView';

/** Characters of one value; what is longer is no form's answer. */
const maxValue = 1_000_000;
const maxFields = 200;
const maxChosen = 2_000;

/** @returns undefined for anything that is not values of a form. */
export function decodeFormValues(raw: unknown): FormValues | undefined {
  return decodeRecord(raw, maxFields, (value) => (isFormValue(value) ? value : undefined));
}

/** What was typed into several forms, by the question's `requestId`. */
export function decodeForms(raw: unknown): Readonly<Record<string, FormValues>> | undefined {
  return decodeRecord(raw, maxFields, decodeFormValues);
}

/** From entries, so that a key such as `__proto__` is a key. */
function decodeRecord<T>(raw: unknown, limit: number, decode: (value: unknown) => T | undefined): Readonly<Record<string, T>> | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const entries = Object.entries(raw);
  if (entries.length > limit) return undefined;
  const decoded = entries.map(([key, value]) => [key, decode(value)] as const);
  return decoded.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(decoded) as Record<string, T>);
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.length <= maxChosen && value.every((item) => typeof item === 'string' && item.length <= maxValue);
  return typeof value === 'boolean' || (typeof value === 'string' && value.length <= maxValue);
}
