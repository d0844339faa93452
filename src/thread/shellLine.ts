/** Facts about the system; only `find` looks at the disk. */
interface ShellFacts {
  readonly platform: Platform;
  /** `SHELL` of the user's environment. */
  readonly shell?: string | undefined;
  /** `ComSpec` on Windows. */
  readonly comSpec?: string | undefined;
  /** The absolute path of a program by its name on PATH or its path; undefined if there is none. */
  readonly find: (program: string) => string | undefined;
}

/** Windows differs from all others, and macOS comes with zsh. */
type Platform = 'win32' | 'darwin' | (string & {});

interface Shell {
  readonly file: string;
  readonly kind: 'posix' | 'cmd' | 'powershell';
}

/** Shells that accept `-c line` and agents' commands, which are written for bash. */
const posixShells = new Set(['bash', 'zsh', 'sh', 'dash', 'ksh', 'ash']);

/**
 * The shell for a whole line. If the user's shell reads another language (fish, nu, tcsh, PowerShell), it is bash, as
 * agents expect. On Windows it is cmd, as for every program that runs lines there, and PowerShell for lines that only
 * it can read: its own language, and texts in quotes that go on in the next line. Only its new version knows `&&`.
 */
export function shellFor(line: string, { platform, shell = '', comSpec, find }: ShellFacts): Shell {
  if (platform === 'win32') {
    const power = isPowerShell(line)
      ? (find('pwsh') ?? find('powershell'))
      : quotedBreak.test(line)
        ? (find('pwsh') ?? (/&&|\|\|/.test(line) ? undefined : find('powershell')))
        : undefined;
    return power === undefined ? { file: comSpec || 'cmd.exe', kind: 'cmd' } : { file: power, kind: 'powershell' };
  }
  const own = posixShells.has(shell.slice(shell.lastIndexOf('/') + 1)) ? find(shell) : undefined;
  const preferred = platform === 'darwin' ? ['/bin/zsh', '/bin/bash'] : ['bash'];
  return { file: own ?? preferred.map(find).find((file) => file !== undefined) ?? '/bin/sh', kind: 'posix' };
}

const verbs =
  'Get|Set|New|Remove|Add|Copy|Move|Rename|Test|Write|Read|Select|Where|ForEach|Sort|Measure|Group|Format|Compare|' +
  'Start|Stop|Restart|Wait|Invoke|Import|Export|Out|ConvertTo|ConvertFrom|Join|Split|Resolve|Push|Pop|Clear|Expand|' +
  'Compress|Update|Install|Uninstall|Enable|Disable';

/**
 * A cmdlet at the start of a command, a variable of PowerShell, a static member, or a block after a pipe. Blanks before
 * it must be on its own line: else each of many empty lines would be read to the last.
 */
const powerShell = [
  new RegExp(`(?:^|[|;&({=]|\\n)[^\\S\\n]*(?:${verbs})-[a-z]\\w+`, 'i'),
  /\$env:\w/i,
  /(?:^|[;({\n])[^\S\n]*\$\w+\s*=/,
  /\[[A-Za-z][\w.]*\]::\w/,
  /\|\s*(?:%|\?|foreach|where)\s*\{/i,
];

/** The end of a line inside double quotes. */
const quotedBreak = /^[^"]*(?:"[^"\n]*"[^"]*)*"[^"\n]*\n/;

function isPowerShell(line: string): boolean {
  return powerShell.some((pattern) => pattern.test(line));
}

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
      return { file, args: ['/d', '/s', '/c', `"${inOneLine(command)}"`], line: command, verbatim: true };
    case 'powershell':
      return { file, args: ['-NoLogo', '-NoProfile', '-Command', command], line: command };
  }
}

/** cmd reads a command up to the end of its first line only, so the lines become one. */
function inOneLine(command: string): string {
  if (!command.includes('\n')) return command;
  return command
    .replaceAll(/\^\r?\n/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:rem\b|::)/i.test(line))
    .join(' & ');
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
