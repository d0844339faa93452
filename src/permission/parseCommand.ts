import { sameJson } from '../base/json';
import { parseBash } from './bash';
import {
  type CommandLineReading,
  maxCommandLength,
  type ParsedCommand,
  type ShellCommand,
  type ShellDialect,
  type ShellWord,
} from './shellCommand';
import { isBareWord, isSimple, simpleCommands } from './simpleCommands';
import { parseCmd, parsePowerShell } from './windowsShells';
import { expandWrappers } from './wrappers';

/**
 * Parses a command line, including the commands that `sudo`, `xargs`, `bash -c` and the like would run.
 * @returns undefined if it cannot be read; nothing is guessed then.
 */
export function parseCommand(text: string, dialect: ShellDialect): CommandLineReading | undefined {
  if (text.length > maxCommandLength || text.includes('\0') || text.trim() === '') return undefined;
  const parsed = parseLine(text, dialect);
  if (!parsed || parsed.commands.length === 0) return undefined;
  const isReadAlike = dialect === 'bash' || (dialect === 'unknown' && isPlain(text));
  return withSimple(expandWrappers(parsed, parseLine), isReadAlike ? simpleCommands(text) : undefined);
}

/**
 * The same for a program that starts without a shell.
 * @param text the form to show.
 */
export function parseArguments(argv: readonly string[], text = argv.join(' ')): CommandLineReading | undefined {
  const length = argv.reduce((sum, word) => sum + word.length + 1, 0);
  if (
    argv.length === 0 ||
    length > maxCommandLength ||
    argv[0]!.trim() === '' ||
    argv.some((word) => word.includes('\0'))
  )
    return undefined;
  const words: ShellWord[] = argv.map((text) => ({ text, known: true }));
  const parsed: ParsedCommand = {
    commands: [{ text, words, assignments: [], redirects: [], folders: [''] }],
    complete: true,
  };
  return withSimple(expandWrappers(parsed, parseLine), isSimple(argv) && argv.every(isBareWord) ? [argv] : undefined);
}

/** Adds `isSimple`: both parsers found the same words, and no command runs another one. */
function withSimple(parsed: ParsedCommand, simple: readonly (readonly string[])[] | undefined): CommandLineReading {
  const textsOf = ({ words }: ShellCommand) => words.map(({ text }) => text);
  const found = parsed.commands.filter(({ isNamedBefore }) => !isNamedBefore).map(textsOf);
  return {
    ...parsed,
    isSimple:
      parsed.complete &&
      simple !== undefined &&
      sameJson(found, simple) &&
      parsed.commands.every((command) => isSimple(textsOf(command))),
  };
}

/** True if cmd.exe reads a line as the other shells do, which have more quotes and operators. */
function isPlain(text: string): boolean {
  return /^[\w ./:=@,+-]+$/.test(text.replaceAll(/ (&&|\|\|?) /g, ' '));
}

function parseLine(text: string, dialect: ShellDialect): ParsedCommand | undefined {
  switch (dialect) {
    case 'bash':
      return parseBash(text);
    case 'powershell':
      return parsePowerShell(text);
    case 'cmd':
      return parseCmd(text);
    case 'unknown': {
      const parsed = parseBash(text) ?? parsePowerShell(text);
      return parsed && { ...parsed, complete: parsed.complete && isPlain(text) };
    }
  }
}
