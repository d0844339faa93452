import { computes, isGivenInput, readsScript } from './builtins';
import { decisiveWords } from './decisiveWords';
import { runnerProgram } from './runners';
import { maxCommandLength, type ParsedCommand, programOf, type ShellCommand, type ShellDialect, type ShellWord } from './shellCommand';
import { movesFolders, namesFolder } from './variables';

type ParseLine = (text: string, dialect: ShellDialect) => ParsedCommand | undefined;

/** How deep programs that run programs are followed. */
const maxDepth = 8;
const maxCommands = 500;

/** Programs that run the rest of their line, with those of their options that take a value. */
const wrappers: Readonly<Record<string, { readonly valued: string; readonly skip?: number }>> = {
  sudo: { valued: 'CDgGhpRrtTuU' },
  doas: { valued: 'Cu' },
  env: { valued: 'uCS' },
  nohup: { valued: '' },
  nice: { valued: 'n' },
  ionice: { valued: 'cnp' },
  time: { valued: 'fo' },
  timeout: { valued: 'ks', skip: 1 },
  gtimeout: { valued: 'ks', skip: 1 },
  stdbuf: { valued: 'ioe' },
  setsid: { valued: '' },
  command: { valued: '' },
  builtin: { valued: '' },
  exec: { valued: 'a' },
  xargs: { valued: 'adEIiLlnPsS' },
  caffeinate: { valued: 'tw' },
  pkexec: { valued: '' },
};

const posixShells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish']);
/** They run text that stands nowhere in the line, or change what names mean. */
const opaquePrograms: ReadonlySet<string> = new Set(['source', '.', 'alias', 'trap', 'parallel', 'watch', 'runas', 'script', 'iex', 'invoke-expression', 'start-process', 'saps']);
/** They change the folder of what comes behind them, if it is `cd` that they run. */
const runsHere: ReadonlySet<string> = new Set(['command', 'builtin', 'eval']);

/** Adds what the commands would run in their turn, behind the command that runs it. */
export function expandWrappers(parsed: ParsedCommand, parseLine: ParseLine): ParsedCommand {
  const commands: ShellCommand[] = [];
  let { complete } = parsed;
  const visit = (command: ShellCommand, depth: number): number | undefined => {
    if (depth > maxDepth || commands.length >= maxCommands) {
      complete = false;
      return undefined;
    }
    const index = commands.push(command) - 1;
    if (changesFolders(command)) complete = false;
    let decisive = decisiveWords(command);
    const inner = innerOf(command, parseLine);
    if (inner === 'unknown') complete = false;
    else if (inner) {
      if (!inner.complete || (runsHere.has(programOf(command)) && inner.commands.some((item) => programOf(item) === 'cd'))) complete = false;
      for (const item of inner.commands) {
        const within = visit({ ...item, folders: item.folders.flatMap((folder) => (folder === '' ? command.folders : [folder])) }, depth + 1);
        if (item.isNamedBefore) decisive = Math.max(decisive ?? 0, command.words.length - item.words.length + Math.max(within ?? 0, 1));
      }
    }
    if (decisive !== undefined) commands[index] = { ...command, decisive };
    return decisive;
  };
  for (const command of parsed.commands) visit(command, 0);
  return { commands, complete };
}

/** Whether it sets what `cd` and `~` go by, so that where the rest runs is not known. */
function changesFolders(command: ShellCommand): boolean {
  const words = command.words.map(({ text }) => text);
  return [...command.assignments, ...words].some(movesFolders) || (/^(read|printf|mapfile|readarray|getopts|unset|vared)$/.test(programOf(command)) && words.some(namesFolder));
}

/** What a command runs; `unknown` when that cannot be read; undefined when it runs itself alone. */
function innerOf(command: ShellCommand, parseLine: ParseLine): ParsedCommand | 'unknown' | undefined {
  const program = programOf(command);
  const args = command.words.slice(1);
  if (opaquePrograms.has(program)) return program === 'runas' ? runAs(args, command) : 'unknown';
  if (computes(program, args.map(({ text }) => text)) || readsScript(program, args.map(({ text }) => text))) return 'unknown';
  const runs = runnerProgram([program, ...args.map(({ text }) => text)]);
  if (runs === 'line') {
    const script = line(args.filter((_word, index) => /^(-[a-z]*c|--call)$/.test(args[index - 1]?.text ?? '')), 'bash', parseLine);
    return script === 'unknown' ? script : { ...script, complete: false };
  }
  if (runs !== undefined) return { commands: [{ ...inner(command.words.slice(runs), command), isNamedBefore: true }], complete: true };
  if (program === 'eval') return line(args, 'bash', parseLine);
  if (posixShells.has(program)) return shellScript(args, parseLine);
  if (program === 'su') {
    const at = args.findIndex(({ text }) => text === '-c' || text === '--command');
    return at < 0 ? 'unknown' : line(args.slice(at + 1, at + 2), 'bash', parseLine);
  }
  if (program === 'powershell' || program === 'pwsh') return powershellScript(args, parseLine);
  if (program === 'cmd') {
    const at = args.findIndex(({ text }) => /^\/[ck]$/i.test(text));
    return at < 0 ? 'unknown' : line(args.slice(at + 1), 'cmd', parseLine);
  }
  if (program === 'find' || program === 'gfind' || program === 'fd') return foundFiles(program, args, command);
  const wrapper = wrappers[program];
  return wrapper && Object.hasOwn(wrappers, program) ? wrapped(program, wrapper, args, command) : undefined;
}

function wrapped(program: string, { valued, skip = 0 }: { readonly valued: string; readonly skip?: number }, args: readonly ShellWord[], command: ShellCommand): ParsedCommand | 'unknown' | undefined {
  let at = 0;
  let complete = true;
  while (at < args.length) {
    const { text } = args[at]!;
    if (text === '--') {
      at++;
      break;
    }
    if (!/^-[^-\s]|^--[\w-]+/.test(text)) {
      const isAssignment = program === 'env' ? text.includes('=') || text === '-' : program === 'sudo' && /^\w+=/.test(text);
      if (!isAssignment) break;
    } else if (text.startsWith('--')) {
      // Whether the next word is the value of a long option is not written on it.
      if (!text.includes('=') || /^--(s|c)/.test(text)) complete = false;
    } else if ([...text].findIndex((letter, index) => index > 0 && valued.includes(letter)) === text.length - 1) at++;
    // Another folder, or a line to be split again: what follows means something else.
    if (/^-\w*[SCDR]/.test(text) && program !== 'xargs') complete = false;
    at++;
  }
  const words = args.slice(at + skip);
  if (words.length === 0) return complete && program !== 'sudo' && program !== 'doas' ? undefined : 'unknown';
  return { commands: [inner(words, command)], complete: complete && program !== 'xargs' };
}

function foundFiles(program: string, args: readonly ShellWord[], command: ShellCommand): ParsedCommand | undefined {
  const commands: ShellCommand[] = [];
  const starts = program === 'fd' ? /^(-[A-Za-z]*[xX]|--exec|--exec-batch)$/ : /^-(exec|execdir|ok|okdir)$/;
  for (let at = 0; at < args.length; at++) {
    if (!starts.test(args[at]!.text)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ';' || text === '+');
    const words = end < 0 ? rest : rest.slice(0, end);
    if (words.length > 0) commands.push(inner(words, command));
    at += words.length;
  }
  // Without a place for them the files come behind what stands there; as the program they are what runs. `-execdir` runs elsewhere.
  const complete = commands.every(({ words }) => words.some(({ text }) => text.includes('{}')) && !words[0]!.text.includes('{}')) && !args.some(({ text }) => /^-(execdir|okdir|files0-from)$/.test(text));
  return commands.length > 0 ? { commands, complete } : undefined;
}

function inner(words: readonly ShellWord[], { folders }: ShellCommand): ShellCommand {
  return { text: words.map(({ text }) => text).join(' '), words, assignments: [], redirects: [], folders, isPart: true };
}

/** `bash -lc '…'`, `bash script.sh`, or a shell that reads what a pipe gives it. */
function shellScript(args: readonly ShellWord[], parseLine: ParseLine): ParsedCommand | 'unknown' | undefined {
  const at = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/.test(text));
  // `-o pipefail`, `--rcfile x`, `-s x`: what follows is no script, and a script may follow all the same.
  if (args.some(({ text }) => /^[-+][a-zA-Z]*[oOsC]/.test(text) || (/^--\w/.test(text) && !/^--(version|help|login|noprofile|norc|posix)$/.test(text)))) {
    const script = at < 0 ? undefined : args.slice(at + 1).find(({ text }, i, rest) => !/^[-+]/.test(text) && !/^[-+][a-zA-Z]*[oO]$/.test(rest[i - 1]?.text ?? ''));
    const inner = script && line([script], 'bash', parseLine);
    return inner && inner !== 'unknown' ? { ...inner, complete: false } : 'unknown';
  }
  const firstWord = args.findIndex(({ text }) => !/^[-+]/.test(text));
  if (at >= 0 && (firstWord < 0 || at < firstWord)) return line(args.slice(at + 1, at + 2), 'bash', parseLine);
  if (args.some(({ text }) => text === '--version' || text === '--help')) return undefined;
  return firstWord < 0 || isGivenInput(args[firstWord]!.text) ? 'unknown' : undefined;
}

function powershellScript(args: readonly ShellWord[], parseLine: ParseLine): ParsedCommand | 'unknown' | undefined {
  for (let at = 0; at < args.length; at++) {
    const option = args[at]!.text.toLowerCase();
    if (/^[-/](c|command)$/.test(option)) return args[at + 1]?.text === '-' ? 'unknown' : line(args.slice(at + 1), 'powershell', parseLine);
    if (/^[-/](f|file)$/.test(option)) return undefined;
    if (/^[-/](executionpolicy|ep|ex|version|windowstyle|w|workingdirectory|wd|outputformat|inputformat)$/.test(option)) at++;
    else if (!/^[-/](noprofile|nop|nologo|noninteractive|noni|noexit|sta|mta|login|l)$/.test(option)) return /^[-/]/.test(option) ? 'unknown' : line(args.slice(at), 'powershell', parseLine);
  }
  return 'unknown';
}

/** `runas /user:name "command"`. */
function runAs(args: readonly ShellWord[], command: ShellCommand): ParsedCommand | 'unknown' {
  const text = args.at(-1);
  if (!text?.known || text.text.startsWith('/')) return 'unknown';
  return { commands: [inner(text.text.split(/\s+/).map((word) => ({ text: word, known: true })), command)], complete: false };
}

function line(words: readonly ShellWord[], dialect: ShellDialect, parseLine: ParseLine): ParsedCommand | 'unknown' {
  const text = words.map((word) => word.text).join(' ');
  if (words.length === 0 || text.length > maxCommandLength || words.some(({ known }) => !known)) return 'unknown';
  return parseLine(text, dialect) ?? 'unknown';
}
