import type { Message } from 'vscode-jsonrpc';
import { integerOf, stringOf } from '../base/decode';
import { isObject } from '../base/json';
import { ErrorCodes } from './errors';
import { ClientMethods } from './methods';

/**
 * Translates between the messages of vscode-jsonrpc and those of ACP, and keeps whatever is not a JSON-RPC 2.0
 * envelope away from the connection. The differences:
 * - cancellation is `$/cancelRequest {id}` there and `$/cancel_request {requestId}` here;
 * - vscode-jsonrpc counts its ids from 0, which some agents take for "no id", so ids on the wire are one higher;
 * - it does not check `jsonrpc`, so a JSON log line with `id` and `result` would answer a pending call;
 * - it rejects responses that have neither `result` nor `error`, which agents send for void methods;
 * - its queue takes the ids `1` and `"1"` for the same, and would lose one of two requests, so strings get a mark
 * inside.
 */

const ourCancel = '$/cancelRequest';
const wireCancel = '$/cancel_request';
/** The protocol's notifications of agents. */
const notifications: ReadonlySet<string> = new Set([
  wireCancel,
  ClientMethods.sessionUpdate,
  ClientMethods.elicitationComplete,
]);
/** Offset of our own request ids on the wire; responses have it subtracted. */
const idOffset = 1;
/** The protocol's text for an error without a message; the reason may be in its data. */
export const noMessage = 'Internal error';
/** Prefix of the agent's string ids inside Parley. */
const stringMark = 's:';

export type Inbound = { readonly message: Message } | { readonly problem: string };

/** Checks one decoded line from the agent. Never throws; a `problem` is for the log. */
export function inbound(value: unknown): Inbound {
  if (Array.isArray(value)) return { problem: 'a JSON-RPC batch; ACP has none' };
  if (typeof value !== 'object' || value === null) return { problem: 'a JSON value that is not an object' };
  const envelope = value as Record<string, unknown>;
  if (envelope['jsonrpc'] !== '2.0') return { problem: 'an object without "jsonrpc":"2.0"' };
  if (typeof envelope['method'] === 'string') return inboundCall(envelope, envelope['method']);
  // Some libraries write every field that a message could have.
  if (envelope['method'] !== undefined && envelope['method'] !== null)
    return { problem: 'a message whose method is not a string' };
  return inboundResponse(envelope);
}

function inboundCall(envelope: Record<string, unknown>, method: string): Inbound {
  const { id: written, ...others } = envelope;
  // Some libraries write the id that a notification has not.
  const id = written === null && notifications.has(method) ? undefined : written;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    return { problem: `a request ${method} with an id that is neither string nor number` };
  // The protocol does not define the fields of an agent's own methods.
  const params = method.startsWith('_') ? envelope['params'] : respelled(envelope['params']);
  // vscode-jsonrpc handles a few `$/` notifications of another protocol by itself; ACP has only this one.
  if (id === undefined && method.startsWith('$/') && method !== wireCancel)
    return {
      problem:
        method === ourCancel
          ? `${ourCancel}, which ACP spells ${wireCancel}`
          : `a notification ${method}, which ACP has not`,
    };
  if (id !== undefined || method !== wireCancel)
    return {
      message: {
        ...others,
        ...(id === undefined ? {} : { id: insideId(id) }),
        params: params ?? {},
      } as unknown as Message,
    };
  const requestId = isObject(params) ? params['requestId'] : undefined;
  if (typeof requestId !== 'string' && typeof requestId !== 'number')
    return { problem: `${wireCancel} without a requestId` };
  return { message: { jsonrpc: '2.0', method: ourCancel, params: { id: insideId(requestId) } } as unknown as Message };
}

function inboundResponse(envelope: Record<string, unknown>): Inbound {
  const id = ownId(envelope['id']);
  const error = envelope['error'];
  if (id === undefined) {
    const reason = isObject(error) ? `: ${JSON.stringify(error).slice(0, 400)}` : '';
    return { problem: `a response with id ${JSON.stringify(envelope['id'])}${reason}` };
  }
  if (error === undefined || error === null)
    return { message: { jsonrpc: '2.0', id, result: respelled(envelope['result']) ?? null } as unknown as Message };
  const shape = isObject(error) ? error : {};
  const { code: number } = shape;
  const code =
    integerOf(typeof number === 'string' && /^-?\d+$/.test(number) ? Number(number) : number) ??
    ErrorCodes.internalError;
  const words = (stringOf(shape['message']) ?? stringOf(error)) || undefined;
  // The reason of an error of another shape is somewhere in it.
  const data = shape['data'] ?? (words === undefined ? error : undefined);
  return { message: { jsonrpc: '2.0', id, error: { code, message: words ?? noMessage, data } } as unknown as Message };
}

/** One of our own request ids as it is on the wire. */
export function wireId(id: unknown): unknown {
  return typeof id === 'number' ? id + idOffset : id;
}

function insideId(id: string | number): string | number {
  return typeof id === 'string' ? stringMark + id : id;
}

/** Reads an id; some agents return a number as a string. */
function ownId(id: unknown): number | undefined {
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  return typeof number === 'number' && Number.isInteger(number) ? number - idOffset : undefined;
}

/** Turns a message of vscode-jsonrpc into its ACP form. */
export function outbound(message: Message): object {
  const envelope = message as unknown as Record<string, unknown>;
  if (envelope['method'] === ourCancel) {
    const id = (envelope['params'] as { id?: unknown } | undefined)?.id;
    return { jsonrpc: '2.0', method: wireCancel, params: { requestId: wireId(id) } };
  }
  if (typeof envelope['method'] === 'string' && typeof envelope['id'] === 'number')
    return { ...envelope, id: wireId(envelope['id']) };
  if (envelope['method'] === undefined && typeof envelope['id'] === 'string')
    return { ...envelope, id: envelope['id'].slice(stringMark.length) };
  return envelope;
}

/** Fields whose content the protocol does not define. */
const foreign = new Set(['_meta', 'rawInput', 'raw_input', 'rawOutput', 'raw_output', 'env', 'data', 'properties']);
/** Messages of the protocol are not deeper. */
const maxDepth = 12;

/** Names that only the protocol has, in another style. One of them at the top means that all are. */
const spelledApart = [
  'session_id',
  'session_update',
  'protocol_version',
  'stop_reason',
  'tool_call_id',
  'config_options',
  'current_mode_id',
  'next_cursor',
  'requested_schema',
];

/**
 * Restores the protocol's field names. Some agents' libraries write them in their language's style: `session_id` for
 * `sessionId`. @returns the value itself if it has no such field
 */
export function respelled(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { update, modes, sessions } = value;
  const seen = [value, update, modes, Array.isArray(sessions) ? sessions[0] : undefined];
  return seen.some(isSpelledApart) ? camelCased(value, 0) : value;
}

function isSpelledApart(value: unknown): boolean {
  return isObject(value) && spelledApart.some((name) => Object.hasOwn(value, name));
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
