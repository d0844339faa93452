import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * Traffic of real agents as it was recorded; README.md beside the files says how. `t` is milliseconds since the agent
 * was started; `dir` is `>` for the client that recorded it, `<` for the agent, and `err` (stderr) and `note` are not
 * replayed.
 *
 * @typedef {{ readonly dir: '>' | '<' | 'err' | 'note', readonly t: number, readonly msg:
 * import('./agent/wire.mjs').Json }} TraceLine
 * @typedef {{ readonly name: string, readonly lines: readonly TraceLine[] }} Trace `name` says what the agent was asked
 * to do: `edit`, `cancelperm`.
 */

export const tracesFolder = fileURLToPath(new URL('../fixtures/traces/', import.meta.url));

const ending = '.ndjson.gz';

/** The agents that were recorded. */
export const recordedAgents = readdirSync(tracesFolder)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length));

/** All traces of an agent. A line `{"trace":"edit"}` begins each. @param {string} agent @returns {Trace[]} */
export function readTraces(agent) {
  /** @type {{ name: string, lines: TraceLine[] }[]} */
  const traces = [];
  for (const line of gunzipSync(readFileSync(`${tracesFolder}${agent}${ending}`))
    .toString('utf8')
    .split('\n')) {
    if (line === '') continue;
    const value = JSON.parse(line);
    if ('trace' in value) traces.push({ name: value.trace, lines: [] });
    else traces.at(-1)?.lines.push(value);
  }
  return traces;
}
