import { asObject, integerOf, stringOf } from '../../base/decode';
import { isObject, type JsonObject } from '../../base/json';

/** Bounds of rows and columns: no terminal has more, and an emulator would allocate the memory anyway. */
const minCells = 2;
const maxCells = 1_000;

/** `terminal_update` as decoded: absent keeps, null clears, a value replaces. */
export interface TerminalFields {
  readonly terminalId: string;
  readonly command?: string | null;
  /** All output so far, base64; replaces earlier output. */
  readonly output?: string | null;
  /** Present once the command has ended, even if both values are unknown. */
  readonly exit?: { readonly exitCode: number | null; readonly signal: string | null } | null;
  readonly size?: { readonly cols: number; readonly rows: number } | null;
  readonly canCancel?: boolean;
}

/**
 * Reads a `terminal_update` (schema v2 `TerminalUpdate`). `undefined` without an id; malformed fields count as absent.
 */
export function decodeTerminal(update: JsonObject): TerminalFields | undefined {
  const terminalId = stringOf(update['terminalId']);
  if (terminalId === undefined) return undefined;
  const fields: { -readonly [K in keyof TerminalFields]: TerminalFields[K] } = { terminalId };
  const { command, output, exitStatus, size } = update;
  if (command === null || typeof command === 'string') fields.command = command;
  const data = output === null ? null : stringOf(asObject(output)['data']);
  if (data !== undefined) fields.output = data;
  if (exitStatus === null) fields.exit = null;
  else if (isObject(exitStatus))
    fields.exit = {
      exitCode: integerOf(exitStatus['exitCode']) ?? null,
      signal: stringOf(exitStatus['signal']) ?? null,
    };
  const cols = cells(asObject(size)['cols']);
  const rows = cells(asObject(size)['rows']);
  if (size === null) fields.size = null;
  else if (cols !== undefined && rows !== undefined) fields.size = { cols, rows };
  if ('capabilities' in update) fields.canCancel = canCancel(update['capabilities']);
  return fields;
}

/** Reads `capabilities` of a tool call or terminal: null and malformed both mean "cannot be cancelled" (item 196). */
export function canCancel(capabilities: unknown): boolean {
  return isObject(asObject(capabilities)['cancel']);
}

function cells(value: unknown): number | undefined {
  const count = integerOf(value);
  return count === undefined || count < 1 ? undefined : Math.min(Math.max(count, minCells), maxCells);
}
