/**
 * Reads a JSON value: from one of our files, which may be damaged or of a later version, or from the webview, which is
 * not trusted. @throws Error if the value does not match
 */
export type Decoder<T> = (raw: unknown) => T;

/** The decoded value, or undefined if it does not match. */
export function decoded<T>(decode: Decoder<T>, raw: unknown): T | undefined {
  try {
    return decode(raw);
  } catch {
    return undefined;
  }
}

/** A value that passes a test. */
export function where<T>(test: (raw: unknown) => boolean): Decoder<T> {
  return (raw) => {
    if (!test(raw)) throw new Error('damaged');
    return raw as T;
  };
}

export const text = where<string>((raw) => typeof raw === 'string');
export const flag = where<boolean>((raw) => typeof raw === 'boolean');
export const number = where<number>(Number.isFinite);
export const count = where<number>((raw) => Number.isSafeInteger(raw) && (raw as number) >= 0);

/** A text of at most so many characters. */
export function textUpTo(limit: number): Decoder<string> {
  return where((raw) => typeof raw === 'string' && raw.length <= limit);
}

/** One of some words. */
export function oneOf<T extends string>(...words: readonly T[]): Decoder<T> {
  return where((raw) => (words as readonly unknown[]).includes(raw));
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

/** A list of at most `limit` items, all valid. */
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
    const found = isRecord(raw)
      ? known.map(([key, decode]) => [key, decode(raw[key])] as const)
      : where<never>(isRecord)(raw);
    return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as T;
  };
}

/** An object of at most `limit` valid values. Built from entries, so that a key such as `__proto__` is a key. */
export function recordOf<T>(decode: Decoder<T>, limit = Infinity): Decoder<Readonly<Record<string, T>>> {
  return (raw) => {
    const entries = Object.entries(where<Record<string, unknown>>(isRecord)(raw));
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
      isRecord(raw) && Object.hasOwn(kinds, String(raw[key]))
        ? (kinds as Record<string, Decoder<T>>)[String(raw[key])]
        : undefined;
    return (decode ?? where(() => false))(raw);
  };
}

function itemsOf(raw: unknown, limit = Infinity): readonly unknown[] {
  return where<readonly unknown[]>((value) => Array.isArray(value) && value.length <= limit)(raw);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
