import { runnerProgram } from './runners';
import {
  maxCommandLength,
  type ParsedCommand,
  programOf,
  type ShellCommand,
  type ShellDialect,
  type ShellWord,
} from './shellCommand';

type ParseLine = (text: string, dialect: ShellDialect) => ParsedCommand | undefined;
/** The commands that a command runs; `unknown` if they cannot be read. */
type Inner = readonly ShellCommand[] | 'unknown' | undefined;

/** The depth to which programs that run programs are followed. */
const maxDepth = 8;
const maxCommands = 500;

/** Programs that run the rest of their line, with the letters of their options that have a value. */
const wrappers: Readonly<Record<string, string>> = {
  ...{
    sudo: 'CDgGhpRrtTuU',
    doas: 'Cu',
    env: 'uCS',
    nohup: '',
    nice: 'n',
    ionice: 'cnp',
    time: 'fo',
    timeout: 'ks',
    stdbuf: 'ioe',
  },
  ...{
    setsid: '',
    busybox: '',
    toybox: '',
    strace: 'aeEIoOpPsSuUX',
    unshare: 'GRSw',
    flock: 'Ew',
    command: '',
    builtin: '',
    exec: 'a',
    xargs: 'adEIiLlnPsS',
    caffeinate: 'tw',
    pkexec: '',
  },
};
const posixShells = /^(sh|bash|zsh|dash|ksh|ash|fish)$/;
/** Programs that run text from outside the line, or change the meaning of names. */
const opaquePrograms =
  /^(source|\.|alias|trap|parallel|watch|runas|script|iex|invoke-expression|start-process|saps|ed|ex|red|at|batch)$/;
/** Programs that read code from their input if no word names a script. */
const interpreters =
  /^(python[\d.]*|pypy\d*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua[\d.]*|luajit|osascript|rscript|julia|tclsh|guile|racket|gdb|lldb|irb|groovy|scala|raku|dc)$/;

/** True if the words of a program, by its name, may be a script. */
export function runsScripts(program: string): boolean {
  return posixShells.test(program) || interpreters.test(program);
}

/** True if a program, by its name, is a shell or runs the rest of its line. */
export function runsCommands(program: string): boolean {
  return posixShells.test(program) || Object.hasOwn(wrappers, program);
}

/** Adds the commands that other commands run, each after the command that runs it. */
export function expandWrappers(parsed: ParsedCommand, parseLine: ParseLine): ParsedCommand {
  const commands: ShellCommand[] = [];
  let { complete } = parsed;
  const visit = (command: ShellCommand, depth: number) => {
    if (depth > maxDepth || commands.length >= maxCommands) {
      complete = false;
      return;
    }
    const inner = innerOf(command, parseLine);
    commands.push(readsCode(command, inner) ? { ...command, runsUnseen: true } : command);
    if (inner === 'unknown') complete = false;
    else
      for (const item of inner ?? [])
        visit(
          { ...item, folders: item.folders.flatMap((folder) => (folder === '' ? command.folders : [folder])) },
          depth + 1,
        );
  };
  for (const command of parsed.commands) visit(command, 0);
  return { commands, complete };
}

/** True if a program takes code from a pipe, a variable or another command. */
function readsCode(command: ShellCommand, inner: Inner): boolean {
  const program = programOf(command);
  if (posixShells.test(program)) {
    const args = command.words.slice(1);
    const script = args.find(({ text }) => !/^[-+]/.test(text));
    return inner === 'unknown' ? readsInput(args) || !script!.known : inner === undefined && script?.known === false;
  }
  return (
    inner === 'unknown' &&
    command.given === undefined &&
    (/^(eval|iex|invoke-expression)$/.test(program) || interpreters.test(program))
  );
}

function innerOf(command: ShellCommand, parseLine: ParseLine): Inner {
  // GNU's programs have a `g` before their names beside other ones.
  const program = programOf(command).replace(/^g(?=(env|find|nice|nohup|stdbuf|timeout|xargs)$)/, '');
  const args = command.words.slice(1);
  const texts = args.map(({ text }) => text);
  const line = (words: readonly ShellWord[], dialect: ShellDialect) => linesOf(words, dialect, parseLine);
  const behind = (option: RegExp) => args.slice(texts.findIndex((text) => option.test(text)) + 1 || args.length);
  if (program === 'runas') return runAs(args.at(-1), command);
  if (opaquePrograms.test(program)) return 'unknown';
  if (
    interpreters.test(program) &&
    texts.every(
      (text) => text.startsWith('-') && !/^(--version|-[vV]|--help|-h|--eval|--print|-[A-Za-z]*[ceEpr]|-m)/.test(text),
    )
  )
    return 'unknown';
  const runs = runnerProgram([program, ...texts]);
  if (runs === 'line')
    return line(
      args.filter((_word, index) => /^(-[a-z]*c|--call)$/.test(texts[index - 1] ?? '')),
      'bash',
    );
  if (runs !== undefined) return [{ ...part(command.words.slice(runs), command), isNamedBefore: true }];
  if (program === 'eval') return line(args, 'bash');
  if (posixShells.test(program)) return shellScript(args, command.given, parseLine);
  if (program === 'su') return line(behind(/^(-c|--command)$/).slice(0, 1), 'bash');
  if (program === 'powershell' || program === 'pwsh') return powershellScript(args, parseLine);
  if (program === 'cmd') return line(behind(/^\/[ck]$/i), 'cmd');
  if (/^(find|bfs|fd|fdfind)$/.test(program)) return foundFiles(program, args, command);
  return Object.hasOwn(wrappers, program) ? wrapped(program, args, command) : undefined;
}

function wrapped(program: string, args: readonly ShellWord[], command: ShellCommand): Inner {
  const valued = wrappers[program]!;
  let at = 0;
  for (; at < args.length; at++) {
    const { text } = args[at]!;
    if (/^-[^-\s]/.test(text)) {
      // The value of the last letter is the next word.
      if ([...text].findIndex((letter, index) => index > 0 && valued.includes(letter)) === text.length - 1) at++;
    } else if (!/^--[\w-]+/.test(text)) {
      const isAssignment =
        program === 'env' ? text.includes('=') || text === '-' : program === 'sudo' && /^\w+=/.test(text);
      if (text === '--') at++;
      if (!isAssignment) break;
    }
  }
  const words = args.slice(program === 'timeout' || program === 'flock' ? at + 1 : at);
  return words.length === 0 ? 'unknown' : [part(words, command)];
}

function foundFiles(program: string, args: readonly ShellWord[], command: ShellCommand): Inner {
  const commands: ShellCommand[] = [];
  // After an option of fd, the program may be attached.
  const starts = program.startsWith('fd')
    ? /^(?:-[A-Za-wyz]*[xX]=?|--exec(?:-batch)?(?:=|$))(?<program>.*)$/s
    : /^-(?:exec|execdir|ok|okdir)$/;
  for (let at = 0; at < args.length; at++) {
    const found = starts.exec(args[at]!.text);
    if (!found) continue;
    const clinging = found.groups?.['program'] ?? '';
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ';' || text === '+');
    const words = [
      ...(clinging === '' ? [] : [{ text: clinging, known: args[at]!.known }]),
      ...(end < 0 ? rest : rest.slice(0, end)),
    ];
    if (words.length > 0) commands.push(part(words, command));
    at += rest.length === 0 ? 0 : end < 0 ? rest.length : end;
  }
  return commands;
}

function part(words: readonly ShellWord[], { folders, given }: ShellCommand): ShellCommand {
  return {
    text: words.map(({ text }) => text).join(' '),
    words,
    assignments: [],
    redirects: [],
    folders,
    ...(given ? { given } : {}),
    isPart: true,
  };
}

/** `bash -lc '…'`, `bash script.sh`, or a shell that reads its commands from a pipe. */
function shellScript(args: readonly ShellWord[], given: ShellWord | undefined, parseLine: ParseLine): Inner {
  const at = args.findIndex(({ text }) => /^-[abd-z]*c[a-z]*$/.test(text));
  const firstWord = args.findIndex(({ text }) => !/^[-+]/.test(text));
  // `-o pipefail`, `--rcfile x`: the next word may belong to the option, and a script may still follow.
  const hasValues = args.some(
    ({ text }) =>
      /^[-+][a-zA-Z]*[oOsC]/.test(text) ||
      (/^--\w/.test(text) && !/^--(version|help|login|noprofile|norc|posix)$/.test(text)),
  );
  if (at >= 0 && (hasValues || firstWord < 0 || at < firstWord)) {
    const rest = args.slice(at + 1);
    const script = hasValues
      ? rest.find(({ text }, index) => !/^[-+]/.test(text) && !/^[-+][a-zA-Z]*[oO]$/.test(rest[index - 1]?.text ?? ''))
      : rest[0];
    return linesOf(script ? [script] : [], 'bash', parseLine);
  }
  const onlyTells = args.some(({ text }) => text === '--version' || text === '--help');
  if (!hasValues && (firstWord >= 0 || onlyTells)) return undefined;
  return given && readsInput(args) ? linesOf([given], 'bash', parseLine) : 'unknown';
}

/** True if a shell reads its commands from its input. */
function readsInput(args: readonly ShellWord[]): boolean {
  return (
    args.every(({ text }) => /^[-+]/.test(text)) ||
    args.some(({ text }) => /^-[a-bd-z]+$/.test(text) && text.includes('s'))
  );
}

function powershellScript(args: readonly ShellWord[], parseLine: ParseLine): Inner {
  for (let at = 0; at < args.length; at++) {
    const option = args[at]!.text.toLowerCase();
    if (/^[-/](c|command)$/.test(option))
      return args[at + 1]?.text === '-' ? 'unknown' : linesOf(args.slice(at + 1), 'powershell', parseLine);
    if (/^[-/](f|file)$/.test(option)) return undefined;
    if (/^[-/](executionpolicy|ep|ex|version|windowstyle|w|workingdirectory|wd|outputformat|inputformat)$/.test(option))
      at++;
    else if (!/^[-/](noprofile|nop|nologo|noninteractive|noni|noexit|sta|mta|login|l)$/.test(option))
      return /^[-/]/.test(option) ? 'unknown' : linesOf(args.slice(at), 'powershell', parseLine);
  }
  return 'unknown';
}

/** `runas /user:name "command"`. */
function runAs(line: ShellWord | undefined, command: ShellCommand): Inner {
  if (!line?.known || line.text.startsWith('/')) return 'unknown';
  return [
    part(
      line.text.split(/\s+/).map((text) => ({ text, known: true })),
      command,
    ),
  ];
}

function linesOf(words: readonly ShellWord[], dialect: ShellDialect, parseLine: ParseLine): Inner {
  const text = words.map((word) => word.text).join(' ');
  if (words.length === 0 || text.length > maxCommandLength || words.some(({ known }) => !known)) return 'unknown';
  return parseLine(text, dialect)?.commands ?? 'unknown';
}
