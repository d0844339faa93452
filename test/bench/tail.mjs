import { importSource } from '../launch/importSource.mjs';

const { floodText } = /** @type {typeof import('../../src/demo/floodText')} */ (await importSource('src/demo/floodText.ts'));

/** The last letters and digits of a flood, by which its end is recognised on screen. @param {number} count @returns {string} */
export function floodTail(count) {
  // The numbers of a list are not text once it is drawn.
  return floodText(count).replace(/\|[:\-|]+\|/g, '').replace(/^\d+\. /gm, '').replace(/[^\p{L}\p{N}]/gu, '').slice(-8);
}
