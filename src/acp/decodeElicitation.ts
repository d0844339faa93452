import type { RequestId } from '@agentclientprotocol/sdk';
import { decodeFormField, type FormField } from './decodeFormField';
import { AcpError } from './errors';
import { asObject, stringOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';

/**
 * The scope of an elicitation: a session and maybe a call in it, or one of our requests such as `authenticate`, which
 * needs no session.
 */
export type ElicitationScope =
  | { readonly sessionId: string; readonly toolCallId?: string }
  | { readonly requestId: RequestId };

/** A flat form, its fields in the agent's order (schema `ElicitationSchema`). */
export interface ElicitationForm {
  readonly title?: string;
  readonly description?: string;
  readonly fields: readonly FormField[];
}

/** The elicitation asks for form values, or for a visit to a web page. */
export type ElicitationAsk =
  | { readonly mode: 'form'; readonly form: ElicitationForm }
  | { readonly mode: 'url'; readonly url: string; readonly elicitationId: string };

/** `elicitation/create` as decoded. */
export interface ElicitationParams {
  readonly scope: ElicitationScope;
  readonly message: string;
  readonly ask: ElicitationAsk;
}

/** The modes of elicitation; each is served only where it was advertised. */
export type ElicitationMode = ElicitationAsk['mode'];

/** A longer form is refused, since nobody would fill it in; the agent gets the reason. */
const maxFields = 200;

/**
 * Reads an elicitation. Refuses a mode that was not advertised or is unknown, so that it is not mistaken for another
 * one (item 166).
 * @throws AcpError -32602 that names the field.
 */
export function decodeElicitation(
  raw: unknown,
  advertised: ReadonlySet<ElicitationMode>,
  issue: (text: string) => void,
): ElicitationParams {
  const params = asObject(raw);
  const mode = stringOf(params['mode']);
  if (mode === undefined) throw AcpError.invalidParams('mode must be a string');
  if ((mode !== 'form' && mode !== 'url') || !advertised.has(mode))
    throw AcpError.invalidParams(`The elicitation mode ${JSON.stringify(mode)} was not advertised`);
  const message = stringOf(params['message']);
  if (message === undefined) throw AcpError.invalidParams('message must be a string');
  return {
    scope: decodeScope(params),
    message,
    ask:
      mode === 'form' ? { mode, form: decodeForm(params['requestedSchema'], issue) } : { mode, ...decodePage(params) },
  };
}

/** @returns the id in `elicitation/complete`; undefined when there is none. */
export function decodeElicitationComplete(raw: unknown): string | undefined {
  return stringOf(asObject(raw)['elicitationId']);
}

function decodeScope(params: JsonObject): ElicitationScope {
  const sessionId = stringOf(params['sessionId']);
  const toolCallId = stringOf(params['toolCallId']);
  if (sessionId !== undefined) return { sessionId, ...(toolCallId === undefined ? {} : { toolCallId }) };
  const requestId = params['requestId'];
  if (typeof requestId === 'string' || typeof requestId === 'number' || requestId === null) return { requestId };
  throw AcpError.invalidParams('sessionId or requestId must say what the elicitation belongs to');
}

function decodePage(params: JsonObject): { url: string; elicitationId: string } {
  const url = stringOf(params['url']);
  if (url === undefined) throw AcpError.invalidParams('url must be a string');
  const elicitationId = stringOf(params['elicitationId']);
  if (elicitationId === undefined) throw AcpError.invalidParams('elicitationId must be a string');
  return { url, elicitationId };
}

function decodeForm(raw: unknown, issue: (text: string) => void): ElicitationForm {
  if (!isObject(raw)) throw AcpError.invalidParams('requestedSchema must be an object');
  const properties = raw['properties'] ?? {};
  if (!isObject(properties)) throw AcpError.invalidParams('requestedSchema.properties must be an object');
  const entries = Object.entries(properties);
  if (entries.length > maxFields)
    throw AcpError.invalidParams(`requestedSchema.properties must hold at most ${maxFields} properties`);
  const required = new Set(Array.isArray(raw['required']) ? raw['required'] : []);
  for (const name of required)
    if (typeof name !== 'string' || !Object.hasOwn(properties, name))
      issue(`requestedSchema.required names ${JSON.stringify(name)}, which is no property`);
  const title = stringOf(raw['title']);
  const description = stringOf(raw['description']);
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    fields: entries.map(([key, property]) => decodeFormField(key, property, required.has(key), issue)),
  };
}
