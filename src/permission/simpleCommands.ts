/** A word that every shell passes on as it is written: plain characters, escaped marks, quotes without an expansion. */
const word = /(?!=)(?:[\p{L}\p{M}\p{N}_@%+=:,./-]|(?<=[\w~^])[~^]|\\[\p{P}\p{S} ]|'[^']*'|"(?:[^"$`\\]|\\[^\n])*")+/u.source;
/** Output to nowhere or to another descriptor, and input from nowhere. */
const redirect = /[12]?>>?[ \t]*\/dev\/null|[12]?>&[12]|<[ \t]*\/dev\/null/.source;
const tokens = new RegExp(String.raw`[ \t](?:[ \t]|\\\n)*|(?:(?<redirect>${redirect})|(?<word>${word}))(?=[\s;&|]|$)|(?<operator>&&|\|\||[;\n|])`, 'guy');

/** Signs that shells read in different ways, or the parser misses. They are not allowed in quotes either, to keep this simple. */
const shellDifferences = /[<>]\(|[<>]&(?!\d)|(?<![ \t])\\\n/;

/** Programs that only filter text: a pipe into any other may tell it what to run. */
export const filters: ReadonlySet<string> = new Set(['cat', 'grep', 'egrep', 'fgrep', 'head', 'tail', 'wc', 'sort', 'uniq', 'cut', 'tr', 'nl', 'jq']);

/** Builtins that set variables or compute: even a quoted word may hold a substitution that they run. */
const computes = /^(\[|test|let|declare|typeset|local|readonly|export|integer|float|read|printf|unset|mapfile|readarray|getopts|wait|vared|exit|return|shift|break|continue|logout)$/;
/** Standard input as a word, or as the value of an option: the content is not part of the line. */
const standardInput = /^(-{1,2}\w+=?)?(-|\/dev\/(stdin|fd\/.*)|\/proc\/.*)$/s;

/**
 * Reads a chain of simple commands: literal words, joined by `&&`, `||`, `;`, newlines, and pipes into filters of text. The
 * parser of whole scripts must find the same words, so that a mistake of one reader allows nothing.
 * @returns the words of each command; undefined for everything else.
 */
export function simpleCommands(text: string): readonly (readonly string[])[] | undefined {
  if (shellDifferences.test(text)) return undefined;
  const commands: string[][] = [];
  let words: string[] = [];
  let joined = '';
  let end = 0;
  const endCommand = () => {
    const isAllowed = isSimple(words) && (joined !== '|' || filters.has(words[0]!));
    if (isAllowed) commands.push(words);
    words = [];
    return isAllowed;
  };
  for (const { 0: token, groups } of text.matchAll(tokens)) {
    end += token.length;
    if (groups!['word'] !== undefined) words.push(unquoted(token));
    const operator = groups!['operator'];
    if (operator === undefined || (operator === '\n' && words.length === 0)) continue;
    if (!endCommand()) return undefined;
    joined = operator;
  }
  if (end !== text.length) return undefined;
  const isEnded = words.length === 0 && (joined === ';' || joined === '\n');
  return isEnded || endCommand() ? commands : undefined;
}

/** Whether words stand for themselves alone: no variable, no builtin that computes, nothing that is read from a pipe. */
export function isSimple(words: readonly string[]): boolean {
  const [program = ''] = words;
  return /^(?!-)[\w./+@:-]+$/.test(program) && !computes.test(program) && !words.some((text) => /^\w+(\[.*\])?\+?=/s.test(text) || standardInput.test(text));
}

function unquoted(text: string): string {
  return text.replaceAll(/'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/gu, (_all, single?: string, double?: string, escaped?: string) => single ?? double?.replaceAll(/\\(["$`\\])/g, '$1') ?? escaped ?? '');
}
