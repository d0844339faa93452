import { readFileSync } from 'node:fs';
import { until } from '../launch/poll.mjs';
import { installRecorder, readRecorder, whenShown } from './recorder.mjs';
import { tailOf } from './tail.mjs';

/**
 * What one stream cost: `wall` in ms from the first text to the last paint, `cpu` in ms of the main thread that it is
 * in, with what VS Code does there, which other programs on the machine change less, and what the recorder saw.
 * @typedef {{ wall: number, cpu: number, turn?: number, longestTask: number, worstFrame: number, keys: number[], nodes:
 * number, heap: number }} Cost
 * @typedef {{ prompt: string, cost: Cost, floor: Cost }} Row
 * @typedef {import('../launch/workbench.mjs').Workbench} Workbench
 */

/**
 * Asks the agent without Parley.
 * @param {Workbench} workbench
 * @param {string} prompt
 * @param {string} stamp
 * @returns {Promise<Cost>}
 */
export async function measureFloor(workbench, prompt, stamp) {
  const frame = await workbench.webview({ extension: 'parley-bench.floor', selector: '#out' });
  await until('the floor', () => frame.evaluate('window.ready === true'));
  await frame.evaluate(installRecorder);
  const box = frame.getByRole('textbox', { name: 'Message' });
  await box.fill('');
  const cpu = await processorTime(frame);
  const shownAt = await whileTyping(
    workbench,
    box,
    () => /** @type {Promise<number>} */ (frame.evaluate(`window.start(${JSON.stringify(prompt)})`)),
  );
  return { ...(await frame.evaluate(readRecorder)), wall: shownAt - firstText(stamp), cpu: await cpu() };
}

/**
 * Asks the agent in the session that is shown.
 * @param {Workbench} workbench
 * @param {string} prompt
 * @param {string} stamp
 * @returns {Promise<Cost>}
 */
export async function measureParley(workbench, prompt, stamp) {
  const chat = await workbench.chat();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await until('the agent', async () => (await chat.getByRole('button', { name: /^Mode: / }).count()) > 0);
  await chat.evaluate(installRecorder);
  await box.fill(prompt);
  const cpu = await processorTime(chat);
  await box.press('Enter');
  const shown = await whileTyping(workbench, box, () => chat.evaluate(whenShown, tailOf(prompt)));
  const used = await cpu();
  await box.fill('');
  return {
    ...(await chat.evaluate(readRecorder)),
    wall: shown.shownAt - firstText(stamp),
    cpu: used,
    turn: shown.turn,
  };
}

/**
 * Measures what the main thread of a frame works from now on.
 * @param {import('playwright-core').Frame} frame
 * @returns {Promise<() => Promise<number>>} ends it and gives ms
 */
async function processorTime(frame) {
  const client = await sessionOf(frame);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () =>
    (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  const before = await read();
  return async () => {
    const used = (await read()) - before;
    await client.detach();
    return used * 1_000;
  };
}

/**
 * The session of the process that a frame is in: its own, or that of a frame around it.
 * @param {import('playwright-core').Frame} frame
 */
async function sessionOf(frame) {
  const context = frame.page().context();
  for (let around = frame.parentFrame(); around; around = around.parentFrame()) {
    const client = await context.newCDPSession(around).catch(() => undefined);
    if (client) return client;
  }
  return context.newCDPSession(frame.page());
}

/** When the agent wrote the first text of its last answer, in ms since 1970. @param {string} stamp */
function firstText(stamp) {
  return Number(readFileSync(stamp, 'utf8'));
}

/**
 * Types a letter about every 60 ms until the stream stands on screen.
 * @template T
 * @param {Workbench} workbench
 * @param {import('playwright-core').Locator} box
 * @param {() => Promise<T>} stream
 * @returns {Promise<T>}
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

/**
 * The run in the middle by wall time.
 * @param {number} runs
 * @param {() => Promise<Cost>} measure
 * @returns {Promise<Cost>}
 */
export async function median(runs, measure) {
  const costs = [];
  for (let run = 0; run < runs; run++) costs.push(await measure());
  return middle(costs);
}

/** The one in the middle by wall time. @param {Cost[]} costs @returns {Cost} */
export function middle(costs) {
  return /** @type {Cost} */ (costs.sort((a, b) => a.wall - b.wall)[Math.floor(costs.length / 2)]);
}

/** Prints costs, each beside the floor's. @param {string} title @param {readonly Row[]} rows */
export function report(title, rows) {
  console.log(
    `\n${title}: each number beside the floor's, which is the second one.\nprompt                  wall s   ×floor          cpu ms   ×floor   Enter→shown s   longest task ms   worst frame ms   key→paint ms median    worst     DOM nodes       heap MB`,
  );
  for (const { prompt, cost, floor } of rows) {
    /** @param {(cost: Cost) => number} read @param {number} [digits] */
    const pair = (read, digits = 0) => `${read(cost).toFixed(digits)} / ${read(floor).toFixed(digits)}`;
    console.log(
      [
        prompt.padEnd(16),
        pair((cost) => cost.wall / 1000, 2).padStart(14),
        (cost.wall / floor.wall).toFixed(2).padStart(9),
        pair((cost) => cost.cpu).padStart(16),
        (cost.cpu / floor.cpu).toFixed(2).padStart(9),
        ((cost.turn ?? 0) / 1000).toFixed(2).padStart(16),
        pair((cost) => cost.longestTask).padStart(18),
        pair((cost) => cost.worstFrame).padStart(17),
        pair((cost) => sorted(cost.keys)[Math.floor(cost.keys.length / 2)] ?? 0).padStart(22),
        pair((cost) => sorted(cost.keys).at(-1) ?? 0).padStart(9),
        pair((cost) => cost.nodes).padStart(14),
        pair((cost) => cost.heap / 1e6).padStart(14),
      ].join(''),
    );
  }
}

/** @param {number[]} values */
function sorted(values) {
  return [...values].sort((a, b) => a - b);
}
