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
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
  Object.assign(window, {
    harness: {
      posted,
      violations,
      frame,
      awaited: () => awaited,
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
