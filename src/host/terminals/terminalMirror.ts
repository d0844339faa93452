import type { Event } from '../../base/event';
import type { PtyExit } from '../../node/pty';

/** A terminal as a native VS Code terminal sees it. Closing that one does not end the command. */
export interface TerminalMirror {
  /** The same for the same terminal, so that it is not opened twice. */
  readonly key: string;
  readonly title: string;
  /** False for pipes: nobody can type, and line feeds come without returns. */
  readonly isPty: boolean;
  /** Raw output so far. */
  replay(): string;
  /** Set once the command has ended. */
  exit(): PtyExit | undefined;
  readonly onDidWrite: Event<string>;
  whenEnded(): Promise<PtyExit>;
  write(data: string): void;
  resize(cols: number, rows: number): void;
  /** Ends the command with all that it started. */
  stop(): void;
}
