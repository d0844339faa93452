/** Processes that keep the processors busy. Each ends with whoever started it, however that ends. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
/** A loop computes for so long before it looks whether it is still wanted. ms */
const SPIN_MS = 20;

/**
 * Starts busy loops. They end with this process at the latest.
 * @param {number} count @returns {{ readonly pids: readonly number[], readonly end: () => void }}
 */
export function startBusyLoops(count) {
  const loops = Array.from({ length: count }, () => {
    const loop = fork(self, [], { stdio: 'ignore' });
    loop.unref();
    loop.channel?.unref();
    return loop;
  });
  const end = () => loops.forEach((loop) => loop.kill('SIGKILL'));
  process.once('exit', end);
  return { pids: loops.flatMap(({ pid }) => pid ?? []), end };
}

function spin() {
  const end = performance.now() + SPIN_MS;
  while (performance.now() < end);
  setImmediate(spin);
}

if (process.argv[1] === self && process.send) {
  // The channel closes also where the other end was killed.
  process.once('disconnect', () => process.exit());
  spin();
}
