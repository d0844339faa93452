import { asObject, isObject } from '../acp/json';
import { withoutControls } from '../base/controlSequences';
import type { ToolContentView } from '../protocol/toolCallView';
import type { ToolCall } from '../thread/thread';

/** Lines of output that a card carries: the last ones. */
const maxLines = 2_000;
const maxCharacters = 200_000;
/** Of a longer output the beginning is not read: the card is made again at each update. Characters, colours among them. */
const maxRead = 1_000_000;
/** How deep and how far an exit code is looked for. */
const maxDepth = 4;
const maxFields = 100;

/**
 * What a command said, where the agent sends it as text and not as a terminal: shown as it is, because Markdown would
 * join its lines. `undefined` for any other call.
 */
export function commandOutput(call: ToolCall, content: readonly ToolContentView[]): ToolContentView[] | undefined {
  if (call.toolKind !== 'execute' || content.length === 0) return undefined;
  const texts = content.map((item) => (item.type === 'content' && item.content.type === 'text' ? item.content.text : undefined));
  if (!texts.every((text) => text !== undefined)) return undefined;
  const whole = plain(texts.map(withoutFence).join('\n').slice(-maxRead));
  const lines = whole.slice(-maxCharacters).replace(/\n$/, '').split('\n');
  const end = endOf(call.rawOutput, { fields: maxFields }, 0);
  const dropped = Math.max(0, lines.length - maxLines);
  return [{ type: 'terminal', terminalId: `output-${call.id}`, output: { lines: lines.slice(dropped), firstLine: dropped, ...end } }];
}

/** Many agents put the output into a block of code. The end is looked for at each character, so a fence has a limit. */
function withoutFence(text: string): string {
  return /^\s*(`{3,20}|~{3,20})[^\n`]*\n([^]*?)\n?\1\s*$/.exec(text)?.[2] ?? text;
}

/** Without colours and cursor movements, and of a line that was written anew only the last version. Takes time by the length of the text alone. */
function plain(text: string): string {
  return withoutControls(text).split('\n').map(lastVersion).join('\n');
}

/** What follows the last return to the beginning of a line. A regular expression would look for one from each character on. */
function lastVersion(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** `exitCode`, `exit_code` or `success` anywhere in what the tool gave. */
function endOf(value: unknown, room: { fields: number }, depth: number): { readonly exitCode?: number; readonly failed?: true } {
  if (!isObject(value) || depth > maxDepth) return {};
  const fields = Object.entries(asObject(value)).slice(0, maxFields);
  for (const [name, field] of fields) if (/^exit_?code$/i.test(name) && Number.isInteger(field)) return { exitCode: field as number };
  for (const [, field] of fields) {
    if (room.fields-- <= 0) break;
    const found = endOf(field, room, depth + 1);
    if (found.exitCode !== undefined || found.failed) return found;
  }
  return fields.some(([name, field]) => name === 'success' && field === false) ? { failed: true } : {};
}
