import { FakeTurn } from './turn.mjs';

/** @typedef {import('./wire.mjs').Json} Json */

/** A prompt that the fake agent of v2 works on: taken in, told of by states, ended by an idle one. */
export class FakeTurnV2 extends FakeTurn {
  /**
   * @param {import('./wire.mjs').Wire} wire @param {string} sessionId @param {import('./wire.mjs').RequestId} requestId
   * @param {string} messageId Of the user's message. @param {object[]} content What was sent.
   */
  constructor(wire, sessionId, requestId, messageId, content) {
    super(wire, sessionId, requestId, []);
    this.messageId = messageId;
    this.content = content;
    /** What happens at the beginning, in this order: `echo`, `answer`, `running`. */
    this.beginning = ['echo', 'answer', 'running'];
    this.begun = false;
    this.replied = false;
    /** Fields over those of the idle state. @type {Json} */
    this.idle = {};
    /** Questions that wait, for a cancel. @type {Set<import('./wire.mjs').RequestId>} */
    this.questions = new Set();
  }

  /** Takes the prompt in. */
  begin() {
    if (this.begun) return;
    this.begun = true;
    for (const what of this.beginning) {
      if (what === 'echo')
        this.update({ sessionUpdate: 'user_message', messageId: this.messageId, content: this.content });
      else if (what === 'answer') this.answer();
      else this.state('running');
    }
  }

  answer() {
    if (this.replied) return;
    this.replied = true;
    if (this.error) this.wire.send({ id: this.requestId, error: this.error });
    else this.wire.send({ id: this.requestId, ...(this.response ?? { result: { messageId: this.messageId } }) });
  }

  /** @param {string} state @param {Json} [fields] */
  state(state, fields = {}) {
    this.update({ sessionUpdate: 'state_update', state, ...fields });
  }

  /** @override @param {string} text @param {string} [kind] */
  say(text, kind = 'agent_message_chunk') {
    this.begin();
    this.update({
      sessionUpdate: kind,
      messageId: `${this.messageId}-${kind.replace('_chunk', '')}`,
      content: { type: 'text', text },
    });
  }

  /** @override @param {number} [ms] */
  wait(ms) {
    this.begin();
    return super.wait(ms);
  }

  /** @override @param {string} method @param {Json} [params] */
  request(method, params = {}) {
    this.begin();
    const request = super.request(method, params);
    this.questions.add(request.id);
    void request.then(() => this.questions.delete(request.id));
    return request;
  }

  /** The agent withdraws what it asks, as v2 has it. @override */
  cancel() {
    if (this.ignoreCancel) return;
    for (const requestId of this.questions) this.wire.notify('$/cancel_request', { requestId });
    super.cancel();
  }

  /** @override */
  async finish() {
    this.begin();
    if (this.cancelled) {
      for (const action of this.atCancel) await action();
    }
    this.state('idle', { stopReason: this.cancelled ? 'cancelled' : this.stopReason, ...this.idle });
    this.answer();
    for (const action of this.afterwards) action();
  }
}
