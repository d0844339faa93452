import { withoutControls } from '../base/controlSequences';
import type { ToolContentView } from '../protocol/toolCallView';
import type { ToolCall } from '../thread/thread';
import { commandEnd } from './commandEnd';
import { outputText } from './outputText';

/** Lines of output that a card carries: the last ones. */
const maxLines = 2_000;
const maxCharacters = 200_000;
/**
 * The beginning of a longer output is not read, because each update makes the card again. Characters, with colours.
 */
const maxRead = 1_000_000;

/**
 * The output of a command that the agent sends as text, or only as raw output, rather than as a terminal. It is shown
 * unchanged, because Markdown would join its lines. `undefined` for any other call.
 */
export function commandOutput(call: ToolCall, content: readonly ToolContentView[]): ToolContentView[] | undefined {
  if (call.toolKind !== 'execute') return undefined;
  const raw = content.length === 0 ? outputText(call) : undefined;
  const texts =
    raw === undefined
      ? content.map((item) => (item.type === 'content' && item.content.type === 'text' ? item.content.text : undefined))
      : [raw];
  if (texts.length === 0 || !texts.every((text) => text !== undefined)) return undefined;
  const whole = plain(texts.map(withoutFence).join('\n').slice(-maxRead));
  const lines = whole.slice(-maxCharacters).replace(/\n$/, '').split('\n');
  const said = commandEnd(call.rawOutput, texts);
  // The user stopped it, which is no failure.
  const end = call.wasStopped && said.failed ? {} : said;
  const dropped = Math.max(0, lines.length - maxLines);
  return [
    {
      type: 'terminal',
      terminalId: `output-${call.id}`,
      output: { lines: lines.slice(dropped), firstLine: dropped, ...end },
    },
  ];
}

/** Many agents put the output into a block of code. The end is looked for at each character, so a fence has a limit. */
function withoutFence(text: string): string {
  return /^\s*(`{3,20}|~{3,20})[^\n`]*\n([^]*?)\n?\1\s*$/.exec(text)?.[2] ?? text;
}

/**
 * Without colours and cursor movements, and with only the last version of each overwritten line. Linear in the length
 * of the text.
 */
function plain(text: string): string {
  return withoutControls(text).split('\n').map(lastVersion).join('\n');
}

/**
 * The text after the last carriage return. A regular expression would search anew from each character.
 */
function lastVersion(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}
