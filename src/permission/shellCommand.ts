/** Who reads a command line. `unknown`: a system where several may, and nobody says which. */
export type ShellDialect = 'bash' | 'powershell' | 'cmd' | 'unknown';

export interface ShellWord {
  /** Without quotes and escapes; as written where that cannot be had. */
  readonly text: string;
  /** False where a part of it is only known when the command runs: a variable, a substitution. */
  readonly known: boolean;
  /** Stands for the files that it fits. */
  readonly isPattern?: true;
}

export interface ShellRedirect {
  readonly mode: 'read' | 'write' | 'append';
  readonly target: ShellWord;
}

/** One program with its arguments, somewhere in a command line. */
export interface ShellCommand {
  /** As written, redirections and all. */
  readonly text: string;
  /** The program, then its arguments. Empty for a bare assignment or redirection. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the program, as written. */
  readonly assignments: readonly string[];
  /** Files that are read or written; duplicated descriptors and here-documents are none. */
  readonly redirects: readonly ShellRedirect[];
  /** Where it may run, as paths from the folder of the whole command line; "" is that folder itself. */
  readonly folders: readonly string[];
  /** It is given text that stands in the line: a here-document or here-string. */
  readonly isGivenText?: true;
  /** Stands as it is in the text of the command before it, which runs it: `npm test` in `sudo npm test`. */
  readonly isPart?: true;
  /** The command before it names its program (`npx tsc`) and is allowed together with it. */
  readonly isNamedBefore?: true;
}

export interface ParsedCommand {
  /** In the order in which they stand; those inside of another (`$(…)`, `sudo`, `-exec`) after it. */
  readonly commands: readonly ShellCommand[];
  /**
   * False where it is not known where all of it runs, or a script that is not in the text: `cd -`, `eval`, `bash < x`.
   */
  readonly complete: boolean;
}

/** A command line as rules see it. */
export interface CommandLineReading extends ParsedCommand {
  /** Whether a rule may allow it: it is a chain of simple commands, and nothing else runs. */
  readonly isSimple: boolean;
}

/** Longer lines are nothing that the user or a rule decides on by their parts. */
export const maxCommandLength = 20_000;

/**
 * The program's name without folder and `.exe`, in lower case; "" where it is not known. For risks and for rules that
 * restrain: one that allows asks `systemName`.
 */
export function programOf({ words }: ShellCommand): string {
  const [program] = words;
  return program?.known
    ? fileNameOf(program.text)
        .replace(/\.(exe|cmd|bat|ps1)$/i, '')
        .toLowerCase()
    : '';
}

/** Where systems keep their own programs. `/usr/local` and Homebrew's folder are on everybody's PATH as well. */
const systemFolders = /^(?:\/bin|\/usr\/bin|\/usr\/local\/bin|\/opt\/homebrew\/bin)\/(?=[^/]+$)/;

/**
 * The name of a program that is found by its name or lies in a folder of the system; undefined for one in any other
 * folder, which may be anything.
 */
export function systemName(program: string): string | undefined {
  const name = program.replace(systemFolders, '');
  return /[\\/]/.test(name) ? undefined : name;
}

export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** What is written so that a shell reads it as one word. */
function quoted(word: string): string {
  return word !== '' && /^[\w@%+=:,./~*?{}^!\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command in one spelling, however it was quoted and spaced: what patterns of rules are compared with. */
export function canonicalText({
  assignments,
  words,
  redirects,
  isGivenText,
}: Pick<ShellCommand, 'assignments' | 'words' | 'redirects' | 'isGivenText'>): string {
  const marks = { read: '<', write: '>', append: '>>' };
  return [
    ...assignments,
    ...words.map(({ text, known }) => (known ? quoted(text) : text)),
    ...redirects.map(({ mode, target }) => `${marks[mode]} ${quoted(target.text)}`),
    ...(isGivenText ? ['<<'] : []),
  ].join(' ');
}

/** What a rule that allows a simple command must say: its output goes nowhere else, so only words and input count. */
export function allowedText(command: ShellCommand): string {
  return canonicalText({ ...command, redirects: command.redirects.filter(({ mode }) => mode === 'read') });
}
