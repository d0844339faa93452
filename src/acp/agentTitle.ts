import { withoutControls } from '../base/controlSequences';
import { stringOf } from '../base/decode';
import { parsedJson } from '../base/json';

/** Characters of a raw title that are read. The beginning of a prompt is enough to recognize the session. */
const MAX_RAW = 4_000;

/** Tags around text that an agent's program added, not the user. */
const notWords =
  /(?:^think(?:ing)?$|reminder|caveat|context|instructions|environment|stdout|stderr|system|attach|notification|metadata|memory|(?:^|[-_])(?:ide|files?|info|selection|diagnostics)(?:[-_]|$))/i;

/**
 * Turns an agent's session title into plain words for a list. Some agents send their own tags around a prompt, a whole
 * prompt, or only an id or a date. @returns undefined if no words are left
 */
export function agentTitle(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const text = firstParagraph(withoutTags(withoutControls(withoutJson(raw.slice(0, MAX_RAW))).trim())).trim();
  return isOnlyName(text) ? undefined : text;
}

/** The first words of a message that an agent made a title of as JSON, which may be cut. */
function withoutJson(raw: string): string {
  const [, words] = /^\s*(?:\[\s*)?\{\s*"[^]{0,200}?"(?:text|content|title)"\s*:\s*("(?:[^"\\]|\\.)*)/.exec(raw) ?? [];
  return words === undefined ? raw : (stringOf(parsedJson(`${words}"`)) ?? raw);
}

/**
 * Reads a slash command from its tags. Removes other leading tags, with their content if the agent's program wrote it.
 */
function withoutTags(raw: string): string {
  const [, command] = /<command-name>([^<]*)<\/command-name>/.exec(raw) ?? [];
  if (command !== undefined)
    return `${command.trim()} ${/<command-args>([^<]*)<\/command-args>/.exec(raw)?.[1]?.trim() ?? ''}`;
  if (/^# AGENTS\.md instructions\b/.test(raw)) return '';
  let text = raw.replace(/^(?:<!--[^]*?-->\s*)+/, '');
  // Tags in plain words may be HTML: the user may be asking about them.
  for (let tag = harnessTag.exec(text); tag; tag = harnessTag.exec(text)) {
    const [opening, name = tag[3], attributes] = tag;
    if (attributes !== undefined && !notWords.test(name!)) break;
    const closing = `</${name!}>`;
    const end = text.indexOf(closing);
    const inner = text.slice(opening.length, end < 0 ? undefined : end);
    const rest = end < 0 ? '' : text.slice(end + closing.length);
    text = (notWords.test(name!) ? rest : `${inner} ${rest}`).trim();
  }
  return text;
}

/** The last of these are plain words. They count only if the tag is closed, since no HTML element has these names. */
const harnessTag =
  /^<(?:([A-Za-z]+(?:[-_][\w-]*)|[A-Z]{4,})(\s[^<>]{0,500})?|(task|feedback|prompt|query|request|context|system|instructions|think|thinking|answer|title)(?=>[^]*<\/\3>))>/;

function firstParagraph(text: string): string {
  // Prefer the text after a code block; use the code only if there is nothing else.
  const [, , code = '', behind = ''] = /^(`{3,20})[^\n`]*\n([^]*?)(?:\n\1\s*([^]*))?$/.exec(text) ?? [];
  const paragraph = (behind || code || text).split(/\n\s*(?:\n|```)/, 1)[0]!.replace(/^(?:#{1,6}|>|[-*]) /, '');
  // Strip Markdown, but keep names such as `__init__`.
  return paragraph
    .replace(/\*\*([^*\n]{1,500})\*\*/g, '$1')
    .replace(/`([^`\n]{1,500})`/g, '$1')
    .replace(/!?\[([^\][\n]{1,500})\]\([^()\s]{1,500}\)/g, '$1');
}

const ids = [
  // A UUID; a date and time; hexadecimal digits; an id of mixed letters and digits, with or without a prefix.
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:.]\d\d(?:[:.]\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b[\da-f]{16,}\b/gi,
  /\b\d{8}[T_-]\d{4,6}\b|\b\d{10,16}\b/g,
  /\b(?:session|thread|chat|conversation)[-_#][\da-f]{3,}\b/gi,
  /\b(?:[a-z]{2,10}[_-])?(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[\dA-Za-z]{20,}\b/g,
];

/** True if these are only ids, dates, and words that any session could have. */
function isOnlyName(text: string): boolean {
  if (/^(?:[\s\p{C}]*|null|undefined|none)$/iu.test(text)) return true;
  const rest = ids.reduce((words, id) => words.replaceAll(id, ' '), text);
  return (
    (rest !== text || text === '') && /^(?:acp|agent|chat|conversation|new|session|thread|untitled|[\W_])*$/i.test(rest)
  );
}
