/**
 * What the frames of a page cost its main thread, read from a trace of the browser. All times are processor time, so
 * other programs on the machine change them little.
 */

/** Script of the page, whoever calls it. */
const scripts = new Set([
  'FunctionCall',
  'EvaluateScript',
  'v8.run',
  'FireAnimationFrame',
  'FireIdleCallback',
  'TimerFire',
  'EventDispatch',
  'RunMicrotasks',
]);
const categories = ['devtools.timeline', 'blink.user_timing', 'v8', 'disabled-by-default-devtools.timeline'];

/**
 * Of one frame, in ms: `own` is script, style and layout; `forced` is the style and layout for which a script waited,
 * and `paint` what comes after.
 * @typedef {{ own: number, script: number, style: number, layout: number, paint: number, forced: number }} FrameCost
 * @typedef {{ name: string, ph: string, ts: number, dur?: number, tdur?: number, tts?: number, pid: number, tid:
 * number, args: any }} TraceEvent
 */

/**
 * Records what the frames cost while something is done.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<void>} act
 * @returns {Promise<FrameCost[]>}
 */
export async function frameCosts(browser, page, act) {
  await browser.startTracing(page, { categories });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString());
  return readFrames(trace.traceEvents);
}

/** @param {TraceEvent[]} all @returns {FrameCost[]} */
function readFrames(all) {
  // The page's thread is the one that draws most.
  const drawn = all.filter(({ name, ph }) => name === 'UpdateLayoutTree' && ph === 'X');
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const event of drawn) counts.set(threadOf(event), (counts.get(threadOf(event)) ?? 0) + 1);
  const thread = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  const here = all
    .filter((event) => threadOf(event) === thread)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const events = here.filter(({ ph }) => ph === 'X');
  const begins = here.filter(({ name, ph }) => name === 'AnimationFrame' && ph === 'b').map(({ ts }) => ts);
  /** @type {FrameCost[]} */
  const frames = begins.map(() => ({ own: 0, script: 0, style: 0, layout: 0, paint: 0, forced: 0 }));
  let frame = -1;
  let ownUntil = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    while (frame + 1 < begins.length && Number(begins[frame + 1]) <= ts) frame++;
    const cost = frames[frame];
    if (!cost) continue;
    const ms = tdur / 1000;
    const isStyle = name === 'UpdateLayoutTree';
    const isLayout = name === 'Layout';
    const isWithin = ts < ownUntil;
    if (isStyle) cost.style += ms;
    if (isLayout) cost.layout += ms;
    if (isStyle || isLayout) cost.forced += isWithin ? ms : 0;
    if (['PrePaint', 'Paint', 'Layerize', 'Commit'].includes(name)) cost.paint += ms;
    if ((!scripts.has(name) && !isStyle && !isLayout) || isWithin) continue;
    cost.own += ms;
    ownUntil = ts + dur;
  }
  for (const cost of frames) cost.script = Math.max(0, cost.own - cost.style - cost.layout);
  return frames;
}

/** @param {TraceEvent} event */
function threadOf({ pid, tid }) {
  return `${pid} ${tid}`;
}

/** The value below which a share of the values is. @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor(Math.min(values.length - 1, values.length * share))] ?? 0;
}
