// For pictures: a clock that stands, and no waiting. Short timers end at once, and the page's time jumps with them.
(() => {
  const moment = Date.UTC(2026, 10, 20, 15);
  const SOON_MS = 400;
  class StillDate extends Date {
    /** @param {unknown[]} fields */
    constructor(...fields) {
      // @ts-expect-error: whatever a Date is made of
      super(...(fields.length === 0 ? [moment] : fields));
    }

    static now() {
      return moment;
    }
  }
  const elapsed = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  let jumped = 0;
  const soon = (/** @type {(...values: unknown[]) => void} */ done, ms = 0, /** @type {unknown[]} */ ...values) =>
    ms > SOON_MS
      ? later(done, ms, ...values)
      : later(() => {
          jumped += ms;
          done(...values);
        }, 0);
  performance.now = () => elapsed() + jumped;
  Object.assign(window, { Date: StillDate, setTimeout: soon });
})();
