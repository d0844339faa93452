/**
 * What a long conversation costs the panel: `node test/bench/longThread.mjs [--runs N]`.
 *
 * The panel alone shows an empty thread, 10,000 tool calls with diffs, and 1,500 turns. Printed are the time from the
 * snapshot to its paint (the median of N runs) beside what copying the message costs by itself, the DOM nodes and heap once nothing is drawn any more, the heap that the
 * same data needs without the panel, and the worst frame while the wheel turns through 40,000 px.
 */
import { launchChromium } from '../launch/chromium.mjs';
import { startHarness } from '../webview/harness.mjs';
import { threadView } from '../webview/views.mjs';

const runs = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 5;
const shapes = ['empty', 'calls', 'turns'];

const harness = await startHarness();
const browser = await launchChromium({ args: ['--enable-precise-memory-info'] });
try {
  for (const shape of shapes) {
    const shown = [];
    for (let run = 0; run < runs; run++) shown.push(await measure(shape));
    shown.sort((a, b) => a.ms - b.ms);
    const { ms, copy, nodes, heap, data, worst } = /** @type {(typeof shown)[number]} */ (shown[Math.floor(shown.length / 2)]);
    console.log(`${shape.padEnd(6)} shown after ${ms.toFixed(0).padStart(5)} ms, the copy alone ${copy.toFixed(0).padStart(4)} ms · ${String(nodes).padStart(7)} nodes · heap ${(heap / 1e6).toFixed(0).padStart(4)} MB, data ${(data / 1e6).toFixed(0)} MB · worst frame while scrolling ${worst.toFixed(0)} ms`);
  }
} finally {
  await browser.close();
  await harness.stop();
}

/** @param {string} shape */
async function measure(shape) {
  const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
  page.on('pageerror', (error) => console.log(error));
  await page.goto(harness.url());
  await page.locator('textarea').waitFor();
  const client = await page.context().newCDPSession(page);
  const heap = async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await heap();
  await page.evaluate(prepare, { shape, view: threadView() });
  const data = (await heap()) - before;
  const copy = await page.evaluate(copyView);
  const ms = await page.evaluate(show);
  // Until nothing is added for a second.
  const nodes = await page.evaluate(async () => {
    let last = -1;
    for (let calm = 0; calm < 60; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = document.querySelectorAll('*').length;
      calm = now === last ? calm + 1 : 0;
      last = now;
    }
    return last;
  });
  await page.evaluate(() => delete (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['view']));
  const used = (await heap()) - before;
  await page.locator('.thread').hover();
  await page.evaluate(watchFrames);
  for (let i = 0; i < 100; i++) {
    await page.mouse.wheel(0, -400);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  const worst = await page.evaluate(() => /** @type {number} */ (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['worst']));
  await page.close();
  return { ms, copy, nodes, heap: used, data, worst };
}

/** Runs in the page. @param {{ shape: string, view: import('../../src/protocol/viewModel').ThreadView }} options */
function prepare({ shape, view }) {
  const lines = (/** @type {number} */ n) =>
    Array.from({ length: 12 }, (_, i) => ({ kind: i % 3 === 0 ? 'remove' : i % 3 === 1 ? 'add' : 'context', text: `  const value${n}_${i} = compute(${i}, 'some words of code');` }));
  const call = (/** @type {number} */ n) => ({
    kind: 'toolCall', id: `c${n}`, title: `Edit file${n}.ts`, toolKind: 'edit', status: 'completed', locations: [{ path: `/work/file${n}.ts`, label: `file${n}.ts` }], permissions: [], startedAt: 1, durationMs: 20,
    content: [{ type: 'diff', path: `/work/file${n}.ts`, label: `file${n}.ts`, isNew: false, added: 4, removed: 4, truncated: false, hunks: [{ oldStart: 1, newStart: 1, lines: lines(n) }] }],
  });
  const read = (/** @type {number} */ n) => ({ kind: 'toolCall', id: `r${n}`, title: `Read file${n}.ts`, toolKind: 'read', status: 'completed', locations: [], permissions: [], startedAt: 1, durationMs: 20, content: [] });
  const text = (/** @type {number} */ n) => `## Answer ${n}\n\nSome **words** about \`file${n}.ts\`, in a paragraph of two lines that wraps where the panel is narrow.\n\n- one\n- two\n\n\`\`\`ts\nexport const answer${n} = ${n};\n\`\`\`\n`;
  const turn = (/** @type {number} */ n) => [
    { kind: 'userMessage', id: `u${n}`, content: [{ type: 'text', text: `Prompt ${n}` }], dropped: false },
    read(n),
    { ...read(n), id: `s${n}` },
    { kind: 'agentMessage', id: `a${n}`, content: [{ type: 'text', text: text(n) }], streaming: false },
  ];
  const entries = shape === 'calls' ? Array.from({ length: 10_000 }, (_, n) => call(n)) : shape === 'turns' ? Array.from({ length: 1_500 }, (_, n) => turn(n)).flat() : [];
  Object.assign(window, { view: { ...view, entries } });
}

/** Runs in the page: what a browser needs to hand a message over, whoever reads it. */
function copyView() {
  const start = performance.now();
  structuredClone(/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['view']);
  return performance.now() - start;
}

/** Runs in the page: from the message to the second frame after it, as the host's message arrives. */
async function show() {
  const view = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window))['view'];
  const start = performance.now();
  window.postMessage({ type: 'thread/snapshot', stamp: { generation: 1, sequence: 0 }, view, ui: { draft: '', mentions: [], expanded: {} } }, '*');
  await new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
  for (let i = 0; i < 3; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  // The heavy part may come in a task after the frame.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return performance.now() - start;
}

/** Runs in the page. */
function watchFrames() {
  let last = performance.now();
  const state = /** @type {Record<string, number>} */ (/** @type {unknown} */ (window));
  state['worst'] = 0;
  const tick = () => {
    const now = performance.now();
    state['worst'] = Math.max(state['worst'] ?? 0, now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
