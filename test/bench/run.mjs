/**
 * `npm run bench`: what Parley costs, in numbers. Not a test: nothing fails here.
 *
 * - **warm**: streams mixed Markdown from a real stdio agent as fast as the pipe takes it, through the real VS Code
 * into the
 *   real panel, beside the floor (see floor/extension.cjs). `wall` is from the moment in which the agent writes its
 * first
 *   text to the last paint, for the floor too; `Enter→shown` is from the key that sends the prompt. Each is the median
 * of
 *   `--runs N` by wall time. `--counts 500,2000` chooses how many chunks, `--quick` leaves out the longest stream.
 * - **cold**: the same in a window that was just opened, after two short prompts, the floor in such a window too.
 * - **host**: what the extension host holds more after 10,000 tool calls with diffs, and after a million chunks, beside
 *   what the agent sent; and how fast that is shown again, beside an empty thread.
 * - **long**: what a long conversation costs the panel alone (longThread.mjs).
 *
 * `--only cold,long` measures only these.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../launch/chromium.mjs';
import { until } from '../launch/poll.mjs';
import {
  build,
  copySampleWorkspace,
  installDependencies,
  removeFolder,
  root,
  temporaryFolder,
} from '../launch/project.mjs';
import { fewExtensions, startServer } from '../launch/server.mjs';
import { Workbench } from '../launch/workbench.mjs';
import { reportLongThread } from './longThread.mjs';
import { whenDrawn } from './recorder.mjs';
import { measureFloor, measureParley, median, middle, report } from './streams.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    counts: { type: 'string' },
    runs: { type: 'string' },
    only: { type: 'string', default: 'warm,cold,host,long' },
  },
});
const counts = values.counts
  ? values.counts.split(',').map(Number)
  : values.quick
    ? [500, 2_000, 8_000]
    : [500, 2_000, 8_000, 32_000];
const parts = new Set(values.only.split(','));
/** The first short answers after a start are slow in either, so a warm median wants many. */
const warmRuns = Math.max(1, Number(values.runs ?? 7));
const coldRuns = Math.max(1, Number(values.runs ?? 5));

await installDependencies();
await build();
const agent = join(root, 'test/bench/stampingAgent.mjs');
const folder = temporaryFolder('bench');
const stamp = join(folder, 'first-text');
const memory = join(folder, 'memory');
const workspace = copySampleWorkspace();
// The rest of VS Code's own extensions would start while the cold streams are measured.
const server = await startServer({
  builtIn: fewExtensions,
  install: [root, join(root, 'test/bench/floor')],
  env: { PARLEY_DEMO_SPEED: '0', PARLEY_BENCH_AGENT: agent, PARLEY_BENCH_STAMP: stamp, PARLEY_BENCH_MEMORY: memory },
  settings: {
    'parley.agents': { Bench: { command: process.execPath, args: [agent] } },
    'parley.defaultAgent': 'Bench',
  },
});
const browser = await launchChromium({ args: ['--enable-precise-memory-info'] });
try {
  if (parts.has('warm')) await inWindow(reportWarm);
  if (parts.has('cold')) await reportCold();
  if (parts.has('host'))
    for (const prompt of ['/calls 10000', '/chunks 1000000'])
      await inWindow((workbench) => reportHost(workbench, prompt));
} finally {
  await browser.close();
  await server.stop();
  workspace.remove();
  removeFolder(folder);
}
if (parts.has('long')) await reportLongThread(Number(values.runs ?? 5));

/** @template T @param {(workbench: Workbench) => Promise<T>} use @returns {Promise<T>} */
async function inWindow(use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    return await use(await Workbench.open(context, server, { folder: workspace.folder }));
  } finally {
    await context.close();
  }
}

/** @param {Workbench} workbench */
async function reportWarm(workbench) {
  await workbench.runCommand('Floor: Run');
  const floors = new Map();
  for (const count of counts)
    floors.set(count, await median(warmRuns, () => measureFloor(workbench, `/flood ${count}`, stamp)));
  /** @type {import('./streams.mjs').Row[]} */
  const rows = [];
  for (const count of counts) {
    const cost = await median(warmRuns, async () => {
      await workbench.runCommand('Parley: New Session');
      return measureParley(workbench, `/flood ${count}`, stamp);
    });
    rows.push({ prompt: `/flood ${count}`, cost, floor: floors.get(count) });
  }
  report('Warm', rows);
  const [small, large] = [2_000, 32_000].map((count) => rows.find(({ prompt }) => prompt === `/flood ${count}`));
  if (small && large)
    console.log(`growth from 2,000 to 32,000: ${(large.cost.wall / small.cost.wall / 16).toFixed(2)} × linear`);
}

async function reportCold() {
  const short = ['/flood 20', '/flood 40'];
  const rows = [];
  for (const prompt of [...counts.filter((count) => count >= 2_000).map((count) => `/flood ${count}`), '/calls 200']) {
    /** @type {import('./streams.mjs').Cost[]} */
    const floors = [];
    /** @type {import('./streams.mjs').Cost[]} */
    const costs = [];
    // In turns, because the speed of a machine changes with time.
    for (let run = 0; run < coldRuns; run++) {
      floors.push(
        await inWindow(async (workbench) => {
          await workbench.runCommand('Floor: Run');
          for (const first of short) await measureFloor(workbench, first, stamp);
          return measureFloor(workbench, prompt, stamp);
        }),
      );
      costs.push(
        await inWindow(async (workbench) => {
          await workbench.openChat();
          await workbench.runCommand('Parley: New Session');
          for (const first of short) await measureParley(workbench, first, stamp);
          return measureParley(workbench, prompt, stamp);
        }),
      );
    }
    rows.push({ prompt, cost: middle(costs), floor: middle(floors) });
  }
  report('Cold', rows);
}

/** @param {Workbench} workbench @param {string} prompt */
async function reportHost(workbench, prompt) {
  await workbench.openChat();
  await workbench.runCommand('Parley: New Session');
  const reopenedEmpty = await reopen(workbench);
  await measureParley(workbench, '/flood 40', stamp);
  const before = await hostMemory(workbench);
  const { wall } = await measureParley(workbench, prompt, stamp);
  const after = await hostMemory(workbench);
  const reopened = await reopen(workbench);
  const more = (/** @type {'heapUsed' | 'external' | 'rss'} */ key) =>
    `${((after[key] - before[key]) / 1e6).toFixed(0)} MB`;
  const sent = (Number(readFileSync(`${stamp}.sent`, 'utf8')) / 1e6).toFixed(0);
  console.log(
    `Host after ${prompt} (${(wall / 1000).toFixed(0)} s): heap +${more('heapUsed')} / ${sent} MB that the agent sent, outside the heap +${more('external')}, process +${more('rss')}; shown again after ${reopened.toFixed(0)} / ${reopenedEmpty.toFixed(0)} ms (an empty thread)`,
  );
}

/**
 * Hides the panel and shows it again.
 * @param {Workbench} workbench
 * @returns {Promise<number>} the median time to the paint, ms
 */
async function reopen(workbench) {
  const times = [];
  for (let run = 0; run < 5; run++) {
    await allCame(workbench);
    const earlier = new Set(workbench.page.frames());
    await workbench.hideSecondarySideBar();
    const start = Date.now();
    await workbench.page.keyboard.press('Control+Alt+B');
    times.push(Number(await until('the panel', () => firstDraw(workbench, earlier), { interval: 5 })) - start);
  }
  return /** @type {number} */ (times.sort((a, b) => a - b)[2]);
}

/** Waits until the panel has the whole thread: of a long one the end comes first. @param {Workbench} workbench */
async function allCame(workbench) {
  const chat = await workbench.chat();
  let before = -1;
  await until(
    'the whole thread',
    async () => {
      const groups = await chat.locator('.entry-group').count();
      const isSame = groups === before;
      before = groups;
      return isSame;
    },
    { interval: 1_000, timeout: 120_000 },
  );
}

/**
 * When the panel was drawn, if it was.
 * @param {Workbench} workbench
 * @param {ReadonlySet<import('playwright-core').Frame>} earlier frames that are being taken away: to ask one of them
 * can take a second, in which the panel is drawn long since
 */
async function firstDraw(workbench, earlier) {
  for (const frame of workbench.page.frames()) {
    if (earlier.has(frame)) continue;
    if (!(frame.parentFrame()?.url() ?? '').toLowerCase().includes('extensionid=parley.parley')) continue;
    const drawn = await frame.evaluate(whenDrawn).catch(() => false);
    if (drawn) return drawn;
  }
  return undefined;
}

/**
 * What the extension host holds after a garbage collection.
 * @param {Workbench} workbench
 * @returns {Promise<{ heapUsed: number, external: number, rss: number }>}
 */
async function hostMemory(workbench) {
  rmSync(memory, { force: true });
  await workbench.runCommand('Floor: Memory');
  return until('the memory of the host', () => {
    try {
      return JSON.parse(readFileSync(memory, 'utf8'));
    } catch {
      return undefined;
    }
  });
}
