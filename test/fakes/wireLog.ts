import { readFileSync } from 'node:fs';

/**
 * One line of the log that the fake agent and the recorder write: a line from the client (`>`), one from the agent
 * (`<`, only those that are meant as messages), or something that happened beside the wire.
 */
export interface WireEntry {
  /** Milliseconds since the agent started. */
  readonly t: number;
  readonly dir: '>' | '<' | 'note';
  readonly line?: string;
  /** What is wrong with the bytes of the line. */
  readonly fault?: 'unterminated' | 'not UTF-8';
  readonly event?: string;
  readonly [detail: string]: unknown;
}

// The wire may carry anything, and these are read by tests only.
// oxlint-disable-next-line typescript/no-explicit-any
export type WireMessage = Record<string, any>;

/**
 * Reads a log; it may hold several runs of an agent, each beginning with the event `start`. A line that is being
 * written is left out.
 */
export function readWireLog(file: string): WireEntry[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WireEntry);
}

/** One list of entries per process, because ids and capabilities begin anew with each. */
export function runsOf(entries: readonly WireEntry[]): WireEntry[][] {
  const runs: WireEntry[][] = [];
  for (const entry of entries) {
    if (entry.event === 'start' || runs.length === 0) runs.push([]);
    runs.at(-1)?.push(entry);
  }
  return runs;
}

/** The messages of one direction that can be parsed. */
export function messagesOf(entries: readonly WireEntry[], dir: '>' | '<'): WireMessage[] {
  return entries.flatMap((entry) => {
    if (entry.dir !== dir || entry.line === undefined) return [];
    try {
      return [JSON.parse(entry.line) as WireMessage];
    } catch {
      return [];
    }
  });
}
