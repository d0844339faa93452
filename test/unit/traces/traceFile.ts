import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { WireMessage } from '../../fakes/wireLog';

/** Traffic of real agents as it was recorded; README.md beside the files says how and when. */
export const tracesFolder = join(import.meta.dirname, '../../fixtures/traces');

/** One line of a trace: `>` from the client that recorded it, `<` from the agent. What was on stderr, and notes, are kept but not replayed. */
export interface TraceLine {
  readonly dir: '>' | '<' | 'err' | 'note';
  /** Milliseconds since the agent was started. */
  readonly t: number;
  readonly msg: WireMessage;
}

export interface Trace {
  /** What the agent was asked to do: `edit`, `cancelperm`. */
  readonly name: string;
  readonly lines: readonly TraceLine[];
}

/** The agents that were recorded. */
export const recordedAgents = readdirSync(tracesFolder)
  .filter((file) => file.endsWith('.ndjson.gz'))
  .map((file) => file.slice(0, -'.ndjson.gz'.length));

/** All traces of an agent. A line `{"trace":"edit"}` begins each. */
export function readTraces(agent: string): Trace[] {
  const traces: { name: string; lines: TraceLine[] }[] = [];
  for (const line of gunzipSync(readFileSync(join(tracesFolder, `${agent}.ndjson.gz`))).toString('utf8').split('\n')) {
    if (line === '') continue;
    const value = JSON.parse(line) as TraceLine & { readonly trace?: string };
    if (value.trace !== undefined) traces.push({ name: value.trace, lines: [] });
    else traces.at(-1)!.lines.push(value);
  }
  return traces;
}
