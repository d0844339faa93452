import { readFileSync } from 'node:fs';

/** A clock tick of Linux in ms, as all its architectures have it. */
const TICK_MS = 10;

/**
 * The time that this thread has computed, in ms, for tests of what must not take longer than its length explains. Others
 * that use the machine at the same time do not count where the system tells them apart.
 */
export function workTime(): number {
  if (process.platform !== 'linux') return performance.now();
  // The name of the thread comes before, in parentheses, and may have spaces (proc_pid_stat(5)).
  const [, , , , , , , , , , , user, system] = readFileSync('/proc/thread-self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(user) + Number(system)) * TICK_MS;
}
