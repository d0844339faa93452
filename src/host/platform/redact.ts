import { asObject, boundedDepth, stringOf } from '../../acp/json';

const secretKey = /token|secret|password|passwd|api[-_]?key|apikey|authorization|cookie|credential|headers|^env$/i;
const maxString = 400;

/**
 * A message for the traffic log: long strings cut, and whatever stands under a name that sounds like a secret left out.
 * What a user put into a form is left out whole. The log is off by default; this is for when it is on.
 */
export function redactedTraffic(message: object): string {
  const isForm = asObject(asObject(message)['result'])['action'] === 'accept';
  return JSON.stringify(boundedDepth(message), (key, value: unknown) => {
    // Secrets may stand in any argument or address of a server.
    if (key === 'mcpServers' && Array.isArray(value)) return value.map((server: unknown) => stringOf(asObject(server)['name']) ?? '');
    if (isForm && key === 'content') return '[redacted]';
    if (key !== '' && secretKey.test(key) && value !== null && value !== undefined) return '[redacted]';
    if (typeof value === 'string' && value.length > maxString) return `${value.slice(0, maxString)}… (${value.length})`;
    return value;
  });
}
