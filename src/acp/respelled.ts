import { isObject } from '../base/json';

/** Fields whose content the protocol does not define. */
const foreign = new Set(['_meta', 'rawInput', 'raw_input', 'rawOutput', 'raw_output', 'env', 'data', 'properties']);
/** Messages of the protocol are not deeper. */
const maxDepth = 12;

/**
 * Restores the protocol's field names. Some agents' libraries write them in their language's style: `session_id` for
 * `sessionId`. One such field at the top means that all are. @returns the value itself if there is none
 */
export function respelled(value: unknown): unknown {
  return isObject(value) && (isSpelledApart(value) || isSpelledApart(value['update'])) ? camelCased(value, 0) : value;
}

function isSpelledApart(value: unknown): boolean {
  return (
    isObject(value) &&
    ['session_id', 'session_update', 'protocol_version', 'stop_reason', 'tool_call_id'].some((name) =>
      Object.hasOwn(value, name),
    )
  );
}

function camelCased(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((item) => camelCased(item, depth + 1));
  const fields = Object.entries(value).map(
    ([name, field]) => [name, foreign.has(name) ? field : camelCased(field, depth + 1)] as const,
  );
  // If both spellings are present, the protocol's wins.
  return {
    ...Object.fromEntries(
      fields.map(([name, field]) => [
        name.replace(/(?<=[a-z])_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
        field,
      ]),
    ),
    ...Object.fromEntries(fields),
  };
}
