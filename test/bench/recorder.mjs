/**
 * Runs inside the chat's frame: watches frames, long tasks and keys until `readRecorder`. Serialised into the page, so
 * it may use nothing from outside.
 */
export function installRecorder() {
  const record = { longestTask: 0, worstFrame: 0, keys: /** @type {number[]} */ ([]), running: true, entered: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) record.longestTask = Math.max(record.longestTask, entry.duration);
  });
  observer.observe({ type: 'longtask' });
  let previous = performance.now();
  const frame = (/** @type {number} */ now) => {
    record.worstFrame = Math.max(record.worstFrame, now - previous);
    previous = now;
    if (record.running) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  // From the key's own time to just after the frame in which its letter is painted.
  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter') record.entered = event.timeStamp;
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => record.keys.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(0);
      });
    },
    true,
  );
  Object.assign(window, { parleyBench: record });
}

/** Resolves in the chat's frame when the turn has ended and its last words stand on screen. */
export function whenShown(/** @type {string} */ tail) {
  const squeeze = (/** @type {string} */ text) => text.replace(/[^\p{L}\p{N}]/gu, '');
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + 300_000;
    const look = () => {
      const record = /** @type {any} */ (window).parleyBench;
      const messages = document.querySelectorAll('.agent-message');
      // Only the last page is read: the whole text of a long thread would be what we measure.
      const pages = messages[messages.length - 1]?.querySelectorAll('.md-page');
      const last = pages?.[pages.length - 1] ?? messages[messages.length - 1];
      const ended = document.querySelector('button[aria-label="Send"]') !== null;
      if (performance.now() > deadline)
        return reject(new Error(`the end of the stream was not shown within five minutes: expected …${tail}`));
      if (ended && squeeze(last?.textContent ?? '').endsWith(tail))
        resolve({ shownAt: Date.now(), turn: performance.now() - record.entered });
      else requestAnimationFrame(afterPaint);
    };
    // As the floor counts: after the paint of the frame. In the frame itself the panel may not have drawn yet.
    const afterPaint = () => setTimeout(look);
    afterPaint();
  });
}

/** Stops the recorder of the frame and resolves to what it saw, with the size of the page as it is now. */
export function readRecorder() {
  const record = /** @type {any} */ (window).parleyBench;
  record.running = false;
  const walker = document.createTreeWalker(document.body);
  let nodes = 0;
  while (walker.nextNode()) nodes++;
  const { longestTask, worstFrame, keys } = record;
  return { longestTask, worstFrame, keys, nodes, heap: /** @type {any} */ (performance).memory?.usedJSHeapSize ?? 0 };
}

/**
 * Resolves in a frame to the time after the next paint, in ms since 1970, where the panel has drawn what the host sent;
 * else to false.
 */
export function whenDrawn() {
  if (document.querySelector('button[aria-label^="Mode: "]') === null) return false;
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
    // A frame that is being taken away paints no more.
    setTimeout(() => resolve(false), 1_000);
  });
}
