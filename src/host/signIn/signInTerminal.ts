import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { Deferred } from '../../base/deferred';
import { visibleLine } from '../../base/visibleText';
import type { CommandTerminal } from '../../node/commandTerminal';
import { joinPaths } from '../../node/environment';
import type { PtyBackend, PtyExit } from '../../node/pty';
import { terminalEnvironment } from '../../node/terminalEnvironment';
import { TitleFilter } from '../../thread/titleFilter';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { foldersOnDisk } from '../platform/workspaceFolders';
import type { SignInTerminal } from './signIn';
import { exitWords } from './signInRounds';
import type { SignInCommand } from './signInCommand';

export interface SignInTerminalOptions {
  /** The environment that the command inherits. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
  readonly backend: () => Promise<PtyBackend>;
}

/** Runs a command in a terminal of VS Code, shown at once. Its output stays readable after its end. */
export function runSignIn(command: SignInCommand, options: SignInTerminalOptions): SignInTerminal {
  const pty = new SignInPty(command, options);
  const terminal = markedWindow.createTerminal({
    name: plainText(command.title, 40),
    iconPath: new vscode.ThemeIcon('account'),
    pty,
    isTransient: true,
  });
  terminal.show();
  return { ended: pty.ended, show: () => terminal.show(), close: () => terminal.dispose() };
}

/**
 * Starts the command once the terminal is open, with its size: such programs draw on the whole screen and query the
 * terminal.
 */
class SignInPty implements vscode.Pseudoterminal {
  readonly #writeEmitter = new vscode.EventEmitter<string>();
  readonly #closeEmitter = new vscode.EventEmitter<void>();
  readonly #exit = new Deferred<PtyExit | undefined>();
  #command: CommandTerminal | undefined;
  #closed = false;

  readonly onDidWrite = this.#writeEmitter.event;
  readonly onDidClose = this.#closeEmitter.event;
  readonly ended = this.#exit.promise;

  constructor(
    private readonly what: SignInCommand,
    private readonly options: SignInTerminalOptions,
  ) {}

  open(size: vscode.TerminalDimensions | undefined): void {
    this.#writeEmitter.fire(`\x1b[2m${visibleLine(this.what.line)}\x1b[0m\r\n`);
    void this.#start(size).catch((error: unknown) => this.#end({ exitCode: 126 }, messageOf(error)));
  }

  close(): void {
    this.#closed = true;
    this.#exit.resolve(undefined);
    this.#command?.dispose();
  }

  handleInput(data: string): void {
    if (this.#exit.isSettled) this.#closeEmitter.fire();
    else this.#command?.write(data);
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    this.#command?.resize(columns, rows);
  }

  async #start(size: vscode.TerminalDimensions | undefined): Promise<void> {
    const [{ CommandTerminal }, { foldersToAvoid, trustedEnvironment }, backend, inherited] = await Promise.all([
      import('../../node/commandTerminal'),
      import('../../node/trustedFolders'),
      this.options.backend(),
      this.options.environment(),
    ]);
    const { command, args, cwd, env: overlay, programFolders } = this.what;
    // An agent names this command, so the name must not lead to the open folder.
    const trusted = await trustedEnvironment(inherited, await foldersToAvoid([cwd, ...foldersOnDisk()], homedir()));
    // A process that starts now would outlive the terminal.
    if (this.#closed) return;
    const env = terminalEnvironment(
      trusted,
      Object.entries(overlay).map(([name, value]) => ({ name, value })),
    );
    if (programFolders !== undefined) env['PATH'] = joinPaths(env['PATH'], programFolders);
    this.#command = new CommandTerminal(
      { command, args, cwd, env, size: { cols: size?.columns ?? 80, rows: size?.rows ?? 24 } },
      backend,
    );
    const { replay, isPty } = this.#command;
    const titles = new TitleFilter();
    const write = (data: string) => {
      const shown = titles.filter(data);
      if (shown !== '') this.#writeEmitter.fire(isPty ? shown : shown.replaceAll(/\r?\n/g, '\r\n'));
    };
    if (!isPty)
      write(`${l10n.t('Parley can give this command no input. If it asks for any, run it in a VS Code terminal.')}\n`);
    write(replay);
    this.#command.onDidWrite(write);
    this.#end(await this.#command.whenEnded());
  }

  #end(exit: PtyExit, problem?: string): void {
    if (this.#closed || !this.#exit.resolve(exit)) return;
    const how = problem ?? exitWords(exit);
    this.#writeEmitter.fire(`\r\n\x1b[7m ${how} ${l10n.t('Press any key to close this terminal.')} \x1b[0m\r\n`);
  }
}
