import { floodText } from './floodText.mjs';

/** The last text of `/calls` and `/chunks`. */
export const callsTail = 'That was the last one.';

/**
 * The last letters and digits of an answer to `/flood`, `/calls` or `/chunks`, by which its end is recognised on
 * screen.
 * @param {string} prompt
 * @returns {string}
 */
export function tailOf(prompt) {
  const [, count] = /^\/flood (\d+)/.exec(prompt) ?? [];
  // The numbers of a list are not text once it is drawn.
  const text =
    count === undefined
      ? callsTail
      : floodText(Number(count))
          .replace(/\|[:\-|]+\|/g, '')
          .replace(/^\d+\. /gm, '');
  return text.replace(/[^\p{L}\p{N}]/gu, '').slice(-8);
}
