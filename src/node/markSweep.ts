import { readdirSync, readFileSync } from 'node:fs';
import { isPersonsBrowser, isMarked } from './processTable';

/** Looks in a row that must find nothing. */
const cleanLooks = 3;
/** Where programs end all the time, no look may ever be clean. */
const longestMs = 10_000;
/** Later looks, ms after the one before: a program that was just being started bears its mark only then. */
const laterMs = [500, 1_500, 5_000];

/**
 * Ends what bears a mark and slips through `killProcessTree`: a daemon that becomes another process every few milliseconds
 * has gone whenever a table of all processes is complete. So each is killed in the moment in which it is read, and a look
 * counts only when no process went away between being listed and being read. Linux only. Blocks: for the watchdog, which has nothing
 * else to do.
 * @param mark see `ProcessTable`
 * @param afterMs until then they may end by themselves
 */
export async function sweepMarked(mark: string, afterMs: number): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const delay of [afterMs, ...laterMs]) {
    await pause(delay);
    const end = Date.now() + longestMs;
    for (let clean = 0; clean < cleanLooks && Date.now() < end; ) {
      clean = isClean(mark) ? clean + 1 : 0;
      if (clean > 0) await pause(20);
    }
  }
}

/** Kills all that is there. @returns whether nothing was, and nothing could be hidden. */
function isClean(mark: string): boolean {
  let clean = true;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${name}/stat`, 'latin1').includes(') Z ')) continue;
      if (!isMarked(readFileSync(`/proc/${name}/environ`, 'latin1'), mark) || isPersonsBrowser(pid)) continue;
      clean = false;
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // Another user's process is none of ours.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') clean = false;
    }
  }
  return clean;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
