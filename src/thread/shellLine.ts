import type { Shell } from './shellChoice';

export interface ShellLineFacts {
  readonly platform: 'win32' | 'posix';
  /** The shell for a line (`shellFor`). */
  readonly shell: (line: string) => Shell;
  /** True where `command` names a file that exists, as a path or through PATH. */
  readonly exists: (command: string) => boolean;
}

/** How to start a command: argv taken literally, or one line for a shell. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Set if a shell reads one. */
  readonly line?: string;
  /** The arguments are already a command line, quoted for the program (cmd). */
  readonly verbatim?: boolean;
}

/**
 * Decides whether `terminal/create` names a program or, against the letter of the protocol, a whole shell line.
 * Several agents send `command: "echo a && echo b"` without `args`; spawned literally it would not be found.
 * With `args` nothing is ever split again or given to a shell.
 */
export function launchOf(command: string, args: readonly string[], facts: ShellLineFacts): Launch {
  if (args.length > 0 || !looksLikeLine(command, facts.platform) || facts.exists(command))
    return { file: command, args };
  const { file, kind } = facts.shell(command);
  switch (kind) {
    case 'posix':
      return { file, args: ['-c', command], line: command };
    case 'cmd':
      return { file, args: ['/d', '/s', '/c', `"${command}"`], line: command, verbatim: true };
    case 'powershell':
      return { file, args: ['-NoLogo', '-NoProfile', '-Command', command], line: command };
  }
}

/** White space or a character that a shell would interpret. A backslash is part of every path on Windows. */
function looksLikeLine(command: string, platform: ShellLineFacts['platform']): boolean {
  return platform === 'win32' ? /[\s|&<>^%"()]/.test(command) : /[\s|&;<>()$`\\"'*?[\]#~=%!{}]/.test(command);
}

/**
 * A command as a user would type it, for showing only: arguments that a shell would split or interpret are quoted.
 */
export function displayCommand(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  return [command, ...args]
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}
