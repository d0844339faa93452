import { readdirSync, readFileSync } from 'node:fs';
import { isMarked, isPersonsBrowser, processesStarted } from './processTable';

/** The number of consecutive looks that must find nothing. */
const cleanLooks = 3;
/**
 * If programs start and end all the time, no look may ever be clean. The limit is longer if a marked process was found.
 */
const longestMs = { unmarked: 1_000, marked: 10_000 };
/** A kernel thread, in the flags of `/proc/<pid>/stat`: it has no environment, and some kernels refuse access to it. */
const PF_KTHREAD = 0x0020_0000;
/** Delays of later looks, in ms after the one before: a starting program gets its mark late. */
const laterMs = [500, 1_500, 5_000];

/**
 * Ends marked processes that escape `killProcessTree`: a daemon that becomes another process every few milliseconds is
 * gone whenever a table of all processes is complete. So each is killed as soon as it is read, and a look counts only
 * if no process came or went meanwhile. Linux only. Blocks: for the watchdog, which has nothing else to do.
 * @param mark see `ProcessTable`
 * @param afterMs until then they may end by themselves
 */
export async function sweepMarked(mark: string, afterMs: number): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const delay of [afterMs, ...laterMs]) {
    await pause(delay);
    const begun = Date.now();
    let limit = longestMs.unmarked;
    for (let clean = 0; clean < cleanLooks && Date.now() < begun + limit;) {
      const look = killMarked(mark);
      if (look.killed) limit = longestMs.marked;
      clean = look.killed || look.hasGaps ? 0 : clean + 1;
      if (clean > 0) await pause(20);
    }
  }
}

/**
 * Kills all marked processes.
 * @returns whether there was one, and whether a process came or went meanwhile, so that one may have been missed.
 */
export function killMarked(mark: string): { readonly killed: boolean; readonly hasGaps: boolean } {
  let [killed, vanished] = [false, false];
  const startedBefore = processesStarted();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, , , , , , flags] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || (Number(flags) & PF_KTHREAD) !== 0) continue;
      if (!isMarked(readFileSync(`/proc/${name}/environ`, 'latin1'), mark) || isPersonsBrowser(pid)) continue;
      killed = true;
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // Another user's process is not ours.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') vanished = true;
    }
  }
  return { killed, hasGaps: vanished || processesStarted() !== startedBefore };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
