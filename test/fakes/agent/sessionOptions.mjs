/**
 * What sessions of the fake agent offer to choose: `configOptions` of options.mjs, as on the wire but for two words of
 * its own. `when: {"model": "deep"}` makes an option appear only while another has that value. A value in
 * `options.refused` is refused, with its reason in `data.details` where agents put it.
 *
 * @typedef {import('./wire.mjs').Json} Json
 */
export class SessionOptions {
  /** @param {import('./options.mjs').Options} options */
  constructor(options) {
    this.all = structuredClone(options.configOptions ?? []);
    this.refused = options.refused ?? [];
  }

  /** The list as it goes over the wire. @returns {Json[]} */
  list() {
    const standing = ({ when = {} }) =>
      Object.entries(when).every(([id, value]) => this.find(id)?.['currentValue'] === value);
    return this.all.filter(standing).map(({ when: _when, ...option }) => option);
  }

  /** @param {string} id @returns {Json | undefined} */
  find(id) {
    return this.all.find((option) => option['id'] === id);
  }

  /**
   * @param {unknown} value a mode's or model's id, or the value of an option
   * @returns {import('./wire.mjs').RpcError | undefined} why not
   */
  refuses(value) {
    return this.refused.includes(value)
      ? { code: -32603, message: 'Internal error', data: { details: `${value} is not available today` } }
      : undefined;
  }

  /** @param {string} id @param {unknown} value @returns {import('./wire.mjs').RpcError | undefined} why not */
  set(id, value) {
    const option = this.find(id);
    if (!option || typeof option['currentValue'] !== typeof value)
      return { code: -32602, message: `Invalid params: unknown config option: ${id}` };
    const refusal = this.refuses(value);
    if (!refusal) option['currentValue'] = value;
    return refusal;
  }
}
