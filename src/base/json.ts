export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A deeper value is not readable, and serialising it again could exhaust the stack. */
const maxDepth = 64;

/** The same value with whatever is nested too deeply replaced by a word. */
export function boundedDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => boundedDepth(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundedDepth(item, depth + 1)]));
}

/**
 * True if two JSON values say the same: the order of keys does not matter, and a key without a value is an absent one.
 */
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
