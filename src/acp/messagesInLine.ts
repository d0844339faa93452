import { withoutControls } from '../base/controlSequences';
import { isObject, parsedJson } from '../base/json';

/** The content of one line of stdout. */
export interface LineContent {
  /** JSON values, in order. */
  readonly values: readonly unknown[];
  /** The visible text around them. */
  readonly rest: string;
}

/**
 * Work allowed beyond four times the line's length, in characters: braces in a log message are tried without success.
 */
const freeLength = 1_000_000;
/** Cost of one attempt besides its characters: an error of the parser takes time, too. */
const tryCost = 2_000;

/**
 * Finds the messages of a line. Usually the line is one. Otherwise Parley ignores the text around them: a byte order
 * mark, control sequences for a terminal, the beginning of a log line, another message. JSON that is not a JSON-RPC
 * message counts as text. Takes linear time.
 */
export function messagesInLine(line: string): LineContent {
  const whole = parsedJson(line);
  if (whole !== undefined) return { values: [whole], rest: '' };
  // JSON has no raw escape character, so this never changes a message, even with a sequence inside it.
  const found = messagesIn(withoutControls(line));
  // The removed sequence began before a message and ended after it, so the message is gone: try the raw line.
  return found.values.length === 0 && line.includes('\u001b') ? orElse(messagesIn(line), found) : found;
}

function orElse(found: LineContent, other: LineContent): LineContent {
  return found.values.length > 0 ? found : other;
}

function messagesIn(text: string): LineContent {
  const values: unknown[] = [];
  const around: string[] = [];
  let from = 0;
  let room = text.length * 4 + freeLength;
  for (let at = text.indexOf('{'); at !== -1 && room > 0;) {
    const end = endOfObject(text, at);
    const value = end === undefined ? undefined : looseJson(text.slice(at, end));
    if (end !== undefined && isObject(value) && 'jsonrpc' in value) {
      values.push(value);
      around.push(text.slice(from, at));
      from = end;
    } else room -= tryCost + (end ?? text.length) - at;
    at = text.indexOf('{', value === undefined ? at + 1 : end);
  }
  around.push(text.slice(from));
  return {
    values,
    rest: around
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(' '),
  };
}

/**
 * The value of a JSON text, also of one as some libraries write it: with numbers that JSON has not, which are read as
 * null, and with raw controls in its texts.
 */
function looseJson(text: string): unknown {
  const value = parsedJson(text);
  if (value !== undefined || !oddity.test(text)) return value;
  let inString = false;
  return parsedJson(
    text.replace(tokens, (token) => {
      if (token === '"') inString = !inString;
      if (token === '"' || token.startsWith('\\')) return token;
      if (token < ' ') return inString ? `\\u${token.charCodeAt(0).toString(16).padStart(4, '0')}` : token;
      return inString ? token : 'null';
    }),
  );
}

// oxlint-disable-next-line no-control-regex
const oddity = /[\u0000-\u001f]|NaN|Infinity/;
// oxlint-disable-next-line no-control-regex
const tokens = /"|\\[^]|[\u0000-\u001f]|-?\b(?:NaN|Infinity)\b/g;

/** The end of the object that begins at `start`; undefined if its braces are not closed. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
