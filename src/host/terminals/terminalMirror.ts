import type { Event } from '../../base/event';
import type { PtyExit } from '../../node/pty';

/** A terminal in the form that a native VS Code terminal needs. Closing that one does not end the command. */
export interface TerminalMirror {
  /** Identifies the terminal, so that it is not opened twice. */
  readonly key: string;
  readonly title: string;
  /** False for pipes: there is no input, and line feeds come without returns. */
  readonly isPty: boolean;
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
