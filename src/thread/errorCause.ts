import { AcpError, ErrorCodes } from '../acp/errors';
import { asObject, numberOf, stringOf } from '../base/decode';
import { isObject, type JsonObject, parsedJson } from '../base/json';

/** The cause of a failure, as far as an error's code and data tell. `other`: only the agent's own words are known. */
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

/** `data.errorKind` of several agents, and the error types of model providers, without `_error` at the end. */
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
  usage_limit_exceeded: 'rateLimit',
  usage_limit_reached: 'rateLimit',
  usagelimitexceeded: 'rateLimit',
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
 * Finds the cause. Some agents give their model provider's HTTP status as the code, or begin their message with one.
 */
export function causeOf(error: AcpError): ErrorCause {
  const cause = byCode.get(error.code) ?? causeOfStatus(error.code) ?? 'other';
  // One agent answers this way for an unknown session.
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
  // These only mean a status in the four or five hundreds.
  const general = kinds[0] === 'badRequest' || kinds[0] === 'provider';
  return (general ? undefined : kinds[0]) ?? byNumber ?? kinds[0] ?? cause;
}

function kindOf(word: unknown): ErrorCause | undefined {
  const kind = stringOf(word)
    ?.toLowerCase()
    .replace(/_error$/, '');
  return kind !== undefined && Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;
}

const kindFields = ['errorKind', 'codexErrorInfo', 'type', 'code', 'kind', 'status'];
const statusFields = ['status', 'statusCode', 'status_code', 'httpStatus', 'http_status', 'code'];
/** A message that begins with an HTTP status. Other numbers are ignored. */
const statusInWords =
  /^(?:API Error: |HTTP(?: error| status)?:? |(?:error, )?(?:error|status)[ _]code[:=]? ?|got status: |request failed with status(?: code)? |unexpected status )?([45]\d\d)\b/i;

/** The fields of an error that name its kind: in its data, or in the JSON of a model provider. */
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
 * True if signing in helps (items 41, 43): for -32000, and for -32603 from agents that tell it only by `errorKind` or
 * an HTTP status in the message. No other code counts.
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

/** The most characters of a text that are searched for JSON. */
const maxRead = 100_000;
/** The most characters of a reason. */
const maxReason = 4_000;

/** Words that only repeat the code; the reason follows them. */
const codeNames = /^(?:internal (?:server )?error|invalid params|invalid request|parse error|server error)\b[\s:.]*/i;

/** Fields that contain a reason, the best first. Other fields are codes, stacks and the request. */
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
  'issues',
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
/** Limits of the search for a reason: depth and number of texts. */
const maxDepth = 8;
const maxTexts = 40;

/**
 * The reason in the agent's own words. Agents put it in the message, in `data` as text, as a list or in fields at any
 * depth, and some pass on a model provider's JSON. Bounded. `undefined` if there is none.
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
  // Drop a later text that repeats all or part of an earlier one.
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
    for (const field of [...reasonFields, ...(systemCode.test(String(value['code'])) ? ['code'] : [])])
      if (Object.hasOwn(value, field)) take(value[field], found, depth + 1);
}

/** What the system calls a failure of the network or of a file: ECONNREFUSED, EAI_AGAIN. */
const systemCode = /^E[A-Z_]{3,20}$/;

/** Fields that contain the place of the error or the request. */
const noReason = /stack|trace|request|param|prompt|config|header|command|path|url/i;

/** Collects sentences, if no field has the name of a reason. */
function takeSentences(value: unknown, found: string[], depth: number): void {
  if (depth > maxDepth || found.length >= maxTexts || !isObject(value)) return;
  for (const [name, field] of Object.entries(value).slice(0, maxTexts)) {
    // The libraries that check values list what is wrong with each field.
    const [wrong] = [asObject(field)['_errors']].flat();
    if (typeof wrong === 'string') found.push(`${name}: ${wrong}`);
    if (noReason.test(name)) continue;
    if (typeof field === 'string' && /\w\s+\w/.test(field.slice(0, 200))) takeText(field, found, depth);
    else takeSentences(field, found, depth + 1);
  }
}

/**
 * Collects the reason from a text. If it contains a model provider's JSON, alone or after words, the JSON's texts
 * count, unless it has none.
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
 * The earliest time for a retry, in epoch milliseconds (item 205): `retryAfter` in seconds or as a date, or
 * `retryAfterMs`. `undefined` if the agent gives none, or a time that is past or more than a week away.
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

/** Text that a program prints for a missing value. */
const nothing = /^(?:\[object Object\]|undefined|null|None|nil|NaN|\{\}|\[\])$/;
/** The most characters of a page that are read. */
const maxPage = 20_000;

/**
 * The readable words of a reason, without the HTML of a gateway's page or the frames of a stack. "" if there are none.
 */
function plainReason(text: string): string {
  const words = text.trim();
  if (nothing.test(words)) return '';
  const page = /<(?:!doctype html|html|head)\b/i.exec(words.slice(0, maxPage));
  if (page) return pageWords(words, page.index);
  if (/^traceback\b/i.test(words)) return words.slice(words.lastIndexOf('\n') + 1);
  return words.includes('\n')
    ? words
        .split('\n')
        .filter((line) => !/^\s+at \S.{0,500}(?::\d+|\(<anonymous>\)|\(native\))\)?\s*$/.test(line))
        .join('\n')
    : text;
}

/** The title of an HTML page after the words before it. */
function pageWords(text: string, at: number): string {
  const before = text.slice(0, at).trim();
  const page = text.slice(at, at + maxPage);
  const title =
    (/<title[^<>]{0,200}>([^<]{1,500})</i.exec(page) ?? /<h1[^<>]{0,200}>([^<]{1,500})</i.exec(page))?.[1]
      ?.replace(/\s+/g, ' ')
      .trim() ?? '';
  return before === '' || title.startsWith(before) ? title || before : `${before} ${title}`.trim();
}
