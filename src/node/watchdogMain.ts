import { createInterface } from 'node:readline';
import { sweepMarked } from './markSweep';
import { killProcessTree } from './processTree';

/*
 * A program of its own: `watchdog.js <mark of the host> [<tree> …]`. Ends the trees, and on POSIX systems whatever else
 * bears the mark. A tree is the pid of its leader, with `~` and when that was (ms since the epoch) behind it where the
 * leader has ended. On Windows, where no shell waits for it, it reads lines "+ tree" and "- tree" until its input ends.
 */

/** The host is gone and nobody waits for a tidy end. */
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
