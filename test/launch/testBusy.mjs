/**
 * `npm run test:busy [-- host|e2e] [FILE…]`: the tests in VS Code on a busy machine, with four loops beside them. What
 * is right only on a quick machine fails here.
 */
import { startBusyLoops } from './busyLoops.mjs';

const LOOPS = 4;

const rings = ['host', 'e2e'];
if (!process.argv.slice(2).some((word) => rings.includes(word) || word === 'vscode')) process.argv.push(...rings);
// The loops end when this process exits, so a signal has to let it exit.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.once(signal, () => process.exit(130));
const loops = startBusyLoops(LOOPS);
console.log(`${LOOPS} busy loops run beside the tests (processes ${loops.pids.join(', ')}).`);
try {
  await import('./test.mjs');
} finally {
  loops.end();
}
