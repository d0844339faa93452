/*
 * /* One reading for bash, dash, zsh, ksh, fish and PowerShell, since the agent's shell is unknown. This file accepts
 * only the syntax that all of them read alike; for any other line, Parley asks the user. PowerShell ends a word after a
 * quoted one, makes a list of commas, splits `-a.b` in two, and treats curly quotes as straight ones. It and fish have
 * their own escapes, inside quotes too. zsh and fish give a meaning to `=x`, `x^` and `%x`. If cmd.exe may read it,
 * `isPlain` allows less (parseCommand.ts).
 */

/** A bare word. */
const bare = /(?![=@])(?!-\p{L}[^\s'"]*\.)(?:[\p{L}\p{M}\p{N}_@+=:./-]|(?<=[\w~])~)+/u.source;
/** A quoted word, without any character that begins an expansion or an escape, or is a quote. */
const quoted =
  /'(?:(?!['"\\\u2018-\u201f])[\p{L}\p{M}\p{N}\p{P}\p{S} \t\n])+'|"(?:(?!["$`\\!\u2018-\u201f])[\p{L}\p{M}\p{N}\p{P}\p{S} \t\n])+"/u
    .source;
/** Output to nowhere or to another descriptor, and input from nowhere. */
const redirect = /[12]?>>?[ \t]*\/dev\/null|[12]?>&[12]|<[ \t]*\/dev\/null/.source;
const tokens = new RegExp(
  String.raw`[ \t]+|(?:(?<redirect>${redirect})|(?<word>--[\w-]+=(?:${quoted})|${quoted}|${bare}))(?=[\s;&|]|$)|(?<operator>&&|\|\||[;\n|])`,
  'guy',
);
const bareWord = new RegExp(`^(?:${bare})$`, 'u');

/** Programs that only filter text: a pipe into any other program may tell it what to run. */
export const filters: ReadonlySet<string> = new Set([
  'cat',
  'grep',
  'egrep',
  'fgrep',
  'head',
  'tail',
  'wc',
  'sort',
  'uniq',
  'cut',
  'tr',
  'nl',
  'jq',
]);

/** Builtins that set variables or compute: even a quoted word may contain a substitution that they run. */
const computes =
  /^(\[|test|let|declare|typeset|local|readonly|export|integer|float|read|printf|unset|mapfile|readarray|getopts|wait|vared|exit|return|shift|break|continue|logout)$/;
/** Standard input as a word, or as the value of an option: its content is not part of the line. */
const standardInput = /^(-{1,2}\w+=?)?(-|\/dev\/(stdin|fd\/.*)|\/proc\/.*)$/s;

/**
 * Reads a chain of simple commands: literal words, joined by `&&`, `||`, `;`, newlines, and pipes into text filters.
 * The parser of whole scripts must find the same words, so that one parser's mistake allows nothing.
 * @returns the words of each command; undefined for everything else.
 */
export function simpleCommands(text: string): readonly (readonly string[])[] | undefined {
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
    if (groups!['word'] !== undefined) {
      // PowerShell reads a line that begins with a quote as a text, not as a program.
      if (words.length === 0 && /^['"]/.test(token)) return undefined;
      words.push(token.replace(/(['"])([^]*)\1$/, '$2'));
    }
    const operator = groups!['operator'];
    if (operator === undefined || (operator === '\n' && words.length === 0)) continue;
    if (!endCommand()) return undefined;
    joined = operator;
  }
  if (end !== text.length) return undefined;
  const isEnded = words.length === 0 && (joined === ';' || joined === '\n');
  return isEnded || endCommand() ? commands : undefined;
}

/** True if every shell leaves a word unchanged, in case the agent does pass it to one. */
export function isBareWord(word: string): boolean {
  return bareWord.test(word);
}

/** True if words are literal: no variable, no builtin that computes, nothing that is read from a pipe. */
export function isSimple(words: readonly string[]): boolean {
  const [program = ''] = words;
  return (
    /^(?!-)[\w./+@:-]+$/.test(program) &&
    !computes.test(program) &&
    !words.some((text) => /^\w+(\[.*\])?\+?=/s.test(text) || standardInput.test(text))
  );
}
