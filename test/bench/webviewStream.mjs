/**
 * How fast the webview alone takes a stream: `node test/bench/webviewStream.mjs [--runs N] [--profile]`.
 *
 * Sends 2,000 to 32,000 chunks of mixed Markdown as patches in the harness page, as fast as the page takes them, and
 * prints wall time, longest main-thread task, worst frame, key-to-paint latency and DOM nodes; beside it the floor: the
 * same messages appended as plain text to a <pre>.
 */
import { launchChromium } from '../launch/chromium.mjs';
import { startHarness } from '../webview/harness.mjs';
import { threadView } from '../webview/views.mjs';

const sizes = [2000, 8000, 32_000];
const runs = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 1;
const shapes = process.argv.includes('--shapes') ? ['mixed', 'code', 'list', 'table', 'paragraph', 'messages'] : ['mixed'];

const harness = await startHarness();
const browser = await launchChromium();
try {
  for (const shape of shapes) {
    console.log(`\n${shape}`);
    for (const size of sizes) {
      for (let run = 0; run < runs; run++) {
        const floor = await measure(shape, size, true);
        const panel = await measure(shape, size, false);
        console.log(
          `${String(size).padStart(6)} chunks ${(panel.characters / 1e6).toFixed(2)} MB | floor wall ${ms(floor.wall)} cpu ${ms(floor.busy)} task ${ms(floor.longest)} | panel wall ${ms(panel.wall)} (×${(panel.wall / floor.wall).toFixed(2)}) cpu ${ms(panel.busy)} (×${(panel.busy / floor.busy).toFixed(2)}, ${((panel.busy / size) * 1000).toFixed(0)} µs/chunk; script ${ms(panel.script)} layout ${ms(panel.layout)} style ${ms(panel.style)}) task ${ms(panel.longest)} frame ${ms(panel.worstFrame)} key ${ms(panel.key)} nodes ${panel.nodes} heap ${(panel.heap / 1e6).toFixed(0)} MB`,
        );
      }
    }
  }
} finally {
  await browser.close();
  await harness.stop();
}

/** @param {import('playwright-core').CDPSession} client */
async function metrics(client) {
  const { metrics } = await client.send('Performance.getMetrics');
  return new Map(metrics.map((m) => [m.name, m.value]));
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(0)} ms`.padStart(8);
}

/** @param {string} shape @param {number} size @param {boolean} floor */
async function measure(shape, size, floor) {
  const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
  page.on('console', (message) => message.type() === 'error' && console.log(message.text()));
  page.on('pageerror', (error) => console.log(error));
  await page.goto(harness.url('dark'));
  const client = await page.context().newCDPSession(page);
  // Processor time of the page's main thread: other programs on the machine do not count.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(client);
  const result = await page.evaluate(stream, { shape, size, floor, view: threadView() });
  const after = await metrics(client);
  await page.close();
  const cost = (/** @type {string} */ name) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000;
  return { ...result, busy: cost('TaskDuration'), script: cost('ScriptDuration'), layout: cost('LayoutDuration'), style: cost('RecalcStyleDuration') };
}

/** Runs in the page. @param {{ shape: string, size: number, floor: boolean, view: unknown }} options */
async function stream({ shape, size, floor, view }) {
  const chunks = make();
  const characters = chunks.reduce((n, c) => n + c.length, 0);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
  }).observe({ type: 'longtask' });
  /** @type {number[]} */
  const keys = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown' || entry.name === 'input') keys.push(entry.duration);
  }).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));
  const pre = document.createElement('pre');
  if (floor) document.getElementById('root')?.replaceChildren(pre);
  else window.postMessage({ type: 'thread/snapshot', stamp: { generation: 1, sequence: 0 }, view, ui: { draft: '', mentions: [], expanded: {} } }, '*');
  if (floor) {
    pre.style.setProperty('height', '800px');
    pre.style.setProperty('overflow', 'auto');
  }
  await frame();
  await frame();
  let worstFrame = 0;
  let last = performance.now();
  let running = true;
  const watch = () => {
    const now = performance.now();
    worstFrame = Math.max(worstFrame, now - last);
    last = now;
    if (running) requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
  // The host sends a batch per 16 ms at most; here batches come as fast as the page takes them, 128 chunks each.
  const per = 128;
  let sequence = 0;
  let sent = 0;
  let drained = 0;
  let pending = '';
  /** @type {(() => void) | undefined} */
  let wake;
  const flush = () => {
    pre.append(pending);
    pending = '';
    pre.scrollTop = pre.scrollHeight;
  };
  window.addEventListener('message', (event) => {
    if (event.data.type !== 'thread/patch') return;
    drained++;
    if (floor) {
      if (pending === '') requestAnimationFrame(flush);
      for (const patch of event.data.patches) pending += patch.text ?? '';
    }
    wake?.();
  });
  const area = /** @type {HTMLTextAreaElement | null} */ (document.querySelector('textarea'));
  const start = performance.now();
  let n = 0;
  let id = 'm0';
  const first = { op: 'entry/add', entry: { kind: 'agentMessage', id, content: [], streaming: true } };
  let key = 0;
  while (sent < chunks.length) {
    /** @type {unknown[]} */
    const patches = sent === 0 ? [first] : [];
    for (const text of chunks.slice(sent, sent + per)) {
      if (shape === 'messages' && ++n % 40 === 0) {
        patches.push({ op: 'entry/replace', entry: { kind: 'agentMessage', id, content: [{ type: 'text', text: 'Done.' }], streaming: false } });
        id = `m${n}`;
        patches.push({ op: 'entry/add', entry: { kind: 'toolCall', id: `t${n}`, title: `Read file ${n}`, toolKind: 'read', status: 'completed', locations: [], content: [], permissions: [], startedAt: 0, durationMs: 10 } });
        patches.push({ op: 'entry/add', entry: { kind: 'agentMessage', id, content: [], streaming: true } });
      }
      patches.push({ op: 'entry/appendText', id, part: 0, text });
    }
    sent += per;
    window.postMessage({ type: 'thread/patch', stamp: { generation: 1, sequence: ++sequence }, patches }, '*');
    // At most two batches are under way, as through a real channel that is acknowledged by being read.
    while (sequence - drained > 2) await new Promise((resolve) => { wake = () => resolve(undefined); });
    if (area && sequence % 4 === 0) {
      const t = performance.now();
      area.value += 'x';
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => { key = Math.max(key, performance.now() - t); }; c.port2.postMessage(0); });
    }
    // Several batches per frame, as the pipe gives them.
    if (sequence % 2 === 0) await frame();
  }
  await frame();
  await frame();
  const wall = performance.now() - start;
  if (!floor) window.postMessage({ type: 'thread/patch', stamp: { generation: 1, sequence: ++sequence }, patches: [] }, '*');
  // Settled: the end is rich and nothing is left to do.
  for (let i = 0; i < 30; i++) await frame();
  const settled = performance.now() - start - wall;
  running = false;
  const memory = /** @type {{ memory?: { usedJSHeapSize: number } }} */ (/** @type {unknown} */ (performance)).memory;
  return { wall, longest, worstFrame, key: Math.max(key, ...keys, 0), settled, nodes: document.querySelectorAll('*').length, heap: memory?.usedJSHeapSize ?? 0, characters };

  function make() {
    /** @type {string[]} */
    const out = [];
    const words = 'the tokenizer reads text and gives tokens back while a stack keeps what is open so that nested quotes work as before'.split(' ');
    let seed = 7;
    const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    const sentence = (/** @type {number} */ k) => Array.from({ length: k }, () => words[Math.floor(random() * words.length)]).join(' ');
    let text = '';
    while (text.length < size * 32) {
      if (shape === 'code') text += text === '' ? '```ts\n' : `const value = "${sentence(6)}"; // ${sentence(3)}\n`;
      else if (shape === 'list') text += `- **${sentence(2)}** ${sentence(8)} \`code\`\n`;
      else if (shape === 'table') text += text === '' ? '| a | b | c |\n|---|---|---|\n' : `| ${sentence(2)} | \`${sentence(1)}\` | ${sentence(4)} |\n`;
      else if (shape === 'paragraph') text += `${sentence(12)} `;
      else {
        const r = random();
        if (r < 0.45) text += `${sentence(30)}. **${sentence(2)}** and \`${sentence(1)}\` in [a link](https://example.com/${words[0]}).\n\n`;
        else if (r < 0.6) text += `## ${sentence(4)}\n\n`;
        else if (r < 0.75) text += `${Array.from({ length: 4 }, () => `- ${sentence(6)}`).join('\n')}\n\n`;
        else if (r < 0.9) text += `\`\`\`ts\n${Array.from({ length: 8 }, () => `const ${words[Math.floor(random() * words.length)]} = "${sentence(4)}"; // ${sentence(3)}`).join('\n')}\n\`\`\`\n\n`;
        else text += `| a | b |\n|---|---|\n${Array.from({ length: 4 }, () => `| ${sentence(2)} | ${sentence(3)} |`).join('\n')}\n\n`;
      }
    }
    for (let i = 0; i < text.length && out.length < size; i += 32) out.push(text.slice(i, i + 32));
    return out;
  }
}
