/**
 * `npm run bench`: streams mixed Markdown from a real stdio agent as fast as the pipe takes it, through the real VS Code
 * into the real panel, and prints what it costs beside the floor (see floor/extension.cjs). Numbers, not a test: nothing
 * fails here. `wall` is from the moment in which the agent writes its first text to the last paint, for the floor too;
 * `Enter→shown` is from the key that sends the prompt. `--quick` leaves out the longest stream, `--counts 500,2000` chooses; `--runs N` takes the median of N by wall time (7: the first short answers after a start are slow in either).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../launch/chromium.mjs';
import { until } from '../launch/poll.mjs';
import { build, copySampleWorkspace, installDependencies, removeFolder, root, temporaryFolder } from '../launch/project.mjs';
import { startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { installRecorder, readRecorder, whenShown } from './recorder.mjs';
import { floodTail } from './tail.mjs';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, counts: { type: 'string' }, runs: { type: 'string', default: '7' } } });
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
  for (const count of counts) floor.set(count, await median(() => measureFloor(workbench, count)));
  const rows = [];
  for (const count of counts) rows.push({ count, ...(await median(() => measureParley(workbench, count))) });
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

/**
 * What one stream cost: `wall` in ms from the first text to the last paint, and what the recorder saw.
 * @typedef {{ wall: number, turn?: number, longestTask: number, worstFrame: number, keys: number[], nodes: number, heap: number }} Cost
 */

/** @param {Workbench} workbench @param {number} count @returns {Promise<Cost>} */
async function measureFloor(workbench, count) {
  const frame = await workbench.webview({ extension: 'parley-bench.floor', selector: '#out' });
  await until('the floor', () => frame.evaluate('window.ready === true'));
  await frame.evaluate(installRecorder);
  const box = frame.getByRole('textbox', { name: 'Message' });
  await box.fill('');
  const shownAt = await whileTyping(workbench, box, () => /** @type {Promise<number>} */ (frame.evaluate(`window.start(${count})`)));
  return { ...(await frame.evaluate(readRecorder)), wall: shownAt - firstText() };
}

/** @param {Workbench} workbench @param {number} count @returns {Promise<Cost>} */
async function measureParley(workbench, count) {
  await workbench.runCommand('Parley: New Session');
  const chat = await workbench.chat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await until('the agent', async () => (await chat.getByRole('button', { name: /^Mode: / }).count()) > 0);
  await chat.evaluate(installRecorder);
  await box.fill(`/flood ${count}`);
  await box.press('Enter');
  const shown = await whileTyping(workbench, box, () => chat.evaluate(whenShown, floodTail(count)));
  await box.fill('');
  return { ...(await chat.evaluate(readRecorder)), wall: shown.shownAt - firstText(), turn: shown.turn };
}

/**
 * Types a letter about every 60 ms until the stream stands on screen.
 * @template T @param {Workbench} workbench @param {import('playwright-core').Locator} box @param {() => Promise<T>} stream @returns {Promise<T>}
 */
async function whileTyping(workbench, box, stream) {
  const shown = stream();
  let streaming = true;
  const typing = (async () => {
    while (streaming) {
      await box.press('a');
      await workbench.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    }
  })();
  try {
    return await shown;
  } finally {
    streaming = false;
    await typing;
  }
}

/** The run in the middle by wall time. @param {() => Promise<Cost>} measure @returns {Promise<Cost>} */
async function median(measure) {
  const costs = [];
  for (let run = 0; run < runs; run++) costs.push(await measure());
  return /** @type {Cost} */ (costs.sort((a, b) => a.wall - b.wall)[Math.floor(costs.length / 2)]);
}

function report(/** @type {(Cost & { count: number })[]} */ rows, /** @type {Map<number, Cost>} */ floors) {
  console.log('\nEach number beside the floor\'s, which is the second one.\nchunks        wall s   ×floor   Enter→shown s   longest task ms   worst frame ms   key→paint ms median    worst     DOM nodes       heap MB');
  for (const row of rows) {
    const floor = floors.get(row.count);
    if (!floor) continue;
    /** @param {(cost: Cost) => number} read @param {number} [digits] */
    const pair = (read, digits = 0) => `${read(row).toFixed(digits)} / ${read(floor).toFixed(digits)}`;
    console.log(
      [
        String(row.count).padStart(6),
        pair((cost) => cost.wall / 1000, 2).padStart(14),
        (row.wall / floor.wall).toFixed(2).padStart(9),
        ((row.turn ?? 0) / 1000).toFixed(2).padStart(16),
        pair((cost) => cost.longestTask).padStart(18),
        pair((cost) => cost.worstFrame).padStart(17),
        pair((cost) => sorted(cost.keys)[Math.floor(cost.keys.length / 2)] ?? 0).padStart(22),
        pair((cost) => sorted(cost.keys).at(-1) ?? 0).padStart(9),
        pair((cost) => cost.nodes).padStart(14),
        pair((cost) => cost.heap / 1e6).padStart(14),
      ].join(''),
    );
  }
  const small = rows.find((row) => row.count === 2_000);
  const large = rows.find((row) => row.count === 32_000);
  if (small && large) console.log(`growth from 2,000 to 32,000: ${(large.wall / small.wall / 16).toFixed(2)} × linear`);
}

/** @param {number[]} values */
function sorted(values) {
  return [...values].sort((a, b) => a - b);
}
