/**
 * `npm run bench`: streams mixed Markdown from a real stdio agent as fast as the pipe takes it, through the real VS Code
 * into the real panel, and prints what it costs beside the floor (see floor/extension.cjs). Numbers, not a test: nothing
 * fails here. `wall` is from the moment in which the agent writes its first text to the last paint, for the floor too;
 * `Enter→shown` is from the key that sends the prompt. `--quick` leaves out the longest stream, `--counts 500,2000` chooses; `--runs N` repeats and takes the median by wall time.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../launch/chromium.mjs';
import { until } from '../launch/poll.mjs';
import { build, copySampleWorkspace, installDependencies, removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { installRecorder, whenShown } from './recorder.mjs';
import { floodTail } from './tail.mjs';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, counts: { type: 'string' }, runs: { type: 'string', default: '3' } } });
const counts = values.counts ? values.counts.split(',').map(Number) : values.quick ? [500, 2_000, 8_000] : [500, 2_000, 8_000, 32_000];
const runs = Math.max(1, Number(values.runs));

await installDependencies();
await build();
const agent = join(root, 'test/bench/stampingAgent.mjs');
const stampFolder = temporaryFolder('bench');
const stamp = join(stampFolder, 'first-text');
const workspace = copySampleWorkspace();
const server = await startServer({
  install: [root, join(root, 'test/bench/floor')],
  env: { PARLEY_DEMO_SPEED: '0', PARLEY_BENCH_AGENT: agent, PARLEY_BENCH_STAMP: stamp },
  settings: { 'parley.agents': { Bench: { command: process.execPath, args: [agent] } }, 'parley.defaultAgent': 'Bench' },
});
const browser = await launchChromium({ args: ['--enable-precise-memory-info'] });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const workbench = await Workbench.open(context, server, { folder: workspace.folder });
  const floor = new Map();
  await workbench.runCommand('Floor: Run');
  for (const count of counts) floor.set(count, await median(() => measureFloor(workbench, count), (ms) => ms));
  const rows = [];
  for (const count of counts) rows.push({ count, ...(await median(() => measureParley(workbench, count), (result) => result.wall)) });
  report(rows, floor);
} finally {
  await browser.close();
  await server.stop();
  workspace.remove();
  removeFolder(stampFolder);
}

/** When the agent wrote the first text of its last answer, in ms since 1970. */
function firstText() {
  return Number(readFileSync(stamp, 'utf8'));
}

/** @param {Workbench} workbench @param {number} count @returns {Promise<number>} milliseconds from first text to last paint */
async function measureFloor(workbench, count) {
  const frame = await workbench.webview({ extension: 'parley-bench.floor', selector: '#out' });
  await until('the floor', () => frame.evaluate('window.ready === true'));
  const shownAt = /** @type {number} */ (await frame.evaluate(`window.start(${count})`));
  return shownAt - firstText();
}

/** @param {Workbench} workbench @param {number} count */
async function measureParley(workbench, count) {
  await workbench.runCommand('Parley: New Session');
  const chat = await workbench.chat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await until('the agent', async () => (await chat.getByRole('button', { name: /^Mode: / }).count()) > 0);
  await chat.evaluate(installRecorder);
  await box.fill(`/flood ${count}`);
  await box.press('Enter');
  const shown = chat.evaluate(whenShown, floodTail(count));
  let streaming = true;
  const typing = (async () => {
    while (streaming) {
      await box.press('a');
      await workbench.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    }
  })();
  const result = /** @type {any} */ (await shown);
  streaming = false;
  await typing;
  await box.fill('');
  return { ...result, wall: result.shownAt - firstText() };
}

/** @template T @param {() => Promise<T>} measure @param {(value: T) => number} by @returns {Promise<T>} */
async function median(measure, by) {
  const values = [];
  for (let run = 0; run < runs; run++) values.push(await measure());
  return /** @type {T} */ (values.sort((a, b) => by(a) - by(b))[Math.floor(values.length / 2)]);
}

function report(/** @type {any[]} */ rows, /** @type {Map<number, number>} */ floor) {
  console.log('\nchunks   floor s   wall s   ×floor   Enter→shown s   longest task ms   worst frame ms   key→paint ms (median / worst)   DOM nodes   heap MB');
  for (const row of rows) {
    const base = floor.get(row.count) ?? Number.NaN;
    const keys = row.keys.sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    console.log(
      [
        String(row.count).padStart(6),
        (base / 1000).toFixed(2).padStart(9),
        (row.wall / 1000).toFixed(2).padStart(8),
        (row.wall / base).toFixed(2).padStart(8),
        (row.turn / 1000).toFixed(2).padStart(15),
        row.longestTask.toFixed(0).padStart(17),
        row.worstFrame.toFixed(0).padStart(16),
        `${(keys[Math.floor(keys.length / 2)] ?? 0).toFixed(0)} / ${(keys.at(-1) ?? 0).toFixed(0)}`.padStart(32),
        String(row.nodes).padStart(11),
        (row.heap / 1e6).toFixed(1).padStart(9),
      ].join(''),
    );
  }
  const small = rows.find((row) => row.count === 2_000);
  const large = rows.find((row) => row.count === 32_000);
  if (small && large) console.log(`growth from 2,000 to 32,000: ${(large.wall / small.wall / 16).toFixed(2)} × linear`);
}
