import { hasDots, isAbsolute } from './paths';
import { programOf, type ShellCommand, type ShellWord } from './shellCommand';

/** A word of a command that may name a file. */
export interface TouchedWord {
  readonly word: string;
  readonly folders: readonly string[];
  /** False if it may be something else: a pattern, a message. Rules count it, the card does not. */
  readonly certain: boolean;
  readonly overwritten?: boolean;
  /** A pattern that the shell replaces by matching files. */
  readonly isPattern?: boolean;
  /** A part of a word. It is checked in case it leads out or is protected, but is no reason to reject. */
  readonly isGuess?: boolean;
}

/** Programs whose first operand is a pattern or a script. */
const patternFirst: ReadonlySet<string> = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'ack',
  'sed',
  'gsed',
  'awk',
  'gawk',
  'jq',
  'yq',
  'perl',
  'ruby',
  'python',
  'python3',
  'node',
  'findstr',
  'select-string',
  'sls',
  'tr',
  'expr',
  'fd',
]);
/** Programs whose operands are text. */
const textOnly: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'export',
  'true',
  'false',
  ':',
  'seq',
  'sleep',
  'kill',
  'date',
  'write-output',
  'write-host',
  'test',
  '[',
  'curl',
  'wget',
  'ssh',
  'type-object',
]);
/** Programs for which `name:path` is a path on another machine, or an image with its tag. */
const reachesOut: ReadonlySet<string> = new Set(['scp', 'rsync', 'sftp', 'git', 'ssh', 'docker', 'podman']);
/** Devices that every command may use and that are in no folder. */
const devices = /^(\/dev\/(null|zero|u?random|stdin|stdout|stderr|tty|fd\/\d+)|nul|con|\$null)$/i;
const systemPrograms = /^\/(usr\/(local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\//;

/** The words of a command that may name files, including redirections. */
export function touchedWords(command: ShellCommand): TouchedWord[] {
  const { words, redirects, folders } = command;
  const program = programOf(command);
  const touched: TouchedWord[] = [];
  const add = (word: string, certain: boolean, overwritten = false, isPattern = false) => {
    if (word !== '' && !devices.test(word))
      touched.push({
        word,
        folders,
        certain,
        ...(overwritten ? { overwritten } : {}),
        ...(isPattern ? { isPattern } : {}),
      });
  };
  const guess = (word: string) => {
    if (/^[^\s/~][^\n]*$/.test(word) && !devices.test(word))
      touched.push({ word, folders, certain: false, isGuess: true });
  };
  const first = words[0];
  if (first && /[\\/]/.test(first.text) && !systemPrograms.test(first.text)) add(first.text, first.known);
  const isWindows =
    /^[a-z]+-[a-z]+$|^(del|erase|rd|copy|move|type|dir|xcopy|robocopy|attrib|icacls|ren|md|mkdir|findstr|cmd|runas|certutil)$/.test(
      program,
    );
  let operands = 0;
  for (const word of words.slice(1)) {
    const { text, known } = atHome(word);
    const value = text.startsWith('-') ? optionValue(text) : text;
    // `-o.env`, `-vo.env`, `-osecrets`.
    if (/^-[A-Za-z]./.test(text))
      for (const clinging of [text.slice(2), /^-[A-Za-z]+([^A-Za-z=].*)$/s.exec(text)?.[1] ?? '']) guess(clinging);
    if (!text.startsWith('-')) operands++;
    if (
      value === undefined ||
      (isUrl(value) && !hasDots(value)) ||
      (isWindows && /^\/([a-z?-]{1,8}|user:.*)$/i.test(value))
    )
      continue;
    if (
      reachesOut.has(program) &&
      !value.includes('..') &&
      /^([\w.-]+@)?[\w.-]{2,}:/.test(value) &&
      !/^[a-z]:[\\/]/i.test(value)
    )
      continue;
    const isText =
      textOnly.has(program) ||
      (patternFirst.has(program) && operands === 1 && !text.startsWith('-')) ||
      value.includes('\n') ||
      (/\s/.test(value) && !/^(~|\.{0,2}[\\/]|[a-z]:\\)/i.test(value));
    add(value, known && !isText, false, word.isPattern);
    // `@file`, `if=/dev/sda`, `type=bind,src=/`, `-v..:/x`.
    for (const part of program === 'env'
      ? []
      : value.split(/[=@,:]/).filter((_part, _index, parts) => parts.length > 1)) {
      if (/^(~|\/|\.\.(\/|$))/.test(part)) add(part, false);
      else guess(part);
    }
  }
  for (const { mode, target } of redirects)
    add(atHome(target).text, atHome(target).known, mode === 'write', target.isPattern);
  if (
    searchesHere(
      program,
      words.slice(1).map(({ text }) => text),
      operands,
    )
  )
    add('.', false);
  return touched;
}

/** Programs that search the whole current folder if no file is named. */
function searchesHere(program: string, args: readonly string[], operands: number): boolean {
  if (/^(rg|ag|ack|fd)$/.test(program)) return operands < 2;
  if (/^[ef]?grep$/.test(program))
    return operands < 2 && args.some((arg) => /^(-[a-zA-Z]*[rR]|--(dereference-)?recursive)/.test(arg));
  if (program === 'find') return args[0] === undefined || args[0].startsWith('-');
  return program === 'git' && args.includes('clean');
}

/** Replaces the only variable whose value is known. */
function atHome({ text, known }: ShellWord): ShellWord {
  const rest = known ? undefined : /^\$(?:HOME|\{HOME\}|env:USERPROFILE)((?:[\\/][^$`]*)?)$/i.exec(text);
  return rest ? { text: `~${rest[1]!}`, known: true } : { text, known };
}

/** `--file=/etc/hosts` and `-I/usr/include`. */
function optionValue(option: string): string | undefined {
  const equals = option.indexOf('=');
  if (equals > 0) return option.slice(equals + 1);
  const path = /^-[A-Za-z]+((?:\/|~\/|\.\.(?:[/:]|$)).*)$/.exec(option);
  return path?.[1];
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !/^file:/i.test(text);
}

/** True if a word by itself leads out of a folder or names exactly one file. */
export function looksLikePath(word: string): boolean {
  return isAbsolute(word) || word.startsWith('~') || /(^|[\\/])\.\.?([\\/]|$)/.test(word);
}
