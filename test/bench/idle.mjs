/**
 * `npm run bench:idle`: what Parley costs before it does anything, in a real VS Code: loading and activating it, the
 * memory and file watchers of a window in which it is not used, and the code loaded at activation, with the panel and
 * with the first prompt. Numbers, not a test. `--runs N` takes the median of N windows (5).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
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

/**
 * @typedef {{ id: number, pid: number, ms: number, rss: number, heapUsed: number, watches?: number, bytes: number,
 * loaded: Record<string, number> }} Answer
 */

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, files: { type: 'boolean', default: false } },
});
const runs = Math.max(1, Number(values.runs));

await installDependencies();
await build();
const folder = temporaryFolder('bench-idle');
const probe = join(folder, 'probe');
const workspace = copySampleWorkspace();
const browser = await launchChromium();
let asked = 0;
try {
  const without = await inWindows([join(root, 'test/bench/probe')], (workbench) => idle(workbench));
  const name = `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).publisher}.parley`;
  const rows = await inWindows([join(root, 'test/bench/probe'), sleepingCopy()], async (workbench) => {
    const asleep = await idle(workbench);
    const awake = await ask({ activate: name });
    const chat = await workbench.openChat();
    const panel = await ask();
    await chat.getByRole('textbox', { name: 'Message' }).fill('hello');
    await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
    await chat
      .getByText(/demo agent/i)
      .first()
      .waitFor();
    const prompt = await ask();
    return { asleep, awake, panel, prompt };
  });
  report(without, rows);
} finally {
  await browser.close();
  workspace.remove();
  removeFolder(folder);
}

/**
 * @template T
 * @param {readonly string[]} install
 * @param {(workbench: Workbench) => Promise<T>} measure
 * @returns {Promise<T[]>}
 */
async function inWindows(install, measure) {
  const all = [];
  for (let run = 0; run < runs; run++) {
    const server = await startServer({
      install,
      builtIn: fewExtensions,
      env: { PARLEY_BENCH_PROBE: probe },
      // Where the side bar is open, the panel is in use from the start.
      settings: { 'workbench.secondarySideBar.defaultVisibility': 'hidden' },
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    try {
      all.push(await measure(await Workbench.open(context, server, { folder: workspace.folder })));
    } finally {
      await context.close();
      await server.stop();
    }
  }
  return all;
}

/** The window after VS Code's own start. @param {Workbench} workbench */
async function idle(workbench) {
  await ask();
  await workbench.page.waitForTimeout(6000);
  return ask();
}

/** @param {{ activate?: string }} [request] @returns {Promise<Answer>} */
async function ask(request = {}) {
  const id = ++asked;
  writeFileSync(`${probe}.asking`, JSON.stringify({ id, ...request }));
  renameSync(`${probe}.asking`, `${probe}.ask`);
  /** @type {Answer | undefined} */
  let answer;
  await until(
    'the probe',
    () => {
      answer = existsSync(`${probe}.answer`) ? JSON.parse(readFileSync(`${probe}.answer`, 'utf8')) : undefined;
      return answer?.id === id;
    },
    { timeout: 60_000 },
  );
  return /** @type {Answer} */ (answer);
}

/** Parley as it is, but activated by nobody, so that the probe can do it in a quiet window. */
function sleepingCopy() {
  const copy = join(folder, 'parley');
  mkdirSync(copy);
  for (const name of readdirSync(root)) {
    if (!/^(?:package\.json|\..*|test|src|webview)$/.test(name)) symlinkSync(join(root, name), join(copy, name));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  return copy;
}

/** @typedef {{ asleep: Answer, awake: Answer, panel: Answer, prompt: Answer }} Row */

/** @param {readonly Answer[]} without @param {readonly Row[]} rows */
function report(without, rows) {
  /** @template T @param {readonly T[]} all @param {(item: T) => number} read */
  const spread = (all, read) => {
    const sorted = all.map(read).toSorted((a, b) => a - b);
    return {
      median: sorted[Math.floor(sorted.length / 2)] ?? 0,
      text: `${sorted[0]?.toFixed(1)} to ${sorted.at(-1)?.toFixed(1)}`,
    };
  };
  /** @param {string} what @param {string} unit @param {{ median: number, text: string }} value */
  const line = (what, unit, { median, text }) =>
    console.log(`${what.padEnd(64)}${median.toFixed(1).padStart(8)} ${unit}  (${text})`);
  const mb = 1 / 1024 / 1024;
  line(
    'load and activate',
    'ms',
    spread(rows, ({ awake }) => awake.ms),
  );
  line(
    'heap that activation adds',
    'MB',
    spread(rows, ({ asleep, awake }) => (awake.heapUsed - asleep.heapUsed) * mb),
  );
  line(
    'memory that activation adds to the process',
    'MB',
    spread(rows, ({ asleep, awake }) => (awake.rss - asleep.rss) * mb),
  );
  line(
    'extension host without Parley',
    'MB',
    spread(without, ({ rss }) => rss * mb),
  );
  line(
    'extension host with Parley, unused',
    'MB',
    spread(rows, ({ awake }) => awake.rss * mb),
  );
  line(
    'heap without Parley',
    'MB',
    spread(without, ({ heapUsed }) => heapUsed * mb),
  );
  line(
    'heap with Parley, unused',
    'MB',
    spread(rows, ({ awake }) => awake.heapUsed * mb),
  );
  line(
    'file watches without Parley',
    '',
    spread(without, ({ watches }) => watches ?? 0),
  );
  line(
    'file watches with Parley, unused',
    '',
    spread(rows, ({ awake }) => awake.watches ?? 0),
  );
  line(
    'code loaded at activation',
    'KB',
    spread(rows, ({ awake }) => awake.bytes / 1000),
  );
  line(
    'code loaded with the panel',
    'KB',
    spread(rows, ({ panel }) => panel.bytes / 1000),
  );
  line(
    'code loaded with the first prompt',
    'KB',
    spread(rows, ({ prompt }) => prompt.bytes / 1000),
  );
  if (values.files)
    for (const [file, size] of Object.entries(rows[0]?.prompt.loaded ?? {}).toSorted(([, a], [, b]) => b - a))
      console.log(`${String(size).padStart(8)} ${file}`);
}
