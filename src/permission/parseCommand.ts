import { parseBash } from './bash';
import { expandWrappers } from './wrappers';
import { maxCommandLength, type ParsedCommand, type ShellDialect, type ShellWord } from './shellCommand';
import { parseCmd, parsePowerShell } from './windowsShells';

/**
 * Takes a command line apart, down to what `sudo`, `xargs`, `bash -c` and the like would run.
 * @returns undefined where it cannot be read; nothing is guessed then.
 */
export function parseCommand(text: string, dialect: ShellDialect): ParsedCommand | undefined {
  if (text.length > maxCommandLength || text.includes('\0') || text.trim() === '') return undefined;
  const parsed = parseLine(text, dialect);
  return parsed && parsed.commands.length > 0 ? expandWrappers(parsed, parseLine) : undefined;
}

/** The same for a program that is started without any shell. */
export function parseArguments(argv: readonly string[]): ParsedCommand | undefined {
  if (argv.length === 0 || argv[0]!.trim() === '' || argv.some((word) => word.includes('\0'))) return undefined;
  const words: ShellWord[] = argv.map((text) => ({ text, known: true }));
  return expandWrappers({ commands: [{ text: argv.join(' '), words, assignments: [], redirects: [], folders: [''] }], complete: true }, parseLine);
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
      // Words without a special character mean the same to every shell; of anything else the worst is assumed.
      const parsed = parseBash(text) ?? parsePowerShell(text);
      return parsed && { ...parsed, complete: parsed.complete && /^[\w ./:=@,+-]+$/.test(text.replaceAll(/ (&&|\|\|?) /g, ' ')) };
    }
  }
}
