/** Readers for untrusted JSON: a value of the wrong type counts as absent. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value of a JSON text; undefined if it is malformed. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nobody reads deeper values, and serialising them could exhaust the stack. */
const maxDepth = 64;

/** The same value, with deeply nested parts replaced by a word. */
export function boundedDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => boundedDepth(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundedDepth(item, depth + 1)]));
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reads an id; some agents send numbers. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : stringOf(value);
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return typeof value === 'string' && (allowed as readonly string[]).includes(value) ? (value as T) : undefined;
}

/**
 * Decodes the items of an array one by one; a bad item is skipped and reported, the others stay
 * (schema: `x-deserialize-skip-invalid-items`). `undefined` when `value` is no array.
 */
export function listOf<T>(
  value: unknown,
  decode: (item: unknown) => T | undefined,
  issue: (text: string) => void,
  what: string,
): T[] | undefined {
  if (!Array.isArray(value)) {
    if (value !== undefined && value !== null) issue(`${what} is not a list`);
    return undefined;
  }
  const items: T[] = [];
  value.forEach((item, index) => {
    const decoded = decode(item);
    if (decoded === undefined) issue(`${what}[${index}] is malformed and was skipped`);
    else items.push(decoded);
  });
  return items;
}

/** The same fields without those that are undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** Whether two JSON values are equal: key order does not matter, and a key without a value equals an absent one. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  if (Array.isArray(a))
    return a.length === (b as unknown[]).length && a.every((item, index) => sameJson(item, (b as unknown[])[index]));
  const [left, right] = [a as JsonObject, b as JsonObject];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    sameJson(Object.hasOwn(left, key) ? left[key] : undefined, Object.hasOwn(right, key) ? right[key] : undefined),
  );
}
