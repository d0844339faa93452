/** What is known of the system, without asking it anything but `find`. */
export interface ShellFacts {
  readonly platform: Platform;
  /** `SHELL` of the user's environment. */
  readonly shell?: string | undefined;
  /** `ComSpec` on Windows. */
  readonly comSpec?: string | undefined;
  /** The absolute path of a program on PATH, or of one that is named by its path; undefined where there is none. */
  readonly find: (program: string) => string | undefined;
}

/** Windows is a world of its own, macOS comes with zsh; all others are alike. */
type Platform = 'win32' | 'darwin' | (string & {});

export interface Shell {
  readonly file: string;
  readonly kind: 'posix' | 'cmd' | 'powershell';
}

/** What takes `-c line` and reads what agents write, which is meant for bash. */
const posixShells = new Set(['bash', 'zsh', 'sh', 'dash', 'ksh', 'ash']);

/**
 * The shell for a whole line. Where the user's own reads another language (fish, nu, tcsh, PowerShell) it is bash, as
 * agents expect. On Windows it is cmd, as for every program that runs lines there, and PowerShell for what only it
 * reads.
 */
export function shellFor(line: string, { platform, shell = '', comSpec, find }: ShellFacts): Shell {
  if (platform === 'win32') {
    const power = isPowerShell(line) ? (find('pwsh') ?? find('powershell')) : undefined;
    return power === undefined ? { file: comSpec || 'cmd.exe', kind: 'cmd' } : { file: power, kind: 'powershell' };
  }
  const own = posixShells.has(shell.slice(shell.lastIndexOf('/') + 1)) ? find(shell) : undefined;
  const preferred = platform === 'darwin' ? ['/bin/zsh', '/bin/bash'] : ['bash'];
  return { file: own ?? preferred.map(find).find((file) => file !== undefined) ?? '/bin/sh', kind: 'posix' };
}

const verbs =
  'Get|Set|New|Remove|Add|Copy|Move|Rename|Test|Write|Read|Select|Where|ForEach|Sort|Measure|Group|Format|Compare|Start|Stop|Restart|Wait|Invoke|Import|Export|Out|ConvertTo|ConvertFrom|Join|Split|Resolve|Push|Pop|Clear|Expand|Compress|Update|Install|Uninstall|Enable|Disable';

/**
 * A cmdlet where a command stands, a variable of PowerShell's, a static member, or a block after a pipe. Blanks before
 * it are looked for in its own line only: else each of many empty lines would be read from there to the last.
 */
const powerShell = [
  new RegExp(`(?:^|[|;&({=]|\\n)[^\\S\\n]*(?:${verbs})-[a-z]\\w+`, 'i'),
  /\$env:\w/i,
  /(?:^|[;({\n])[^\S\n]*\$\w+\s*=/,
  /\[[A-Za-z][\w.]*\]::\w/,
  /\|\s*(?:%|\?|foreach|where)\s*\{/i,
];

function isPowerShell(line: string): boolean {
  return powerShell.some((pattern) => pattern.test(line));
}
