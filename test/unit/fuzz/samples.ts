import type { ProtocolVersion } from '../../../src/acp/agentConnection';
import { schemas } from '../../fakes/wireSchema';

// JSON Schema is open by nature.
type Schema = Record<string, any>;
export type JsonRecord = Record<string, any>;

/** Names of the methods that `side` serves, requests and notifications. */
export function methodsOf(side: 'client' | 'agent', version: ProtocolVersion = 1): string[] {
  const served = Object.entries(schemas[version].$defs).filter(
    ([name, definition]) => definition['x-side'] === side && !name.endsWith('Response'),
  );
  return [...new Set(served.map(([, definition]) => String(definition['x-method'])))];
}

/**
 * Messages made from the schema: every field is there, and every alternative of every union is in at least one of them,
 * so a position of the protocol that has no sample does not exist.
 */
export function samplesOf(method: string, what: 'params' | 'result', version: ProtocolVersion = 1): JsonRecord[] {
  const definitions: Record<string, Schema> = schemas[version].$defs;
  const found = Object.entries(definitions).find(
    ([name, definition]) => definition['x-method'] === method && name.endsWith('Response') === (what === 'result'),
  );
  if (!found) throw new Error(`the schema has no ${what} of ${method}`);
  return new Sampler(definitions).samples(found[1], '', []) as JsonRecord[];
}

/** Makes samples of the parts of one schema. */
class Sampler {
  constructor(private readonly definitions: Record<string, Schema>) {}

  samples(part: Schema, name: string, seen: readonly string[]): unknown[] {
    const whole = this.own(part, name, seen);
    const composed = [
      ...(part['allOf'] ?? []).map((member: Schema) => this.samples(member, name, seen)),
      ...['anyOf', 'oneOf'].flatMap((key) => (part[key] ? [this.alternatives(part[key], name, seen)] : [])),
    ];
    return composed.reduce(joined, whole);
  }

  /** What the part says itself, without what it is composed of. */
  private own(part: Schema, name: string, seen: readonly string[]): unknown[] {
    const reference = (part['$ref'] as string | undefined)?.replace('#/$defs/', '');
    if (reference !== undefined)
      return seen.filter((known) => known === reference).length > 1
        ? [undefined]
        : this.samples(this.definitions[reference]!, name, [...seen, reference]);
    if ('const' in part) return [part['const']];
    if (part['enum']) return part['enum'] as unknown[];
    const types = [part['type'] ?? []].flat().filter((type) => type !== 'null');
    if (part['properties']) return this.objects(part['properties'], seen);
    switch (types[0]) {
      case 'string':
        return [text(name)];
      case 'integer':
      case 'number':
        return [1];
      case 'boolean':
        return [true];
      case 'null':
        return [null];
      case 'array':
        return [part['items'] ? this.samples(part['items'], name, seen).filter((item) => item !== undefined) : []];
      case 'object':
        return [this.maps(part, name, seen)];
      default:
        return [undefined];
    }
  }

  /** An open map: with one key for each sample of its values. */
  private maps(part: Schema, name: string, seen: readonly string[]): JsonRecord {
    if (name === '_meta') return { 'some.vendor': { thing: [1] } };
    const values = part['additionalProperties'];
    return typeof values === 'object'
      ? Object.fromEntries(this.samples(values, name, seen).map((value, index) => [`${name}${index}`, value]))
      : {};
  }

  private alternatives(members: readonly Schema[], name: string, seen: readonly string[]): unknown[] {
    return members.filter((member) => member['type'] !== 'null').flatMap((member) => this.samples(member, name, seen));
  }

  /** One object with the first sample of each field, and one more for each further sample. */
  private objects(properties: Record<string, Schema>, seen: readonly string[]): JsonRecord[] {
    const fields = Object.entries(properties).map(([key, value]) => [key, this.samples(value, key, seen)] as const);
    const first = Object.fromEntries(fields.map(([key, values]) => [key, values[0]]));
    return [first, ...fields.flatMap(([key, values]) => values.slice(1).map((value) => ({ ...first, [key]: value })))];
  }
}

function text(name: string): string {
  if (name === 'sessionId') return 's1';
  if (name === 'path' || name === 'cwd') return '/w/file.txt';
  return name === 'uri' || name === 'url' ? 'https://example.org/a' : `some ${name}`;
}

/** Each of one side with the first of the other: every sample of both is in one of the results. */
function joined(left: unknown[], right: unknown[]): unknown[] {
  const join = (a: unknown, b: unknown) => (isRecord(a) && isRecord(b) ? { ...a, ...b } : (b ?? a));
  return [...right.map((b) => join(left[0], b)), ...left.slice(1).map((a) => join(a, right[0]))];
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
