/**
 * `node test/bench/terminalFlood.mjs [--mb 100] [--runs 3] [--only plain,colours]`: a command writes so much at once,
 * read by a bare node-pty reader that only counts, and by Parley's terminals with everything that they keep for agent
 * and panel. Each run is a process of its own. Printed are the rates, their ratio, the longest time for which the event
 * loop stood still, the reader's own time on a processor (the rate depends on what else the machine does), the most
 * memory, and how often the card was told. Numbers, not a test: nothing fails here.
 */
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from '../launch/project.mjs';
import { floods } from './floods.mjs';

const { values } = parseArgs({
  options: { mb: { type: 'string', default: '100' }, runs: { type: 'string', default: '3' }, only: { type: 'string' } },
});
const bytes = Number(values.mb) * 1_000_000;
const out = join(root, 'out/bench');
mkdirSync(out, { recursive: true });
// Beside node_modules, so that node-pty is found.
await build({
  entryPoints: [join(root, 'test/bench/terminalReader.ts')],
  outfile: join(out, 'terminalReader.js'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  external: ['node-pty'],
  logLevel: 'error',
});
const folder = mkdtempSync(join(tmpdir(), 'parley-flood-'));
try {
  console.log('output      reader    MB/s   × bare   MB per CPU s   longest block ms   peak RSS MB   looks/s');
  for (const name of Object.keys(floods).filter((flood) => !values.only || values.only.split(',').includes(flood))) {
    const file = join(folder, name);
    writeFileSync(file, floods[/** @type {keyof typeof floods} */ (name)](bytes));
    const bare = await median('bare', file);
    const parley = await median('parley', file);
    print(name, 'bare', bare, 1);
    print(name, 'parley', parley, parley.ms / bare.ms);
    rmSync(file);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @typedef {{ ms: number, cpu: number, block: number, rss: number, looks: number }} Result */

/** @param {string} reader @param {string} file @returns {Promise<Result>} */
async function median(reader, file) {
  /** @type {Result[]} */
  const results = [];
  for (let run = 0; run < Number(values.runs); run++) {
    results.push(
      await new Promise((resolve, reject) => {
        const child = fork(join(out, 'terminalReader.js'), [reader, file], { execArgv: ['--max-old-space-size=2048'] });
        child.once('message', (/** @type {Result} */ result) => resolve(result));
        child.once('exit', (code) => reject(new Error(`${reader} ended with ${code}`)));
      }),
    );
  }
  return /** @type {Result} */ (results.sort((a, b) => a.ms - b.ms)[Math.floor(results.length / 2)]);
}

/** @param {string} name @param {string} reader @param {Result} result @param {number} ratio */
function print(name, reader, result, ratio) {
  console.log(
    name.padEnd(12) +
      reader.padEnd(8) +
      (bytes / 1000 / result.ms).toFixed(1).padStart(6) +
      ratio.toFixed(2).padStart(9) +
      (bytes / 1000 / result.cpu).toFixed(1).padStart(15) +
      result.block.toFixed(0).padStart(19) +
      (result.rss / 1e6).toFixed(0).padStart(14) +
      result.looks.toFixed(1).padStart(10),
  );
}
