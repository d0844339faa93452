import { AcpError, ErrorCodes } from '../acp/errors';
import { asObject, numberOf, stringOf } from '../base/decode';
import { isObject, type JsonObject, parsedJson } from '../base/json';
import { plainReason } from './plainReason';

/** What went wrong, as far as code and data of an error tell. `other`: nothing but the agent's own words. */
export type ErrorCause =
  | 'signIn'
  | 'credentials'
  | 'forbidden'
  | 'payment'
  | 'rateLimit'
  | 'overloaded'
  | 'provider'
  | 'timeout'
  | 'badRequest'
  | 'tooLarge'
  | 'noModel'
  | 'outputLimit'
  | 'sessionGone'
  | 'unsupported'
  | 'refused'
  | 'misunderstood'
  | 'version'
  | 'calledOff'
  | 'internal'
  | 'other';

const byCode: ReadonlyMap<number, ErrorCause> = new Map<number, ErrorCause>([
  [ErrorCodes.authRequired, 'signIn'],
  [ErrorCodes.resourceNotFound, 'sessionGone'],
  [ErrorCodes.methodNotFound, 'unsupported'],
  [ErrorCodes.invalidParams, 'refused'],
  [ErrorCodes.parseError, 'misunderstood'],
  [ErrorCodes.invalidRequest, 'misunderstood'],
  [ErrorCodes.unsupportedVersion, 'version'],
  [ErrorCodes.requestCancelled, 'calledOff'],
  [ErrorCodes.internalError, 'internal'],
]);

/** `data.errorKind` of several agents, and the types of errors of models' providers, without `_error` at the end. */
const byKind: Readonly<Record<string, ErrorCause>> = {
  authentication_failed: 'credentials',
  authentication: 'credentials',
  authentication_required: 'credentials',
  auth_required: 'credentials',
  unauthenticated: 'credentials',
  unauthorized: 'credentials',
  invalid_api_key: 'credentials',
  permission: 'forbidden',
  permission_denied: 'forbidden',
  insufficient_quota: 'payment',
  billing: 'payment',
  rate_limit_exceeded: 'rateLimit',
  resource_exhausted: 'rateLimit',
  too_many_requests: 'rateLimit',
  server_overloaded: 'overloaded',
  request_too_large: 'tooLarge',
  context_length_exceeded: 'tooLarge',
  oauth_org_not_allowed: 'forbidden',
  rate_limit: 'rateLimit',
  overloaded: 'overloaded',
  server: 'provider',
  api: 'provider',
  timeout: 'timeout',
  invalid_request: 'badRequest',
  model_not_found: 'noModel',
  max_output_tokens: 'outputLimit',
};

const byStatus: ReadonlyMap<number, ErrorCause> = new Map<number, ErrorCause>([
  [401, 'credentials'],
  [402, 'payment'],
  [403, 'forbidden'],
  [404, 'noModel'],
  [408, 'timeout'],
  [413, 'tooLarge'],
  [429, 'rateLimit'],
  [500, 'provider'],
  [504, 'timeout'],
]);

/**
 * Finds the cause. Some agents give an HTTP status of their model's provider as the code, or begin their words with
 * one.
 */
export function causeOf(error: AcpError): ErrorCause {
  const cause = byCode.get(error.code) ?? causeOfStatus(error.code) ?? 'other';
  // One agent answers so for a session that it does not know.
  if (cause === 'refused' && typeof asObject(error.data)['sessionId'] === 'string' && /not found/i.test(error.message))
    return 'sessionGone';
  if (cause !== 'internal') return cause;
  const facts = factsOf(error);
  const kinds = facts.flatMap((fact) => kindFields.flatMap((field) => kindOf(fact[field]) ?? []));
  const statuses = [
    statusInWords.exec(reasonOf(error) ?? '')?.[1],
    ...facts.flatMap((fact) => statusFields.map((field) => fact[field])),
  ];
  const byNumber = statuses.map((status) => causeOfStatus(Number(status))).find((found) => found !== undefined);
  // These say no more than that a number was of the four or five hundreds.
  const general = kinds[0] === 'badRequest' || kinds[0] === 'provider';
  return (general ? undefined : kinds[0]) ?? byNumber ?? kinds[0] ?? cause;
}

function kindOf(word: unknown): ErrorCause | undefined {
  const kind = stringOf(word)
    ?.toLowerCase()
    .replace(/_error$/, '');
  return kind !== undefined && Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;
}

const kindFields = ['errorKind', 'type', 'code', 'kind', 'status'];
const statusFields = ['status', 'statusCode', 'status_code', 'httpStatus', 'http_status', 'code'];
/** Words that begin with a status. Any other number is none. */
const statusInWords =
  /^(?:API Error: |HTTP(?: error| status)?:? |(?:error|status)[ _]code[:=]? ?|got status: |request failed with status(?: code)? |unexpected status )?([45]\d\d)\b/i;

/** Where an error says in fields what kind it is: in its data, or in the JSON of its model's provider. */
function factsOf({ message, data }: AcpError): readonly JsonObject[] {
  const words = [message, stringOf(data), stringOf(asObject(data)['details']), stringOf(asObject(data)['message'])];
  const said = words.flatMap((text) =>
    text === undefined || text.length > maxRead
      ? []
      : [asObject(parsedJson(text.slice(Math.max(0, text.indexOf('{')))))],
  );
  return [asObject(data), ...said].flatMap((fact) => [fact, asObject(fact['error']), asObject(fact['response'])]);
}

/**
 * True where signing in is what helps (items 41, 43): -32000, and -32603 from agents that tell only by `errorKind` or
 * an HTTP status in their words. No other code does.
 */
export function wantsSignIn(error: unknown): error is AcpError {
  if (!(error instanceof AcpError)) return false;
  return (
    error.code === ErrorCodes.authRequired ||
    (error.code === ErrorCodes.internalError && causeOf(error) === 'credentials')
  );
}

function causeOfStatus(status: number): ErrorCause | undefined {
  if (!(status >= 400 && status < 600)) return undefined;
  return byStatus.get(status) ?? (status < 500 ? 'badRequest' : 'overloaded');
}

/** Characters of a text in which JSON is looked for. */
const maxRead = 100_000;
/** Characters of a reason. */
const maxReason = 4_000;

/** Words that only name the code; what stands behind them is the reason. */
const codeNames = /^(?:internal (?:server )?error|invalid params|invalid request|parse error|server error)\b[\s:.]*/i;

/** Fields in which a reason is given, the best first. Others are codes, stacks and what was asked. */
const reasonFields = [
  'details',
  'detail',
  'reason',
  'message',
  'errorMessage',
  'error_message',
  'errorDescription',
  'error_description',
  'explanation',
  'description',
  'msg',
  'text',
  'title',
  'statusText',
  'error',
  'errors',
  'exception',
  'cause',
  'causes',
  'reasons',
  'innerError',
  'inner_error',
  'originalError',
  'data',
  'body',
  'response',
  'stderr',
];
/** How deep a reason is looked for, and how many texts are. */
const maxDepth = 8;
const maxTexts = 40;

/**
 * The reason in the agent's own words: agents put it in the message, in `data` as text, as a list or in fields at any
 * depth, and some give the JSON of their model's provider. Bounded. `undefined` where there is none.
 */
export function reasonOf(error: AcpError): string | undefined {
  const found: string[] = [];
  take(error.message.replace(codeNames, ''), found, 0);
  take(error.data, found, 0);
  const read = () =>
    found
      .map((text) => plainReason(text.replace(codeNames, '')).trim().slice(0, maxReason))
      .filter((text) => text !== '');
  let texts = read();
  if (texts.length === 0) takeSentences(error.data, found, 0);
  if (texts.length === 0) texts = read();
  // A later text that says the same as an earlier one, or less, says nothing.
  const said = texts.filter(
    (text, i) => !texts.some((other, j) => j !== i && other.includes(text) && (other.length > text.length || j < i)),
  );
  return said.length === 0 ? undefined : said.join('\n').slice(0, maxReason);
}

function take(value: unknown, found: string[], depth: number): void {
  if (depth > maxDepth || found.length >= maxTexts) return;
  if (typeof value === 'string') takeText(value, found, depth);
  else if (Array.isArray(value)) for (const item of value.slice(0, maxTexts)) take(item, found, depth + 1);
  else if (isObject(value))
    for (const field of reasonFields) if (Object.hasOwn(value, field)) take(value[field], found, depth + 1);
}

/** Fields that say where it happened or what was asked. */
const noReason = /stack|trace|request|param|prompt|config|header|command|path|url/i;

/** Where no field has the name of a reason: whatever reads like a sentence. */
function takeSentences(value: unknown, found: string[], depth: number): void {
  if (depth > maxDepth || found.length >= maxTexts || !isObject(value)) return;
  for (const [name, field] of Object.entries(value).slice(0, maxTexts)) {
    if (noReason.test(name)) continue;
    if (typeof field === 'string' && /\w\s+\w/.test(field.slice(0, 200))) takeText(field, found, depth);
    else takeSentences(field, found, depth + 1);
  }
}

/**
 * Many give the JSON of their model's provider, alone or behind words: then what it says counts, where it says
 * anything.
 */
function takeText(text: string, found: string[], depth: number): void {
  const [, words = '', json] = /^([^{[]{0,200})([{[][^]*)$/.exec(text.trim()) ?? [];
  const inner: string[] = [];
  if (json !== undefined) take(parsedJson(json), inner, depth + 1);
  if (inner.length === 0) return void found.push(text);
  const [first, ...others] = inner;
  found.push(words.trim() === '' ? first! : `${words.trim()} ${first!}`, ...others);
}

/**
 * When it makes sense to try again, in epoch milliseconds (item 205): `retryAfter` in seconds or as a date, or
 * `retryAfterMs`. `undefined` where the agent does not say, or names a moment that is past or more than a week off.
 */
export function retryTime(error: AcpError, now: number): number | undefined {
  const data = asObject(error.data);
  const within = [data, asObject(data['error']), asObject(data['response'])].flatMap((part) => [
    part,
    asObject(part['headers']),
  ]);
  const found = (...names: string[]) =>
    within.flatMap((part) => names.map((name) => part[name])).find((value) => value !== undefined && value !== null);
  const ms = numberOf(found('retryAfterMs', 'retry_after_ms'));
  const after = found('retryAfter', 'retry_after', 'retry-after', 'Retry-After');
  const seconds = typeof after === 'string' && after.trim() !== '' ? Number(after) : numberOf(after);
  const at =
    ms !== undefined
      ? now + ms
      : seconds !== undefined && Number.isFinite(seconds)
        ? now + seconds * 1000
        : Date.parse(stringOf(after) ?? '');
  return at > now && at < now + 7 * 86_400_000 ? at : undefined;
}
