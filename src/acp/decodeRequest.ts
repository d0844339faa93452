import type { CreateTerminalRequest, ReadTextFileRequest, WriteTextFileRequest } from '@agentclientprotocol/sdk';
import { decodeToolCall, type ToolCallFields } from './decodeUpdate';
import { AcpError } from './errors';
import { asObject, stringOf, usableOf, wordOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';

export const permissionKinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;

export interface PermissionChoice {
  readonly optionId: string;
  readonly name: string;
  /** A hint only: several options may share a kind, and a newer agent may send unknown kinds. */
  readonly kind: (typeof permissionKinds)[number] | 'other';
}

/** `session/request_permission` as decoded. */
export interface PermissionParams {
  readonly sessionId: string;
  /** The call that the request is about. A request of v2 may have none and then gets its own card. */
  readonly toolCall?: ToolCallFields;
  readonly options: readonly PermissionChoice[];
  /** The title of the request (v2); without it, the call's title is used. */
  readonly title?: string;
  readonly description?: string;
  /** The command that would run (v2). */
  readonly command?: {
    readonly text: string;
    readonly cwd?: string;
    readonly terminalId?: string;
    /** Further fields of the request that this version of the protocol does not have. */
    readonly further?: readonly { readonly name: string; readonly value: unknown }[];
  };
}

/*
 * /* Readers for requests of the agent. Each throws `AcpError` -32602 that names the field. A request is never half
 * understood.
 */

export function decodePermission(raw: unknown, issue: (text: string) => void): PermissionParams {
  const params = asObject(raw);
  const toolCall = decodeToolCall(params['toolCall'], issue);
  if (!toolCall) throw AcpError.invalidParams('toolCall.toolCallId must be a string');
  return { sessionId: required(params, 'sessionId'), toolCall, options: decodePermissionOptions(params, issue) };
}

/** @throws AcpError -32602 if no option can be chosen. */
export function decodePermissionOptions(
  params: JsonObject,
  issue: (text: string) => void,
): readonly PermissionChoice[] {
  const options = usableOf(decodeOption, issue, 'options')(params['options']) ?? [];
  if (options.length === 0) throw AcpError.invalidParams('options must hold at least one option with an optionId');
  return options;
}

function decodeOption(raw: unknown): PermissionChoice | undefined {
  const option = asObject(raw);
  const optionId = stringOf(option['optionId']);
  if (optionId === undefined) return undefined;
  return {
    optionId,
    name: stringOf(option['name'])?.trim() || stringOf(option['label'])?.trim() || optionId,
    kind: wordOf(permissionKinds, option['kind']) ?? 'other',
  };
}

export function decodeReadTextFile(raw: unknown): ReadTextFileRequest {
  const params = asObject(raw);
  return {
    sessionId: required(params, 'sessionId'),
    path: required(params, 'path'),
    line: wholeNumber(params, 'line'),
    limit: wholeNumber(params, 'limit'),
  };
}

export function decodeWriteTextFile(raw: unknown): WriteTextFileRequest {
  const params = asObject(raw);
  return {
    sessionId: required(params, 'sessionId'),
    path: required(params, 'path'),
    content: required(params, 'content'),
  };
}

export function decodeCreateTerminal(raw: unknown): CreateTerminalRequest {
  const params = asObject(raw);
  const cwd = params['cwd'] ?? undefined;
  if (cwd !== undefined && typeof cwd !== 'string') throw AcpError.invalidParams('cwd must be a string');
  return {
    sessionId: required(params, 'sessionId'),
    command: required(params, 'command'),
    args: strictList(params, 'args', (item) => stringOf(item)),
    env: strictList(params, 'env', (item) => {
      const variable = asObject(item);
      const name = stringOf(variable['name']);
      const value = stringOf(variable['value']);
      return name === undefined || value === undefined ? undefined : { name, value };
    }),
    cwd: cwd ?? null,
    outputByteLimit: wholeNumber(params, 'outputByteLimit'),
  };
}

/** Reads the parameters of the four methods that only name a terminal. */
export function decodeTerminalRef(raw: unknown): { sessionId: string; terminalId: string } {
  const params = asObject(raw);
  return { sessionId: required(params, 'sessionId'), terminalId: required(params, 'terminalId') };
}

/** Reads the envelope of `session/update`; `undefined` when it names no session. */
export function decodeSessionUpdateEnvelope(raw: unknown): { sessionId: string; update: unknown } | undefined {
  if (!isObject(raw)) return undefined;
  const sessionId = stringOf(raw['sessionId']);
  return sessionId === undefined ? undefined : { sessionId, update: raw['update'] };
}

function required(params: JsonObject, field: string): string {
  const value = stringOf(params[field]);
  if (value === undefined) throw AcpError.invalidParams(`${field} must be a string`);
  return value;
}

/** A number of the schema's `uint` kind; `null` and absent mean "not given". */
function wholeNumber(params: JsonObject, field: string): number | null {
  const value = params[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw AcpError.invalidParams(`${field} must be a whole number that is not negative`);
  return value;
}

function strictList<T>(params: JsonObject, field: string, decode: (item: unknown) => T | undefined): T[] {
  const value = params[field] ?? [];
  if (!Array.isArray(value)) throw AcpError.invalidParams(`${field} must be a list`);
  return value.map((item, index) => {
    const decoded = decode(item);
    if (decoded === undefined) throw AcpError.invalidParams(`${field}[${index}] is malformed`);
    return decoded;
  });
}
