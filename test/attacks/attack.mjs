/**
 * One attack: what was tried, what must hold, and the tests that make it.
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} tried What the attacker does, in one line.
 * @property {string} holds What must be true all the same, in one line.
 * @property {readonly string[]} proofs As in the conformance checklist: `FILE › TITLE`.
 * @property {string} [open] What of it does not hold yet, and why.
 */

/**
 * @param {string} name
 * @param {string} tried
 * @param {string} holds
 * @param {readonly string[]} proofs
 * @param {string} [open]
 * @returns {Attack}
 */
export const attack = (name, tried, holds, proofs, open) => ({
  name,
  tried,
  holds,
  proofs,
  ...(open === undefined ? {} : { open }),
});
