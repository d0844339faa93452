import { createRequire } from 'node:module';
import { launchChromium } from '../launch/chromium.mjs';
import { importSource } from '../launch/importSource.mjs';
import { startHarness } from '../webview/harness.mjs';
import { frameCosts, percentile } from './frameCosts.mjs';

const shapes = ['empty', 'calls', 'turns'];

/**
 * Prints what a long conversation costs the panel. The panel alone is sent what the host sends of an empty thread, of
 * 10,000 tool calls with diffs, and of 1,500 turns. Printed are, as the median of the runs: the time from the first
 * message to its paint, beside what copying that message costs by itself; the time until all has come, and the longest
 * task until then; the DOM nodes, and the heap beside what the same data needs without the panel; frames while the
 * wheel turns through 40,000 px, and what of them is the panel's own work: median and 95 % of script, style and layout
 * of a frame, in processor time.
 * @param {number} runs
 */
export async function reportLongThread(runs) {
  // A package in it asks for `fs` when it is loaded.
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  const { longMessages } = /** @type {typeof import('./longMessages')} */ (
    await importSource('test/bench/longMessages.ts')
  );
  const harness = await startHarness();
  const browser = await launchChromium({ args: ['--enable-precise-memory-info'] });
  console.log(
    '\nLong    shown after   copy alone   all after   longest task     nodes   heap / data MB   frames while scrolling: worst    95 %   own work: median    95 %   layout of all   paint of all',
  );
  try {
    for (const shape of shapes) {
      const messages = await longMessages(shape);
      /** @type {Awaited<ReturnType<typeof measure>>[]} */
      const costs = [];
      for (let run = 0; run < runs; run++) costs.push(await measure(browser, harness.url(), messages));
      const middle = (/** @type {(cost: (typeof costs)[number]) => number} */ read) =>
        /** @type {number} */ (costs.map(read).sort((a, b) => a - b)[Math.floor(costs.length / 2)]);
      const ms = (/** @type {number} */ value) => `${value.toFixed(0)} ms`;
      const tenths = (/** @type {number} */ value) => `${value.toFixed(1)} ms`;
      console.log(
        [
          shape.padEnd(6),
          ms(middle((c) => c.shown)).padStart(13),
          ms(middle((c) => c.copy)).padStart(13),
          ms(middle((c) => c.whole)).padStart(12),
          ms(middle((c) => c.longestTask)).padStart(15),
          String(middle((c) => c.nodes)).padStart(10),
          `${(middle((c) => c.heap) / 1e6).toFixed(0)} / ${(middle((c) => c.data) / 1e6).toFixed(0)}`.padStart(17),
          ms(middle((c) => c.frames.at(-1) ?? 0)).padStart(32),
          ms(middle((c) => c.frames[Math.floor(c.frames.length * 0.95)] ?? 0)).padStart(8),
          tenths(
            middle((c) =>
              percentile(
                c.work.map(({ own }) => own),
                0.5,
              ),
            ),
          ).padStart(19),
          tenths(
            middle((c) =>
              percentile(
                c.work.map(({ own }) => own),
                0.95,
              ),
            ),
          ).padStart(8),
          ms(middle((c) => c.work.reduce((sum, { layout }) => sum + layout, 0))).padStart(16),
          ms(middle((c) => c.work.reduce((sum, { paint }) => sum + paint, 0))).padStart(15),
        ].join(''),
      );
    }
  } finally {
    await browser.close();
    await harness.stop();
  }
}

/** @param {import('playwright-core').Browser} browser @param {string} url @param {readonly unknown[]} messages */
async function measure(browser, url, messages) {
  const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
  page.on('pageerror', (error) => console.log(error));
  await page.goto(url);
  await page.locator('textarea').waitFor();
  const client = await page.context().newCDPSession(page);
  const heap = async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await heap();
  await page.evaluate((messages) => Object.assign(window, { messages }), messages);
  const data = (await heap()) - before;
  const times = await page.evaluate(show);
  // Until nothing is added for a second.
  const nodes = await page.evaluate(async () => {
    let last = -1;
    for (let calm = 0; calm < 60;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = document.querySelectorAll('*').length;
      calm = now === last ? calm + 1 : 0;
      last = now;
    }
    return last;
  });
  await page.evaluate(
    () => delete (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['messages']),
  );
  const used = (await heap()) - before;
  await page.locator('.thread').hover();
  await page.evaluate(watchFrames);
  const turnWheel = async () => {
    for (let i = 0; i < 100; i++) {
      await page.mouse.wheel(0, -400);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  };
  await turnWheel();
  const frames = await page.evaluate(
    () => /** @type {number[]} */ (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['frames']),
  );
  // A second time, because recording costs something too.
  const work = await frameCosts(browser, page, turnWheel);
  await page.close();
  return { ...times, nodes, heap: used, data, frames: frames.sort((a, b) => a - b), work };
}

/**
 * Runs in the page: hands the messages over as the host does, the next one when the last was taken and a frame has
 * passed.
 */
async function show() {
  const messages = /** @type {unknown[]} */ (
    /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['messages']
  );
  const started = performance.now();
  structuredClone(messages[0]);
  const copy = performance.now() - started;
  let longestTask = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  });
  observer.observe({ type: 'longtask' });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const start = performance.now();
  const post = async (/** @type {unknown} */ message) => {
    window.postMessage(message, '*');
    await new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
  };
  const painted = async () => {
    for (let i = 0; i < 3; i++) await frame();
    // The heavy part may come in a task after the frame.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return performance.now() - start;
  };
  await post(messages[0]);
  const shown = painted();
  for (const message of messages.slice(1)) {
    await new Promise((resolve) => setTimeout(resolve, 16));
    await post(message);
  }
  const whole = await painted();
  // A task of the first message ends before this is called.
  for (const { duration } of observer.takeRecords()) longestTask = Math.max(longestTask, duration);
  return { shown: await shown, copy, whole, longestTask };
}

/** Runs in the page. */
function watchFrames() {
  let last = performance.now();
  /** @type {number[]} */
  const frames = [];
  Object.assign(window, { frames });
  const tick = () => {
    const now = performance.now();
    frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
