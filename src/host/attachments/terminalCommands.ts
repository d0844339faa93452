import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { NewAttachment } from './attachment';
import { clip } from '../../base/oneLine';

/** Bytes at the end of a command's raw output that are stored. */
const rawLimit = 256 * 1024;
/** Bytes at the end of the clean text that are attached. */
const textLimit = 64 * 1024;

/** The last command of a terminal of the user. */
export interface TerminalCommand {
  readonly terminal: vscode.Terminal;
  readonly commandLine: string;
  readonly running: boolean;
  readonly exitCode?: number | undefined;
  readonly execution: vscode.TerminalShellExecution;
}

interface Recorded extends TerminalCommand {
  readonly pieces: string[];
  /** Resolves when the whole output has arrived, which may be after the event for the command's end. */
  whole: Promise<void>;
  length: number;
  running: boolean;
  exitCode?: number | undefined;
  commandLine: string;
}

/**
 * Remembers the last command of each terminal with shell integration and the end of its output, which VS Code only
 * gives to listeners from the start.
 */
export class TerminalCommands extends Disposable {
  readonly #commands = new Map<vscode.Terminal, Recorded>();
  /** Also those that a newer one has replaced. */
  readonly #byExecution = new WeakMap<vscode.TerminalShellExecution, Recorded>();

  constructor() {
    super();
    const { window } = vscode;
    this.register(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#record(terminal, execution)),
    );
    this.register(
      window.onDidEndTerminalShellExecution(({ execution, exitCode }) => void this.#end(execution, exitCode)),
    );
    this.register(window.onDidCloseTerminal((terminal) => void this.#commands.delete(terminal)));
  }

  /** The last command of each terminal; the active terminal first, then the last used one. */
  latest(): readonly TerminalCommand[] {
    const { activeTerminal } = vscode.window;
    return [...this.#commands.values()]
      .reverse()
      .sort((a, b) => Number(b.terminal === activeTerminal) - Number(a.terminal === activeTerminal));
  }

  /** A command of `latest` with its output so far. The user may have begun another one since. */
  async context({ execution }: TerminalCommand): Promise<NewAttachment | undefined> {
    const command = this.#byExecution.get(execution);
    if (!command) return undefined;
    const { TerminalOutput } = await import('../../thread/terminalOutput');
    const output = new TerminalOutput({ cols: 500, rows: 50, byteLimit: textLimit });
    output.write(command.pieces.join(''));
    const { output: text, truncated } = output.read();
    const end = command.running
      ? '(still running)'
      : command.exitCode === undefined
        ? ''
        : `(exit code ${command.exitCode})`;
    return terminalAttachment(
      command.commandLine,
      [`$ ${command.commandLine}`, ...(truncated || command.length > rawLimit ? ['…'] : []), text.trimEnd(), end]
        .join('\n')
        .trimEnd(),
      command.terminal.name,
    );
  }

  #record(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const command: Recorded = {
      terminal,
      execution,
      commandLine: execution.commandLine.value,
      running: true,
      pieces: [],
      whole: Promise.resolve(),
      length: 0,
    };
    this.#commands.delete(terminal);
    this.#commands.set(terminal, command);
    this.#byExecution.set(execution, command);
    // What has come until an error is the output.
    command.whole = this.#read(command).catch(() => undefined);
  }

  async #read(command: Recorded): Promise<void> {
    let kept = 0;
    for await (const piece of command.execution.read()) {
      if (this.#commands.get(command.terminal) !== command) return;
      command.pieces.push(piece);
      command.length += piece.length;
      kept += piece.length;
      while (kept - command.pieces[0]!.length >= rawLimit) kept -= command.pieces.shift()!.length;
    }
  }

  async #end(execution: vscode.TerminalShellExecution, exitCode: number | undefined): Promise<void> {
    const command = this.#byExecution.get(execution);
    if (!command) return;
    await command.whole;
    command.running = false;
    command.exitCode = exitCode;
    // The shell reports the line more exactly at the end.
    command.commandLine = execution.commandLine.value;
  }
}

/** Text of a terminal as an attachment. */
export function terminalAttachment(title: string, text: string, terminalName: string): NewAttachment {
  return {
    kind: 'terminal',
    label: clip(title, 40).replace(/\s+/g, ' '),
    detail: l10n.t('From the terminal “{0}”', terminalName),
    linkable: false,
    uri: `parley:/terminal/${encodeURIComponent(terminalName)}`,
    content: `${text}\n`,
    fileName: 'terminal.txt',
  };
}
