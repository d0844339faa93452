import { createInterface } from 'node:readline';
import { sweepMarked } from './markSweep';
import { killProcessTree } from './processTree';

/*
 * /* A separate program: `watchdog.js <mark of the host> [<tree> …]`. Ends the trees, and on POSIX systems all other
 * processes with the mark. A tree is the pid of its leader, followed by `~` and the time of its end (ms since the
 * epoch) if it has ended. On Windows, where no shell waits for it, it reads lines "+ tree" and "- tree" until its input
 * ends.
 */

/** The host has ended, so a short grace period is enough. */
const graceMs = 500;

async function main([mark = '', ...trees]: readonly string[]): Promise<void> {
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);
  const live = new Set(process.platform === 'win32' ? await followed() : trees);
  const ends = [...live].map((tree) => {
    const [pid, endedAt] = tree.split('~');
    return killProcessTree(Number(pid), {
      graceMs,
      leaderEndedAt: endedAt === undefined ? undefined : Number(endedAt),
    });
  });
  await Promise.allSettled([
    ...ends,
    ...(mark === '' ? [] : [killProcessTree(0, { graceMs, mark }), sweepMarked(mark, graceMs)]),
  ]);
}

async function followed(): Promise<Set<string>> {
  const live = new Set<string>();
  for await (const line of createInterface({ input: process.stdin })) {
    const [op, tree = ''] = line.split(' ');
    if (op === '+') live.add(tree);
    else live.delete(tree);
  }
  return live;
}

void main(process.argv.slice(2)).finally(() => process.exit());
