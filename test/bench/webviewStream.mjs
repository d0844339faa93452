/**
 * How fast the webview alone takes a stream: `node test/bench/webviewStream.mjs [--shapes] [--runs N]`.
 *
 * A page of another process sends 2,000 to 32,000 chunks of mixed Markdown as patches into the panel's frame, one batch
 * of 341 chunks per 16 ms as a host does that streams 32,000 chunks in 1.5 s, and waits where the panel falls behind by
 * two batches. Printed are wall time, processor time of the frame's main thread, its longest task, the worst frame, the
 * worst time from a key press to its paint, DOM nodes and heap; beside it the floor: the same messages appended as
 * plain text to a <pre>.
 */
import { launchChromium } from '../launch/chromium.mjs';
import { startHarness } from '../webview/harness.mjs';
import { threadView } from '../webview/views.mjs';

/** @typedef {import('playwright-core').Frame} Frame */

const sizes = [2000, 8000, 32_000];
const runs = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 1;
const shapes = process.argv.includes('--shapes')
  ? ['mixed', 'code', 'list', 'table', 'paragraph', 'messages']
  : ['mixed'];

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
          `${String(size).padStart(6)} chunks | floor ${describe(floor)} script ${ms(floor.script)} | panel ${describe(panel)} (cpu ×${(panel.busy / floor.busy).toFixed(2)}, ${((panel.busy / size) * 1000).toFixed(0)} µs/chunk: script ${ms(panel.script)} layout ${ms(panel.layout)} style ${ms(panel.style)}) nodes ${panel.nodes} heap ${(panel.heap / 1e6).toFixed(0)} MB`,
        );
      }
    }
  }
} finally {
  await browser.close();
  await harness.stop();
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(0)} ms`.padStart(7);
}

/** @param {{ wall: number, busy: number, longest: number, worstFrame: number, key: number }} result */
function describe({ wall, busy, longest, worstFrame, key }) {
  return `wall ${ms(wall)} cpu ${ms(busy)} task ${ms(longest)} frame ${ms(worstFrame)} key ${ms(key)}`;
}

/** @param {string} shape @param {number} size @param {boolean} floor */
async function measure(shape, size, floor) {
  const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
  page.on('console', (message) => message.type() === 'error' && console.log(message.text()));
  page.on('pageerror', (error) => console.log(error));
  await page.goto(harness.outerUrl());
  const frame = /** @type {Frame} */ (page.frames().find((f) => f.url().includes('127.0.0.1')));
  await frame.locator('textarea').waitFor();
  await frame.evaluate(listen, { floor, view: threadView() });
  const client = await page.context().newCDPSession(frame);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  // What the panel does when it starts is not part of the stream.
  await frame.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve(undefined))));
  await page.waitForTimeout(500);
  const before = await metrics(client);
  const [wall, seen] = await Promise.all([page.evaluate(send, { shape, size }), type(page, frame)]);
  const after = await metrics(client);
  const rest = await frame.evaluate(() =>
    /** @type {{ result: () => { longest: number, worstFrame: number, key: number, nodes: number, heap: number } }} */ (
      /** @type {unknown} */ (window)
    ).result(),
  );
  await page.close();
  const cost = (/** @type {string} */ name) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000;
  return {
    ...rest,
    key: Math.max(rest.key, seen),
    wall,
    busy: cost('TaskDuration'),
    script: cost('ScriptDuration'),
    layout: cost('LayoutDuration'),
    style: cost('RecalcStyleDuration'),
  };
}

/**
 * Types into the message box while the stream runs.
 * @param {import('playwright-core').Page} page
 * @param {Frame} frame
 */
async function type(page, frame) {
  await frame.locator('textarea').focus();
  for (;;) {
    await page.keyboard.type('x');
    await page.waitForTimeout(40);
    const done = await page.evaluate(() => 'done' in window);
    if (done) return 0;
  }
}

/** @param {import('playwright-core').CDPSession} client */
async function metrics(client) {
  const { metrics } = await client.send('Performance.getMetrics');
  return new Map(metrics.map((m) => [m.name, m.value]));
}

/** Runs in the panel's frame. @param {{ floor: boolean, view: unknown }} options */
async function listen({ floor, view }) {
  let longest = 0;
  let worstFrame = 0;
  let key = 0;
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const pre = document.createElement('pre');
  if (floor) {
    document.getElementById('root')?.replaceChildren(pre, document.createElement('textarea'));
    pre.style.setProperty('height', '800px');
    pre.style.setProperty('overflow', 'auto');
  } else
    window.postMessage(
      {
        type: 'thread/snapshot',
        stamp: { generation: 1, sequence: 0 },
        view,
        ui: { draft: '', mentions: [], expanded: {} },
      },
      '*',
    );
  let pending = '';
  const flush = () => {
    pre.append(pending);
    pending = '';
    pre.scrollTop = pre.scrollHeight;
  };
  window.addEventListener('message', (event) => {
    if (event.data.type !== 'thread/patch') return;
    if (floor) {
      if (pending === '') requestAnimationFrame(flush);
      for (const patch of event.data.patches) pending += patch.text ?? '';
    }
    parent.postMessage('ack', '*');
  });
  await nextFrame();
  await nextFrame();
  window.addEventListener('keydown', (event) => {
    // From the key press to the frame after the one that shows it.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        key = Math.max(key, performance.now() - event.timeStamp);
      };
      channel.port2.postMessage(0);
    });
  });
  Object.assign(window, {
    result: () => {
      const memory = /** @type {{ memory?: { usedJSHeapSize: number } }} */ (/** @type {unknown} */ (performance))
        .memory;
      return {
        longest,
        worstFrame,
        key,
        nodes: document.querySelectorAll('*').length,
        heap: memory?.usedJSHeapSize ?? 0,
      };
    },
  });
  // Watching starts with the stream.
  await new Promise((resolve) => setTimeout(resolve, 300));
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
  }).observe({ type: 'longtask' });
  let last = performance.now();
  const watch = () => {
    const now = performance.now();
    worstFrame = Math.max(worstFrame, now - last);
    last = now;
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}

/** Runs in the outer page and gives the wall time. @param {{ shape: string, size: number }} options */
async function send({ shape, size }) {
  const chunks = make();
  const target = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe')).contentWindow;
  let acks = 0;
  let sequence = 0;
  let n = 0;
  let id = 'm0';
  window.addEventListener('message', (event) => {
    if (event.data === 'ack') acks++;
  });
  const start = performance.now();
  let sent = 0;
  await /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const tick = setInterval(() => {
        if (sequence - acks > 2) return;
        if (sent >= chunks.length) {
          if (acks < sequence) return;
          clearInterval(tick);
          resolve();
          return;
        }
        /** @type {unknown[]} */
        const patches =
          sent === 0 ? [{ op: 'entry/add', entry: { kind: 'agentMessage', id, content: [], streaming: true } }] : [];
        for (const text of chunks.slice(sent, sent + 341)) {
          if (shape === 'messages' && ++n % 40 === 0) {
            patches.push({
              op: 'entry/replace',
              entry: { kind: 'agentMessage', id, content: [{ type: 'text', text: 'Done.' }], streaming: false },
            });
            id = `m${n}`;
            patches.push({
              op: 'entry/add',
              entry: {
                kind: 'toolCall',
                id: `t${n}`,
                title: `Read file ${n}`,
                toolKind: 'read',
                status: 'completed',
                locations: [],
                content: [],
                permissions: [],
                startedAt: 0,
                durationMs: 10,
              },
            });
            patches.push({ op: 'entry/add', entry: { kind: 'agentMessage', id, content: [], streaming: true } });
          }
          patches.push({ op: 'entry/appendText', id, part: 0, text });
        }
        sent += 341;
        target?.postMessage({ type: 'thread/patch', stamp: { generation: 1, sequence: ++sequence }, patches }, '*');
      }, 16);
    })
  );
  const wall = performance.now() - start;
  Object.assign(window, { done: true });
  return wall;

  function make() {
    /** @type {string[]} */
    const out = [];
    const words =
      'the tokenizer reads text and gives tokens back while a stack keeps what is open so that nested quotes work as before'.split(
        ' ',
      );
    let seed = 7;
    const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    const sentence = (/** @type {number} */ k) =>
      Array.from({ length: k }, () => words[Math.floor(random() * words.length)]).join(' ');
    let text = '';
    while (text.length < size * 32) {
      if (shape === 'code') text += text === '' ? '```ts\n' : `const value = "${sentence(6)}"; // ${sentence(3)}\n`;
      else if (shape === 'list') text += `- **${sentence(2)}** ${sentence(8)} \`code\`\n`;
      else if (shape === 'table')
        text +=
          text === '' ? '| a | b | c |\n|---|---|---|\n' : `| ${sentence(2)} | \`${sentence(1)}\` | ${sentence(4)} |\n`;
      else if (shape === 'paragraph') text += `${sentence(12)} `;
      else {
        const r = random();
        if (r < 0.45)
          text += `${sentence(30)}. **${sentence(2)}** and \`${sentence(1)}\` in [a link](https://example.com/${words[0]}).\n\n`;
        else if (r < 0.6) text += `## ${sentence(4)}\n\n`;
        else if (r < 0.75) text += `${Array.from({ length: 4 }, () => `- ${sentence(6)}`).join('\n')}\n\n`;
        else if (r < 0.9)
          text += `\`\`\`ts\n${Array.from({ length: 8 }, () => `const ${words[Math.floor(random() * words.length)]} = "${sentence(4)}"; // ${sentence(3)}`).join('\n')}\n\`\`\`\n\n`;
        else
          text += `| a | b |\n|---|---|\n${Array.from({ length: 4 }, () => `| ${sentence(2)} | ${sentence(3)} |`).join('\n')}\n\n`;
      }
    }
    for (let i = 0; i < text.length && out.length < size; i += 32) out.push(text.slice(i, i + 32));
    return out;
  }
}
