import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Event } from '../../base/event';
import { DisposableStore, type IDisposable } from '../../base/lifecycle';
import { Coalescer } from '../../base/scheduler';
import type { PtyExit } from '../../node/pty';
import { Backlog } from '../../thread/backlog';
import { TitleFilter } from '../../thread/titleFilter';
import { systemClock } from '../platform/clock';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/** A terminal in the form that a native VS Code terminal needs. Closing that one does not end the command. */
export interface TerminalMirror {
  /** Identifies the terminal, so that it is not opened twice. */
  readonly key: string;
  readonly title: string;
  /** False for pipes: there is no input, and line feeds come without returns. */
  readonly isPty: boolean;
  /** The focus stays where it is, because the user did not ask for it. */
  readonly keepsFocus?: boolean;
  /** Raw output so far. */
  replay(): string;
  /** Set once the command has ended. */
  exit(): PtyExit | undefined;
  readonly onDidWrite: Event<string>;
  whenEnded(): Promise<PtyExit>;
  write(data: string): void;
  resize(cols: number, rows: number): void;
  /** Ends the command and all processes that it started. */
  stop(): void;
}

/** VS Code does not report the progress of its terminal, so output is limited to a rate that it can draw: 5 MB/s. */
const SHOW_MS = 25;
const SHOW_MOST = 128 * 1024;

/** Shows agents' terminals as native ones; an open terminal is brought to the front. */
export class AgentTerminals implements IDisposable {
  readonly #open = new Map<string, { readonly terminal: vscode.Terminal; readonly mirror: TerminalMirror }>();
  readonly #store = new DisposableStore();

  /** @param askToStop whether to end a command after the user closed its terminal; for tests */
  constructor(private readonly askToStop: (title: string) => Promise<boolean> = askPerson) {
    this.#store.add(
      vscode.window.onDidCloseTerminal((closed) => {
        for (const [key, { terminal, mirror }] of this.#open) {
          if (terminal !== closed) continue;
          this.#open.delete(key);
          // Only if the user closed it, not for the end of the window or our own close.
          if (closed.exitStatus?.reason === vscode.TerminalExitReason.User) void this.#afterClosing(mirror);
        }
      }),
    );
  }

  readonly show = (mirror: TerminalMirror): void => {
    const known = this.#open.get(mirror.key);
    if (known) {
      known.terminal.show(mirror.keepsFocus);
      return;
    }
    const terminal = markedWindow.createTerminal({
      name: plainText(mirror.title, 39),
      iconPath: new vscode.ThemeIcon('comment-discussion'),
      pty: new AgentTerminal(mirror),
      isTransient: true,
    });
    this.#open.set(mirror.key, { terminal, mirror });
    terminal.show(mirror.keepsFocus);
  };

  /** Closes the native terminals; their commands continue. */
  dispose(): void {
    for (const { terminal } of this.#open.values()) terminal.dispose();
    this.#open.clear();
    this.#store.dispose();
  }

  async #afterClosing(mirror: TerminalMirror): Promise<void> {
    if (mirror.exit()) return;
    if (await this.askToStop(mirror.title)) mirror.stop();
  }
}

/** No answer keeps the command running: it is the agent's, and its card opens the terminal again. */
async function askPerson(title: string): Promise<boolean> {
  const stop = l10n.t('Stop');
  return (
    (await markedWindow.showInformationMessage(
      l10n.t('“{0}” is still running.', plainText(title, 60)),
      l10n.t('Keep Running'),
      stop,
    )) === stop
  );
}

/**
 * Mirrors an agent's command in VS Code's terminal panel: its output so far, then live; the user's input goes to the
 * command. Closing it ends only the mirror.
 */
export class AgentTerminal implements vscode.Pseudoterminal {
  readonly #writeEmitter = new vscode.EventEmitter<string>();
  readonly #closeEmitter = new vscode.EventEmitter<number | void>();
  readonly #store = new DisposableStore();
  readonly #backlog = new Backlog(SHOW_MOST);
  readonly #titles = new TitleFilter();
  readonly #flushes = new Coalescer(systemClock, SHOW_MS, () => this.#flush());

  readonly onDidWrite = this.#writeEmitter.event;
  readonly onDidClose = this.#closeEmitter.event;

  constructor(private readonly mirror: TerminalMirror) {}

  open(size: vscode.TerminalDimensions | undefined): void {
    this.#store.add(this.#flushes);
    this.#show(withoutQueries(this.mirror.replay()));
    this.#store.add(
      this.mirror.onDidWrite((data) => {
        this.#backlog.push(data);
        this.#flushes.schedule();
      }),
    );
    this.setDimensions(size);
    const exit = this.mirror.exit();
    if (exit) this.#showEnd(exit);
    else void this.mirror.whenEnded().then((ended) => this.#showEnd(ended));
  }

  close(): void {
    this.#store.dispose();
  }

  handleInput(data: string): void {
    if (this.mirror.exit()) this.#closeEmitter.fire();
    else this.mirror.write(data);
  }

  setDimensions(size: vscode.TerminalDimensions | undefined): void {
    if (size) this.mirror.resize(size.columns, size.rows);
  }

  #flush(): void {
    this.#show(this.#backlog.take());
  }

  #show(data: string): void {
    const shown = this.#titles.filter(data);
    if (shown !== '') this.#writeEmitter.fire(this.mirror.isPty ? shown : shown.replaceAll(/\r?\n/g, '\r\n'));
  }

  #showEnd(exit: PtyExit): void {
    if (this.#store.isDisposed) return;
    this.#flush();
    const words = exit.signal
      ? l10n.t('The signal {0} ended the command. Press any key to close the terminal.', exit.signal)
      : l10n.t('The command ended with exit code {0}. Press any key to close the terminal.', exit.exitCode ?? 0);
    this.#writeEmitter.fire(`\r\n\x1b[7m ${words} \x1b[0m\r\n`);
  }
}

/**
 * Removes queries to the terminal (cursor position, colours, its kind): the answers during a replay would arrive as if
 * the user had typed them.
 */
function withoutQueries(output: string): string {
  return output.replaceAll(
    /\x1b(?:\[[>=?]?\d*c|\[\??\d*n|\[>\d*q|\[\?\d+\$p|\[\?u|\[1[48]t|\]\d+(?:;\d+)?;\?(?:\x07|\x1b\\)|P[$+]q[^\x1b]*\x1b\\|Z)/g,
    '',
  );
}
