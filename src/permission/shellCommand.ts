/** The shell that reads a command line. `unknown`: the system has several, and the shell is not known. */
export type ShellDialect = 'bash' | 'powershell' | 'cmd' | 'unknown';

export interface ShellWord {
  /** Without quotes and escapes; the original text if that is not possible. */
  readonly text: string;
  /** False if a part of it is known only at run time: a variable, a substitution. */
  readonly known: boolean;
  /** A pattern that the shell replaces by matching files. */
  readonly isPattern?: true;
}

export interface ShellRedirect {
  readonly mode: 'read' | 'write' | 'append';
  readonly target: ShellWord;
}

/** One program with its arguments, anywhere in a command line. */
export interface ShellCommand {
  /** As written, with redirections. */
  readonly text: string;
  /** The program, then its arguments. Empty for a bare assignment or redirection. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the program, as written. */
  readonly assignments: readonly string[];
  /** Files that are read or written; duplicated descriptors and here-documents are left out. */
  readonly redirects: readonly ShellRedirect[];
  /** The folders in which it may run, relative to the folder of the whole command line; "" is that folder itself. */
  readonly folders: readonly string[];
  /** Its input is text in the line: a here-document or here-string. */
  readonly isGivenText?: true;
  /** That text. */
  readonly given?: ShellWord;
  /** It runs code that is not part of the line: what it reads from a pipe, or the value of a variable. */
  readonly runsUnseen?: true;
  /** It is literally part of the command before it, which runs it: `npm test` in `sudo npm test`. */
  readonly isPart?: true;
  /** The command before it names its program (`npx tsc`), and the two are allowed together. */
  readonly isNamedBefore?: true;
}

export interface ParsedCommand {
  /** In order; those inside another one (`$(…)`, `sudo`, `-exec`) come after it. */
  readonly commands: readonly ShellCommand[];
  /** False if a folder is unknown, or if a script is not in the text: `cd -`, `eval`, `bash < x`. */
  readonly complete: boolean;
}

/** A command line in the form that rules read. */
export interface CommandLineReading extends ParsedCommand {
  /** True if a rule may allow it: it is a chain of simple commands, and nothing else runs. */
  readonly isSimple: boolean;
}

/** A longer line is not divided into commands, for the user or for rules. */
export const maxCommandLength = 20_000;

/**
 * The program's name without folder and `.exe`, in lower case; "" if unknown. For risks and for rules that restrain: a
 * rule that allows asks `systemName`.
 */
export function programOf({ words }: ShellCommand): string {
  const [program] = words;
  return program?.known
    ? fileNameOf(program.text)
        .replace(/\.(exe|cmd|bat|ps1)$/i, '')
        .toLowerCase()
    : '';
}

/** Folders of a system's own programs. `/usr/local` and Homebrew's folder are on every PATH as well. */
const systemFolders = /^(?:\/bin|\/usr\/bin|\/usr\/local\/bin|\/opt\/homebrew\/bin)\/(?=[^/]+$)/;

/**
 * The name of a program without a folder or in a folder of the system; undefined for one in any other folder, which may
 * be anything.
 */
export function systemName(program: string): string | undefined {
  const name = program.replace(systemFolders, '');
  return /[\\/]/.test(name) ? undefined : name;
}

export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Quotes a text so that a shell reads it as one word. */
function quoted(word: string): string {
  return word !== '' && /^[\w@%+=:,./~*?{}^!\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command in one canonical spelling, whatever its quotes and spaces, to compare with patterns of rules. */
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

/**
 * The text that a rule must match to allow a simple command: its output goes nowhere else, so only words and input
 * count.
 */
export function allowedText(command: ShellCommand): string {
  return canonicalText({ ...command, redirects: command.redirects.filter(({ mode }) => mode === 'read') });
}
