/** @typedef {import('./wire.mjs').Json} Json */

/** One prompt that the fake agent works on: what it has been told to do at a cancel and at the end, and short-hands. */
export class FakeTurn {
  /**
   * @param {import('./wire.mjs').Wire} wire @param {string} sessionId @param {import('./wire.mjs').RequestId} requestId
   * @param {object[]} early Updates to send before the next session's response.
   */
  constructor(wire, sessionId, requestId, early) {
    this.wire = wire;
    this.sessionId = sessionId;
    this.requestId = requestId;
    this.early = early;
    this.cancelled = false;
    this.answered = false;
    this.ignoreCancel = false;
    /** @type {string} */
    this.stopReason = 'end_turn';
    /** @type {{ code: number, message: string, data?: unknown } | undefined} */
    this.error = undefined;
    /** Fields of the response beside or instead of `result`. @type {Json | undefined} */
    this.response = undefined;
    /** Run when session/cancel arrives, before the turn ends. @type {(() => Promise<void> | void)[]} */
    this.atCancel = [];
    /** Run after the response. @type {(() => void)[]} */
    this.afterwards = [];
    this.toolCount = 0;
    /** @type {Set<() => void>} */
    this.cancelListeners = new Set();
  }

  /** session/cancel has arrived. */
  cancel() {
    if (this.ignoreCancel) return;
    this.cancelled = true;
    for (const listener of this.cancelListeners) listener();
  }

  /** @param {Json} update */
  update(update) {
    this.wire.notify('session/update', { sessionId: this.sessionId, update });
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = 'agent_message_chunk') {
    this.update({ sessionUpdate: kind, content: { type: 'text', text } });
  }

  /** A request of this session. @param {string} method @param {Json} [params] */
  request(method, params = {}) {
    return this.wire.request(method, { sessionId: this.sessionId, ...params });
  }

  /**
   * Says what a request came to, so that the transcript shows it.
   * @param {string} label
   * @param {import('./wire.mjs').Answer} answer
   */
  report(label, answer) {
    this.say(
      `[${label} ${answer.error ? `error ${answer.error.code} ${answer.error.message}` : JSON.stringify(answer.result)}]`,
    );
    return answer;
  }

  newToolCallId() {
    return `${this.sessionId}-${this.requestId}-tool-${++this.toolCount}`;
  }

  /** Waits, but no longer than until a cancel. Without a time: until a cancel. @param {number} [ms] */
  wait(ms) {
    if (this.cancelled) return Promise.resolve();
    return new Promise((/** @type {(value?: void) => void} */ resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.cancelListeners.delete(done);
        resolve();
      };
      // Without a time the timer only keeps the process alive.
      const timer = ms === undefined ? setInterval(() => {}, 60_000) : setTimeout(done, ms);
      this.cancelListeners.add(done);
    });
  }

  /** Ends the turn with what was asked for; a cancel comes first. */
  async finish() {
    if (this.cancelled) {
      for (const action of this.atCancel) await action();
      if (!this.error && !this.response) this.stopReason = 'cancelled';
    }
    if (this.answered) return;
    this.answered = true;
    if (this.response) this.wire.send({ id: this.requestId, ...this.response });
    else if (this.error) this.wire.send({ id: this.requestId, error: this.error });
    else this.wire.send({ id: this.requestId, result: { stopReason: this.stopReason } });
    for (const action of this.afterwards) action();
  }
}
