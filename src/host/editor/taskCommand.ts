import nodePath from 'node:path';
import { homedir } from 'node:os';
import * as vscode from 'vscode';

/** The program of a task, for a terminal of the session. */
export interface TaskCommand {
  /** A line for a shell if there are no `args`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** All of it for the user, with the variables in front. */
  readonly words: string;
  /** False if it has variables that only VS Code can replace, such as `${input:name}`. */
  readonly isComplete: boolean;
}

/** What variables of VS Code are replaced with. */
export interface TaskPlace {
  /** The session's folder, for tasks of no folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * VS Code's variables by their names. A shell's own, such as `${HOME}`, stay. `fetchTasks` gives a task of tasks.json
 * with its variables as they are written.
 */
const variable =
  /\$\{(workspaceFolder|workspaceRoot|workspaceFolderBasename|userHome|cwd|pathSeparator|\/|env:[^{}]*|(?:workspaceFolder|input|command|config):[^{}]*|file\w*|relativeFile\w*|lineNumber|columnNumber|selectedText|execPath|extensionInstallFolder|defaultBuildTask)\}/g;

/** The command of a shell or process task; undefined for one that an extension runs itself. */
export function taskCommand(
  { execution, scope }: vscode.Task,
  { cwd, environment }: TaskPlace,
): TaskCommand | undefined {
  if (!(execution instanceof vscode.ShellExecution) && !(execution instanceof vscode.ProcessExecution))
    return undefined;
  const folder = typeof scope === 'object' ? scope.uri.fsPath : cwd;
  const known: Readonly<Record<string, string>> = {
    workspaceFolder: folder,
    workspaceRoot: folder,
    cwd: folder,
    workspaceFolderBasename: nodePath.basename(folder),
    userHome: homedir(),
    pathSeparator: nodePath.sep,
    '/': nodePath.sep,
  };
  let isComplete = true;
  const filled = (text: string): string =>
    text.replaceAll(variable, (whole, name: string) => {
      if (name.startsWith('env:')) return environment[name.slice(4)] ?? '';
      if (known[name] === undefined) isComplete = false;
      return known[name] ?? whole;
    });
  const { command, args, line } =
    execution instanceof vscode.ShellExecution ? shellParts(execution, filled) : processParts(execution, filled);
  const env = Object.fromEntries(
    Object.entries(execution.options?.env ?? {}).map(([name, value]) => [name, filled(String(value))]),
  );
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return {
    command,
    args,
    cwd: nodePath.resolve(folder, filled(execution.options?.cwd ?? folder)),
    env,
    words: [...variables, line].join(' '),
    isComplete,
  };
}

interface Parts {
  readonly command: string;
  readonly args: readonly string[];
  readonly line: string;
}

function shellParts(execution: vscode.ShellExecution, filled: (text: string) => string): Parts {
  const { commandLine, command, args, options } = execution;
  const line = filled(commandLine ?? [command, ...(args ?? [])].map((part) => partOf(part ?? '')).join(' '));
  if (options?.executable === undefined) return { command: line, args: [], line };
  const shell = filled(options.executable);
  const before = (options.shellArgs ?? ['-c']).map(filled);
  return { command: shell, args: [...before, line], line: [shell, ...before, line].map(quoted).join(' ') };
}

function processParts({ process: program, args }: vscode.ProcessExecution, filled: (text: string) => string): Parts {
  const command = filled(program);
  const all = args.map(filled);
  // Without arguments, a terminal would take it for a line of a shell.
  return {
    command: all.length === 0 ? quoted(command) : command,
    args: all,
    line: [command, ...all].map(quoted).join(' '),
  };
}

/** As VS Code does: a text with blanks is one word, and its wish decides for the others. */
function partOf(part: string | vscode.ShellQuotedString): string {
  if (typeof part === 'string') return /\s/.test(part) && !/^(["']).*\1$/s.test(part) ? quoted(part) : part;
  const { value, quoting } = part;
  if (process.platform === 'win32') return quoted(value);
  if (quoting === vscode.ShellQuoting.Escape) return value.replaceAll(/[\s"'\\$`&|;<>()*?!#~]/g, '\\$&');
  return quoting === vscode.ShellQuoting.Weak ? `"${value.replaceAll('"', '\\"')}"` : quoted(value);
}

function quoted(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text) && (process.platform === 'win32' || !text.includes('\\'))) return text;
  return process.platform === 'win32' ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
