import type { Update } from '../acp/decodeUpdate';
import { asObject, integerOf, stringOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';
import type { TerminalFields } from '../acp/v2/decodeTerminal';

/** An agent's report about its own terminal: in `_meta` of a tool call, or in updates (v2). */
export type AgentTerminalEvent =
  | { readonly type: 'started'; readonly terminalId: string; readonly cwd?: string }
  | { readonly type: 'output'; readonly terminalId: string; readonly data: string }
  | { readonly type: 'patched'; readonly terminalId: string; readonly fields: TerminalFields }
  /** Output, base64: bytes that may end within a character. */
  | { readonly type: 'bytes'; readonly terminalId: string; readonly data: string }
  | {
      readonly type: 'exited';
      readonly terminalId: string;
      readonly exitCode: number | null;
      readonly signal: string | null;
    };

/** The terminal events in an update; most have none. */
export function terminalEventsOf(update: Update): readonly AgentTerminalEvent[] {
  switch (update.type) {
    case 'toolCall':
      return agentTerminalEvents(update.fields.meta);
    case 'terminal':
      return [{ type: 'patched', terminalId: update.fields.terminalId, fields: update.fields }];
    case 'terminalBytes':
      return [{ type: 'bytes', terminalId: update.terminalId, data: update.data }];
    default:
      return [];
  }
}

/**
 * Reads the de-facto convention for commands that run on the agent's side: `terminal_info`, `terminal_output`,
 * `terminal_output_delta` and `terminal_exit` (item 117). Data may come before info, and an exit may never come. Codex
 * sends the delta form to clients that did not ask, so all forms are always read.
 */
export function agentTerminalEvents(meta: JsonObject | undefined): readonly AgentTerminalEvent[] {
  if (!meta) return [];
  const events: AgentTerminalEvent[] = [];
  const info = asObject(meta['terminal_info']);
  const infoId = stringOf(info['terminal_id']);
  const cwd = stringOf(info['cwd']);
  if (infoId !== undefined) events.push({ type: 'started', terminalId: infoId, ...(cwd === undefined ? {} : { cwd }) });
  for (const key of ['terminal_output', 'terminal_output_delta']) {
    const output = meta[key];
    if (!isObject(output)) continue;
    const terminalId = stringOf(output['terminal_id']);
    const data = stringOf(output['data']);
    if (terminalId !== undefined && data !== undefined && data !== '')
      events.push({ type: 'output', terminalId, data });
  }
  const exit = asObject(meta['terminal_exit']);
  const exitId = stringOf(exit['terminal_id']);
  if (exitId !== undefined)
    events.push({
      type: 'exited',
      terminalId: exitId,
      exitCode: integerOf(exit['exit_code']) ?? null,
      signal: stringOf(exit['signal']) ?? null,
    });
  return events;
}
