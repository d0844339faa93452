import { asObject, stringOf } from '../../base/decode';
import { isObject, type JsonObject } from '../../base/json';

const secretKey =
  /token|secret|password|passwd|api[-_]?key|apikey|authorization|cookie|credential|headers|^env(?:iron(?:ment)?)?(?:[-_]?var(?:iable)?s?)?$/i;
const maxString = 400;
/** Characters of a long text that are searched for secrets, and of the longest secret. */
const maxLooked = 64 * 1024;
const maxSecret = 8 * 1024;
/** Deeper values are of no use in a log, and a walk could exhaust the stack. */
const maxDepth = 64;

/**
 * A message for the traffic log: long strings are cut, and secrets are left out: values of names that sound secret,
 * known values, and text that looks like a secret. The user's values in a form are left out completely. The log is off
 * by default.
 * @param conceal leaves secrets out of a text; see `SecretlessLog`
 */
export function redactedTraffic(message: object, conceal: (text: string) => string): string {
  const isForm = asObject(asObject(message)['result'])['action'] === 'accept';

  /** Remove secrets before cutting the text: half a secret would not be found. */
  const shortened = (text: string): string => {
    const looked = conceal(text.slice(0, maxLooked));
    if (text.length <= maxLooked)
      return looked.length > maxString ? `${looked.slice(0, maxString)}… (${text.length})` : looked;
    // A secret may be cut off at the end of the searched part.
    return `${looked.slice(0, Math.min(maxString, Math.max(0, looked.length - maxSecret)))}… (${text.length})`;
  };

  /** A program's arguments as one line, since only the whole line reveals some secrets (`-u`, `name:password`). */
  const tellingLine = (words: readonly unknown[]): string | undefined => {
    if (words.length < 2 || !words.every((word) => typeof word === 'string')) return undefined;
    const line = words.join(' ').slice(0, maxLooked);
    return conceal(line) === words.map(conceal).join(' ').slice(0, maxLooked) ? undefined : shortened(line);
  };

  const listOf = (items: readonly unknown[], depth: number): unknown => {
    const line = tellingLine(items);
    return line === undefined ? items.map((item) => clean('', item, depth)) : [line];
  };

  const objectOf = (value: JsonObject, depth: number): unknown => {
    const { name, key, command, args } = value;
    const isSecretPair =
      'value' in value && [name, key].some((word) => typeof word === 'string' && secretKey.test(word));
    const line =
      typeof command === 'string' && Array.isArray(args) ? tellingLine([command, ...(args as unknown[])]) : undefined;
    const entries = Object.entries(value).map(([field, item]) => {
      if (isSecretPair && field === 'value') return [field, '[redacted]'];
      if (line !== undefined && field === 'command') return [field, line];
      if (line !== undefined && field === 'args') return [field, '[…]'];
      return [shortened(field), clean(field, item, depth)];
    });
    return Object.fromEntries(entries) as unknown;
  };

  const clean = (field: string, value: unknown, depth: number): unknown => {
    // Secrets may be in any argument or address of a server.
    if (field === 'mcpServers' && Array.isArray(value))
      return value.map((server: unknown) => shortened(stringOf(asObject(server)['name']) ?? ''));
    if (isForm && field === 'content') return '[redacted]';
    if (field !== '' && secretKey.test(field) && value !== null && value !== undefined) return '[redacted]';
    if (typeof value === 'string') return shortened(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maxDepth) return '[…]';
    return Array.isArray(value) ? listOf(value, depth + 1) : isObject(value) ? objectOf(value, depth + 1) : value;
  };

  return JSON.stringify(clean('', message, 0));
}
