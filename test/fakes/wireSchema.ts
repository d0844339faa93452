// Data of the SDK, not its runtime.
// oxlint-disable-next-line no-restricted-imports
import schemaV1 from '@agentclientprotocol/sdk/schema/v1/schema.json';
// oxlint-disable-next-line no-restricted-imports
import schemaV2 from '@agentclientprotocol/sdk/schema/v2/schema.json';
// oxlint-disable-next-line no-restricted-imports
import unstableV1 from '@agentclientprotocol/sdk/schema/v1/schema.unstable.json';
// oxlint-disable-next-line no-restricted-imports
import unstableV2 from '@agentclientprotocol/sdk/schema/v2/schema.unstable.json';
import type { ProtocolVersion } from '../../src/acp/agentConnection';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';

// JSON Schema is open by nature.
// oxlint-disable-next-line typescript/no-explicit-any
type Schema = Record<string, any>;

export type Side = 'client' | 'agent';

/** Validators of the stable schema of one version of ACP, by method and by who serves it. */
export interface WireSchema {
  /**
   * Parameters of a request or notification that `side` sends. Undefined for a method that the schema does not have.
   */
  params(side: Side, method: string): ValidateFunction | undefined;
  /** The result that `side` sends for a request that it was asked. */
  result(side: Side, method: string): ValidateFunction | undefined;
  readonly requestId: ValidateFunction;
  readonly error: ValidateFunction;
}

interface SchemaFile {
  readonly $defs: Record<string, Schema>;
}

/**
 * Definitions of the unstable schema that Parley uses where the agent offers them, and the capability `subagents`; they
 * replace stable ones of the same name.
 */
const unstableOnes =
  /^(?:ForkSession|ArchiveSession|UnarchiveSession|SetSessionTitle)(?:Request|Response)$|^ListSessionsRequest$|^SessionInfo$|^ClientCapabilities$/;

/** The schema as the SDK ships it, with the unstable methods that Parley calls. */
export const schemas: Readonly<Record<ProtocolVersion, SchemaFile>> = {
  1: withUnstable(schemaV1, unstableV1),
  2: withUnstable(schemaV2, unstableV2),
};

function withUnstable(stable: SchemaFile, unstable: SchemaFile): SchemaFile {
  const definitions = { ...stable.$defs };
  const add = (name: string): void => {
    definitions[name] = unstable.$defs[name]!;
    for (const [, needed] of JSON.stringify(definitions[name]).matchAll(/"#\/\$defs\/(\w+)"/g))
      if (definitions[needed!] === undefined) add(needed!);
  };
  for (const name of Object.keys(unstable.$defs)) if (unstableOnes.test(name)) add(name);
  return { $defs: definitions };
}

const loaded = new Map<ProtocolVersion, WireSchema>();

/**
 * The schema as the SDK ships it, made strict: fields that it does not know are errors, because extras belong in
 * `_meta`.
 */
export function wireSchema(version: ProtocolVersion = 1): WireSchema {
  const known = loaded.get(version) ?? load(version);
  loaded.set(version, known);
  return known;
}

function load(version: ProtocolVersion): WireSchema {
  const definitions = schemas[version].$defs;
  const closed = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, closeProperties(definition, definitions)]),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  ajv.addSchema({ $id: 'acp', $defs: closed });

  const compiled = new Map<string, ValidateFunction>();
  const compile = (name: string): ValidateFunction => {
    const known = compiled.get(name);
    if (known) return known;
    const validate = ajv.compile({
      $ref: `acp#/$defs/${name}`,
      ...(isClosable(definitions[name]!) ? { unevaluatedProperties: false } : {}),
    });
    compiled.set(name, validate);
    return validate;
  };

  /** `x-side` names who serves a method; parameters are sent by the other side, results by this one. */
  const find = (server: Side, method: string, response: boolean) =>
    Object.keys(definitions).find((name) => {
      const definition = definitions[name]!;
      const serves = definition['x-side'] === server || definition['x-side'] === 'protocol';
      return serves && definition['x-method'] === method && name.endsWith('Response') === response;
    });
  const lookUp = (server: Side, method: string, response: boolean) => {
    const name = find(server, method, response);
    return name === undefined ? undefined : compile(name);
  };

  return {
    params: (side, method) => lookUp(side === 'client' ? 'agent' : 'client', method, false),
    result: (side, method) => lookUp(side, method, true),
    requestId: compile('RequestId'),
    error: compile('Error'),
  };
}

/**
 * Forbids unknown properties wherever a value is a described object. Members of a composition stay open: only the whole
 * can know.
 */
function closeProperties(schema: Schema, definitions: Record<string, Schema>): Schema {
  const close = (value: Schema): Schema => {
    const inner = closeProperties(value, definitions);
    return isClosable(resolve(value, definitions)) ? { ...inner, unevaluatedProperties: false } : inner;
  };
  const out: Schema = { ...schema };
  if (schema['properties']) out['properties'] = mapValues(schema['properties'], close);
  if (schema['items']) out['items'] = close(schema['items']);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(schema[keyword]))
      out[keyword] = schema[keyword].map((member: Schema) => closeProperties(member, definitions));
  }
  return out;
}

function resolve(schema: Schema, definitions: Record<string, Schema>): Schema {
  const ref = schema['$ref'] ?? (schema['allOf']?.length === 1 ? schema['allOf'][0]['$ref'] : undefined);
  const target = typeof ref === 'string' ? definitions[ref.replace('#/$defs/', '')] : undefined;
  return target ? resolve(target, definitions) : schema;
}

/** Whether the schema describes an object with known fields. Open maps such as `_meta`, and "any JSON", are not. */
function isClosable(schema: Schema): boolean {
  if (schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false) return false;
  return (
    schema['properties'] !== undefined ||
    [...(schema['anyOf'] ?? []), ...(schema['oneOf'] ?? [])].some(
      (member: Schema) => member['properties'] || member['$ref'] || member['allOf'],
    )
  );
}

function mapValues(record: Record<string, Schema>, map: (value: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
