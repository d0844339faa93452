import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from '../launch/project.mjs';

const built = await build({ entryPoints: [join(root, 'src/demo/flood.ts')], bundle: true, write: false, format: 'esm', platform: 'node' });
const { floodText } = await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0]?.text ?? '')}`);

/** The last letters and digits of a flood, by which its end is recognised on screen. @param {number} count @returns {string} */
export function floodTail(count) {
  // The numbers of a list are not text once it is drawn.
  return floodText(count).replace(/\|[:\-|]+\|/g, '').replace(/^\d+\. /gm, '').replace(/[^\p{L}\p{N}]/gu, '').slice(-8);
}
