// Stands in for VS Code in the harness page: keeps what the webview posts, its state, and every breach of the policy.
(() => {
  /** @type {unknown[]} */
  const posted = [];
  /** @type {string[]} */
  const violations = [];
  /** @type {unknown} */
  let state;
  // Frames that the panel has asked for and not had: it lets some pass where the last one cost much.
  let awaited = 0;
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => {
    awaited++;
    return frame((time) => {
      awaited--;
      draw(time);
    });
  };
  // The page's time: what a test advances comes at once, with the timers that end in it.
  const elapsed = performance.now.bind(performance);
  let advanced = 0;
  performance.now = () => elapsed() + advanced;
  /** @type {Map<number, { due: number, done: () => void }>} */
  const timers = new Map();
  const later = window.setTimeout.bind(window);
  const never = window.clearTimeout.bind(window);
  const soon = (/** @type {(...values: unknown[]) => void} */ call, ms = 0, /** @type {unknown[]} */ ...values) => {
    const done = () => {
      timers.delete(id);
      call(...values);
    };
    const id = later(done, ms);
    timers.set(id, { due: performance.now() + ms, done });
    return id;
  };
  const clear = (/** @type {number} */ id) => {
    timers.delete(id);
    never(id);
  };
  Object.assign(window, { setTimeout: soon, clearTimeout: clear });
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
  Object.assign(window, {
    harness: {
      posted,
      violations,
      frame,
      awaited: () => awaited,
      /** @param {number} ms */
      advance: (ms) => {
        advanced += ms;
        const ended = [...timers].filter(([, { due }]) => due <= performance.now());
        for (const [id, { done }] of ended.sort(([, one], [, other]) => one.due - other.due)) {
          never(id);
          if (timers.has(id)) done();
        }
      },
      /** @param {unknown} message */
      send: (message) => window.postMessage(message, '*'),
      /** @param {unknown} value */
      setState: (value) => {
        state = value;
      },
      getState: () => state,
    },
    acquireVsCodeApi: () => ({
      /** @param {unknown} message */
      postMessage: (message) => {
        posted.push(structuredClone(message));
      },
      getState: () => state,
      /** @param {unknown} value */
      setState: (value) => {
        state = structuredClone(value);
      },
    }),
  });
})();
