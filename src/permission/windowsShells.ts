import type { ParsedCommand, ShellCommand, ShellRedirect, ShellWord } from './shellCommand';

interface Grammar {
  /** An escaped character, a quoted text, the end of a command, a redirection, a blank, or any other character. */
  readonly token: RegExp;
  /** A part of a word that is known only when the command runs. */
  readonly variable: RegExp;
}

const powershell: Grammar = {
  token:
    /(?<escaped>`[^])|(?<quoted>"(?:`[^]|""|[^"`])*"|'(?:''|[^'])*')|(?<separator>&&|\|\||[;|\n\r{}()])|(?<arrow>[12*]?(?:>>?|<)(?:&[12])?)|(?<blank>\s)|[^]/g,
  variable: /[$]/,
};
const cmd: Grammar = {
  token:
    /(?<escaped>\^[^])|(?<quoted>"(?:""|[^"])*")|(?<separator>&&|\|\||[&|\n\r()])|(?<arrow>[12*]?(?:>>?|<)(?:&[12])?)|(?<blank>\s)|[^]/g,
  variable: /[%!]/,
};

/**
 * Splits a line of PowerShell into the commands that it may run, for risks and for rules that reject or ask. It does
 * not follow blocks or subexpressions; no rule allows such a line.
 */
export function parsePowerShell(text: string): ParsedCommand | undefined {
  return split(text, powershell);
}

/** Splits a line of cmd.exe; see `parsePowerShell`. */
export function parseCmd(text: string): ParsedCommand | undefined {
  return split(text, cmd);
}

function split(text: string, { token: tokens, variable }: Grammar): ParsedCommand | undefined {
  const commands: ShellCommand[] = [];
  let words: ShellWord[] = [];
  let redirects: ShellRedirect[] = [];
  let word: ShellWord | undefined;
  let mode: ShellRedirect['mode'] | undefined;
  let start = 0;
  const add = (more: string, known: boolean) =>
    (word = { text: (word?.text ?? '') + more, known: (word?.known ?? true) && known });
  const endWord = () => {
    if (word && mode) redirects.push({ mode, target: word });
    else if (word) words.push(/[*?[]/.test(word.text) ? { ...word, isPattern: true } : word);
    if (word) mode = undefined;
    word = undefined;
  };
  const endCommand = (end: number) => {
    endWord();
    if (words.length > 0 || redirects.length > 0)
      commands.push({ text: text.slice(start, end).trim(), words, assignments: [], redirects, folders: [''] });
    words = [];
    redirects = [];
  };
  for (const { 0: token, index, groups } of text.matchAll(tokens)) {
    const { escaped, quoted, separator, arrow, blank } = groups!;
    if (escaped !== undefined) add(escaped.slice(1), true);
    else if (quoted !== undefined)
      add(
        quoted.slice(1, -1).replaceAll(quoted[0]! + quoted[0]!, quoted[0]!),
        quoted.startsWith("'") || !variable.test(quoted),
      );
    else if (separator !== undefined) {
      endCommand(index);
      start = index + separator.length;
    } else if (arrow !== undefined) {
      // A digit behind other characters belongs to their word.
      if (word && /^[12*]/.test(arrow)) add(arrow[0]!, true);
      endWord();
      if (!arrow.includes('&')) mode = arrow.endsWith('>>') ? 'append' : arrow.endsWith('<') ? 'read' : 'write';
    } else if (blank !== undefined) endWord();
    else if (token === '"' || (token === "'" && tokens === powershell.token)) return undefined;
    else add(token, !variable.test(/^\S+/.exec(text.slice(index, index + 64))?.[0] ?? ''));
  }
  endCommand(text.length);
  if (commands.length === 0) return undefined;
  const isList =
    !/[{}()@`^]/.test(text) &&
    commands.every(
      ({ words: [program, ...args], redirects: files }) =>
        !/^(cd|chdir|pushd|popd|set-location|sl|push-location)$/i.test(program?.text ?? '') &&
        [program, ...args, ...files.map(({ target }) => target)].every(
          (item) => item?.known !== false && !/[*?]/.test(item?.text ?? ''),
        ),
    );
  return { commands, complete: isList };
}
