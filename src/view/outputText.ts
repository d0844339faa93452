import * as l10n from '@vscode/l10n';
import { type DecodedBlock, imageOf } from '../acp/decodeContent';
import { stringOf } from '../base/decode';
import { isObject } from '../base/json';
import { withoutControls } from '../base/controlSequences';
import { findText } from '../base/findText';
import { commandLineOf } from '../permission/commandLine';
import type { ToolContentView } from '../protocol/toolCallView';
import type { ToolCall } from '../thread/thread';

const maxDepth = 5;
const maxItems = 100;
/** Characters that a card carries. */
const maxText = 200_000;

/**
 * Fields of a raw output with a tool's text, the best first, in lower case and without marks between words.
 */
const textFields = [
  'output',
  'aggregatedoutput',
  'formattedoutput',
  'combinedoutput',
  'outputtext',
  'result',
  'ok',
  'text',
  'content',
  'contents',
  'llmcontent',
  'returndisplay',
  'toolresult',
  'toolresponse',
  'functionresponse',
  'response',
  'body',
  'data',
  'json',
  'file',
  'results',
  'items',
  'lines',
  'logs',
  'matches',
  'filenames',
  'observation',
  'answer',
  'summary',
  'value',
  'message',
  'detailedcontent',
  'details',
];

/**
 * The text of a call that has it only in its raw output. Undefined if that has no words.
 * Lists of any values are searched for a command's text. For other tools, only lists of texts count: otherwise the text
 * would hide the file or page of each item.
 */
export function outputText({ rawOutput, toolKind }: Pick<ToolCall, 'rawOutput' | 'toolKind'>): string | undefined {
  const texts: string[] = [];
  take(rawOutput, texts, toolKind === 'execute', 0);
  const text = texts.filter((part) => part.trim() !== '').join('\n');
  return text === '' ? undefined : text;
}

function take(value: unknown, texts: string[], takesLists: boolean, depth: number): void {
  if (depth > maxDepth || texts.length > maxItems) return;
  // An image has a word in its place, and is shown below.
  if (typeof value === 'string') return void (isImageWord(value) || texts.push(value));
  if (Array.isArray(value)) {
    const isResource = value.length === 1 && isObject(value[0]) && typeof value[0]['uri'] === 'string';
    if (!takesLists && !isResource && !value.slice(0, maxItems).every(isBlock)) return;
    for (const item of value.slice(0, maxItems)) take(item, texts, takesLists, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const before = texts.length;
  const fields = new Map(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([name, field]) => [plainName(name), field]),
  );
  for (const field of ['stdout', 'stderr']) take(fields.get(field), texts, takesLists, depth + 1);
  for (const field of textFields) if (texts.length === before) take(fields.get(field), texts, takesLists, depth + 1);
  const said = texts.slice(before).join('\n');
  for (const reason of [fields.get('error'), fields.get('err')]) {
    const error = stringOf(reason) ?? (isObject(reason) ? (stringOf(reason['message']) ?? '') : '');
    if (error !== '' && !said.includes(error)) texts.push(error);
  }
}

function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** Text, or a block of content as ACP and MCP have them. */
function isBlock(item: unknown): boolean {
  if (!isObject(item)) return typeof item === 'string';
  const [name, ...others] = Object.keys(item);
  if (others.length === 0 && name !== undefined && plainName(name) === 'text' && typeof item[name] === 'string')
    return true;
  return (
    typeof item['type'] === 'string' &&
    /^(?:text|content|image|audio|resource|input_text|output_text)/i.test(item['type'])
  );
}

/** The text in the raw output, for a call whose content only repeats its input. */
export function addedText(call: ToolCall, content: readonly ToolContentView[]): string | undefined {
  const texts = content.map((item) =>
    item.type === 'content' && item.content.type === 'text' ? item.content.text : undefined,
  );
  const given = isObject(call.rawInput) ? Object.values(call.rawInput) : [call.rawInput];
  if (!texts.every((text) => text !== undefined && given.includes(text))) return undefined;
  const text = outputText(call);
  if (text === undefined || texts.some((other) => (findText(other!, text.trim()) ?? 0) >= 0)) return undefined;
  return withoutControls(
    text.length > maxText
      ? `${text.slice(0, maxText)}\n${l10n.t('… {0} more characters', text.length - maxText)}`
      : text,
  );
}

/** True if an item only repeats the command, as some agents begin the output of one. */
export function isPrompt(item: ToolContentView, call: ToolCall): boolean {
  if (item.type !== 'content' || item.content.type !== 'text' || call.toolKind !== 'execute') return false;
  const command = commandLineOf(call.rawInput, call.toolKind)?.text;
  return command !== undefined && item.content.text.trim() === `$ ${command.trim()}`;
}

/** Limits of the search for images in a raw output. */
const maxImageDepth = 5;
const maxImageValues = 1_000;
/** Images of one output that a card shows. */
const maxImages = 20;

/** A raw output without its images, and the images. */
interface OutputImages {
  readonly images: readonly DecodedBlock[];
  /** With a word in the place of each image. */
  readonly rest: unknown;
}

/** Finds images that some tools put only into their raw output, where they are not visible. */
export function outputImages(rawOutput: unknown): OutputImages {
  const images: DecodedBlock[] = [];
  let room = maxImageValues;
  const without = (value: unknown, depth: number): unknown => {
    if (
      value === null ||
      (typeof value !== 'object' && typeof value !== 'string') ||
      depth > maxImageDepth ||
      room-- <= 0
    )
      return value;
    const block = images.length < maxImages && !Array.isArray(value) ? imageOf(value) : undefined;
    if (Array.isArray(value)) return value.map((item) => without(item, depth + 1));
    if (block?.type !== 'image')
      return typeof value === 'string'
        ? value
        : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, without(field, depth + 1)]));
    images.push(block);
    return `[${block.mimeType}]`;
  };
  const rest = without(rawOutput, 0);
  return { images, rest: images.length === 0 ? rawOutput : rest };
}

/** True if a text is the placeholder of an image. */
function isImageWord(text: string): boolean {
  return /^\[image\/[\w.+-]{1,40}\]$/.test(text);
}
