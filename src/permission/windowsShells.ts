import type { ParsedCommand, ShellCommand, ShellRedirect, ShellWord } from './shellCommand';

/**
 * Splits a line of PowerShell. There is no parser of it small enough to bring along, so this is careful instead: blocks,
 * subexpressions and whatever computes something are looked into for what they may do, and make the result incomplete.
 */
export function parsePowerShell(text: string): ParsedCommand | undefined {
  return split(text, powershell);
}

/** Splits a line of cmd.exe, as careful as `parsePowerShell`. */
export function parseCmd(text: string): ParsedCommand | undefined {
  return split(text, cmd);
}

interface Grammar {
  /** What ends a command. */
  readonly separator: RegExp;
  readonly quotes: string;
  readonly escape: string;
  /** What makes a line more than a list of commands. */
  readonly opaque: RegExp;
  /** A word that is only known when the command runs. */
  readonly variable: RegExp;
}

const powershell: Grammar = {
  separator: /^(&&|\|\||[;|\n\r{}()])/,
  quotes: '"\'',
  escape: '`',
  // Quotes of print are quotes to it as well, `&` and `.` call what follows, `--%` hands on what a variable says.
  opaque: /[{}()@`\u2018-\u201f]|(^|[^&>])&($|[^&])|(^|[\s;|])\.\s*['"\s]|--%|\b(iex|invoke-expression|function|filter|set-alias|sal|new-alias|nal|import-alias|ipal|set-item|si|new-item|ni|import-module|ipmo|add-type|using)\b/i,
  variable: /[$]/,
};
const cmd: Grammar = {
  separator: /^(&&|\|\||[&|\n\r()])/,
  quotes: '"',
  escape: '^',
  // Commas, semicolons and equals signs end the name of a program as blanks do.
  opaque: /[()^]|(^|[&|\s"])@?(for|if|call|set|goto|start|doskey)(\s|$)|(^|[&|\n\r])\s*@?[^\s"&|<>]*[,;=]/i,
  variable: /[%!]/,
};

function split(text: string, grammar: Grammar): ParsedCommand | undefined {
  const commands: ShellCommand[] = [];
  let words: ShellWord[] = [];
  let redirects: ShellRedirect[] = [];
  let word: { text: string; known: boolean } | undefined;
  let redirect: ShellRedirect['mode'] | undefined;
  let start = 0;
  const endWord = () => {
    if (word && redirect) redirects.push({ mode: redirect, target: word });
    else if (word) words.push(word);
    if (word) redirect = undefined;
    word = undefined;
  };
  const endCommand = (end: number) => {
    endWord();
    if (words.length > 0 || redirects.length > 0) commands.push({ text: text.slice(start, end).trim(), words: words.map(asPattern), assignments: [], redirects, folders: [''] });
    words = [];
    redirects = [];
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === grammar.escape && i + 1 < text.length) {
      word = { text: (word?.text ?? '') + text[++i]!, known: word?.known ?? true };
      continue;
    }
    if (grammar.quotes.includes(char)) {
      const close = closingQuote(text, i, char, grammar.escape);
      if (close === undefined) return undefined;
      const inner = text.slice(i + 1, close);
      word = { text: (word?.text ?? '') + inner.replaceAll(char + char, char), known: (word?.known ?? true) && (char === "'" || !grammar.variable.test(inner)) };
      i = close;
      continue;
    }
    const separator = grammar.separator.exec(text.slice(i, i + 2))?.[0];
    if (separator !== undefined) {
      endCommand(i);
      i += separator.length - 1;
      start = i + 1;
      continue;
    }
    const arrow = /^[12*]?(>>?|<)(&[12])?/.exec(text.slice(i, i + 5));
    if (arrow && (word === undefined || char === '>' || char === '<')) {
      endWord();
      i += arrow[0].length - 1;
      if (arrow[2] === undefined) redirect = arrow[1] === '>>' ? 'append' : arrow[1] === '<' ? 'read' : 'write';
      continue;
    }
    if (/\s/.test(char)) endWord();
    else word = { text: (word?.text ?? '') + char, known: (word?.known ?? true) && !grammar.variable.test(text.slice(i, i + 64).match(/^\S+/)?.[0] ?? '') };
  }
  endCommand(text.length);
  if (commands.length === 0) return undefined;
  // Which files a pattern stands for is only known when it runs.
  const complete = !grammar.opaque.test(text) && !commands.some((command) => command.words.some(({ text: written }) => /[*?]/.test(written))) && commands.every((command) => [...command.words, ...command.redirects.map(({ target }) => target)].every(({ known }) => known) && !/^(cd|chdir|pushd|popd|set-location|sl|push-location)$/i.test(command.words[0]?.text ?? ''));
  return { commands, complete };
}

function asPattern(word: ShellWord): ShellWord {
  return /[*?[]/.test(word.text) ? { ...word, isPattern: true } : word;
}

function closingQuote(text: string, open: number, quote: string, escape: string): number | undefined {
  for (let i = open + 1; i < text.length; i++) {
    if (text[i] === escape && quote === '"' && escape === '`') i++;
    else if (text[i] === quote && text[i + 1] === quote) i++;
    else if (text[i] === quote) return i;
  }
  return undefined;
}
