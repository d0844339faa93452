import { isObject, type JsonObject } from './json';

/**
 * Reads a value that came as JSON: from a file of ours, which may be damaged or of a later version, from the webview,
 * which is not trusted, or from an agent. @throws Error where it is another one
 */
export interface Decoder<T> {
  (raw: unknown): T;
  /** True if a value is right, in a tenth of the time of an error. Absent where the decoder makes a value. */
  readonly isRight?: (raw: unknown) => boolean;
}

/** The decoded value, or undefined if it does not match. */
export function decoded<T>(decode: Decoder<T>, raw: unknown): T | undefined {
  if (decode.isRight) return decode.isRight(raw) ? (raw as T) : undefined;
  try {
    return decode(raw);
  } catch {
    return undefined;
  }
}

/** A value that passes a test. */
export function where<T>(isRight: (raw: unknown) => boolean): Decoder<T> {
  const decode = (raw: unknown): T => {
    if (!isRight(raw)) throw new Error('damaged');
    return raw as T;
  };
  return Object.assign(decode, { isRight });
}

export const text = where<string>((raw) => typeof raw === 'string');
export const flag = where<boolean>((raw) => typeof raw === 'boolean');
export const number = where<number>(Number.isFinite);
export const integer = where<number>(Number.isInteger);
export const count = where<number>((raw) => Number.isSafeInteger(raw) && (raw as number) >= 0);

/** A text of at most so many characters. */
export function textUpTo(limit: number): Decoder<string> {
  return where((raw) => typeof raw === 'string' && raw.length <= limit);
}

/** One of some words. */
export function oneOf<T extends string>(...words: readonly T[]): Decoder<T> {
  return where((raw) => (words as readonly unknown[]).includes(raw));
}

/** One of some words in snake case, however an agent spells it: `AllowOnce`, `ALLOW-ONCE`. */
export function wordOf<T extends string>(words: readonly T[], raw: unknown): T | undefined {
  const said = letters(raw);
  return said === '' ? undefined : words.find((word) => letters(word) === said);
}

function letters(raw: unknown): string {
  return typeof raw === 'string' ? raw.toLowerCase().replace(/[^a-z]/g, '') : '';
}

export function orNull<T>(decode: Decoder<T>): Decoder<T | null> {
  return (raw) => (raw === null ? null : decode(raw));
}

/** A field that may be absent. If present, it must be valid. */
export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (raw) => (raw === undefined ? undefined : decode(raw));
}

/** A field that is treated as absent if its value is wrong. */
export function ifRight<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (raw) => decoded(decode, raw);
}

/* What agents send and what the user's files say is read field by field: a wrong value counts as absent. */

export const stringOf = ifRight(text);
export const numberOf = ifRight(number);
export const integerOf = ifRight(integer);

/** An id. Some agents number what they make. */
export function idOf(raw: unknown): string | undefined {
  return Number.isInteger(raw) ? String(raw) : stringOf(raw);
}

export function asObject(raw: unknown): JsonObject {
  return isObject(raw) ? raw : {};
}

/** The same fields without those that are undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** A list of which all items are right, and at most `limit` there. */
export function listOf<T>(decode: Decoder<T>, limit = Infinity): Decoder<readonly T[]> {
  return (raw) => itemsOf(raw, limit).map((item) => decode(item));
}

/** A list of at most `limit` items; invalid ones are left out. */
export function rightOf<T>(decode: Decoder<T>, limit = Infinity): Decoder<readonly T[]> {
  return (raw) =>
    itemsOf(raw, limit)
      .map((item) => decoded(decode, item))
      .filter((item) => item !== undefined);
}

/**
 * A list without the items that `decode` cannot use; each of them is reported
 * (schema: `x-deserialize-skip-invalid-items`). Undefined if it is no list.
 */
export function usableOf<T>(
  decode: (item: unknown) => T | undefined,
  issue: (text: string) => void,
  what: string,
): Decoder<T[] | undefined> {
  return (raw) => {
    if (!Array.isArray(raw)) {
      if (raw !== undefined && raw !== null) issue(`${what} is not a list`);
      return undefined;
    }
    return raw.flatMap((item: unknown, index) => {
      const usable = decode(item);
      if (usable === undefined) issue(`${what}[${index}] is malformed and was skipped`);
      return usable === undefined ? [] : [usable];
    });
  };
}

/** A list with a decoder for each place. */
export function tuple<T extends readonly unknown[]>(...places: { readonly [K in keyof T]: Decoder<T[K]> }): Decoder<T> {
  return (raw) => {
    const items = itemsOf(raw);
    if (items.length !== places.length) throw new Error('damaged');
    return items.map((item, i) => places[i]!(item)) as unknown as T;
  };
}

type Fields<T> = { readonly [K in keyof T]-?: Decoder<object extends Pick<T, K> ? T[K] | undefined : T[K]> };

/** An object with these fields; undefined fields and unknown ones are left out. */
export function objectOf<T extends object>(fields: Fields<T>): Decoder<T> {
  const known = Object.entries(fields) as [string, Decoder<unknown>][];
  return (raw) => {
    const found = isObject(raw)
      ? known.map(([key, decode]) => [key, decode(raw[key])] as const)
      : where<never>(isObject)(raw);
    return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as T;
  };
}

/** An object of at most `limit` valid values. Built from entries, so that a key such as `__proto__` is a key. */
export function recordOf<T>(decode: Decoder<T>, limit = Infinity): Decoder<Readonly<Record<string, T>>> {
  return (raw) => {
    const entries = Object.entries(where<JsonObject>(isObject)(raw));
    if (entries.length > limit) throw new Error('damaged');
    return Object.fromEntries(entries.map(([key, value]) => [key, decode(value)]));
  };
}

type OfKind<T, K extends string, V> = T extends Readonly<Record<K, infer All>> ? (V extends All ? T : never) : never;

/** One of several kinds of objects, told apart by one field. */
export function oneKindOf<T extends object, K extends keyof T & string>(
  key: K,
  kinds: { readonly [V in T[K] & string]: Decoder<OfKind<T, K, V>> },
): Decoder<T> {
  return (raw) => {
    const decode =
      isObject(raw) && Object.hasOwn(kinds, String(raw[key]))
        ? (kinds as Record<string, Decoder<T>>)[String(raw[key])]
        : undefined;
    return (decode ?? where(() => false))(raw);
  };
}

function itemsOf(raw: unknown, limit = Infinity): readonly unknown[] {
  return where<readonly unknown[]>((value) => Array.isArray(value) && value.length <= limit)(raw);
}
