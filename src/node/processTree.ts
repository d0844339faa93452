import { nameOf, type ProcessRow, ProcessTable } from './processTable';
import { systemProgram } from './systemProgram';

/**
 * The limits of repeated SIGKILL: rounds, and time in ms. A tree that starts processes faster than they die is given up
 * then. On a busy machine one round is long.
 */
const KILL_ROUNDS = 20;
const KILL_MS = 5_000;
/** The number of repeated looks if processes came or went during one: a process started just then is missing in it. */
const GAP_LOOKS = 5;

export interface KillOptions {
  /** From SIGTERM to SIGKILL, milliseconds. */
  readonly graceMs?: number;
  /**
   * When the leader ended, in ms since the epoch. From then on its pid and group number may belong to another process,
   * so only processes that it provably left behind are ended.
   */
  readonly leaderEndedAt?: number | undefined;
  /** The tree's mark (`processTag`), to find its daemons. */
  readonly mark?: string | undefined;
}

/**
 * Ends a process and all its descendants, also those in their own process groups or without a parent: SIGTERM, then
 * SIGKILL for the rest after `graceMs`. On Windows `taskkill /T /F`, which does not find processes without a parent.
 *
 * @param pid the leader of its own process group (or terminal session); 0 to use only the mark.
 * @returns when all have ended or were signalled for the last time.
 */
export async function killProcessTree(
  pid: number,
  { graceMs = 2_000, leaderEndedAt, mark }: KillOptions = {},
): Promise<void> {
  if (!(pid > 1) && mark === undefined) return;
  if (process.platform === 'win32') {
    if (pid > 1 && leaderEndedAt === undefined) await systemProgram('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  const table = new ProcessTable(mark);
  const rows = await table.rows();
  const root = pid > 1 && (leaderEndedAt === undefined || leftBehind(pid, rows, leaderEndedAt)) ? pid : undefined;
  // The leader first: a shell whose child ends before it would report a normal end.
  const doomed = treeOf(root, rows).toSorted((a, b) => Number(b.pid === root) - Number(a.pid === root));
  for (const row of doomed) signal(row.pid, 'SIGTERM');
  // A group keeps its number while one member lives, so this also reaches processes started since `rows` was read.
  if (root !== undefined && doomed.some((row) => row.group === root)) signal(-root, 'SIGTERM');
  const known = new Set(doomed.map(nameOf));
  const deadline = Date.now() + graceMs;
  let left = await alive(root, known, table);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    left = await alive(root, known, table);
  }
  const end = Date.now() + KILL_MS;
  for (let round = 0, gaps = 0; left.length > 0 || (table.hasGaps && gaps++ < GAP_LOOKS); round++) {
    if (round >= KILL_ROUNDS && Date.now() > end) break;
    for (const row of left) signal(row.pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = await alive(root, known, table);
    if (left.length > 0) gaps = 0;
  }
}

/** Signals the process group of `pid` now without waiting: for a forced stop, and for the end of the host itself. */
export function killGroupNow(pid: number, name: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  if (!(pid > 1)) return;
  if (process.platform === 'win32') void systemProgram('taskkill', ['/pid', String(pid), '/T', '/F']);
  else signal(-pid, name);
}

/** The system rounds start times to ticks; and no pid is used again within this time. */
const clockSlackMs = 100;

/**
 * True if the process group (or terminal session) of an ended leader is still its own. The system does not reuse the
 * number while a process of the group lives; so one member that has the mark, or is older than the leader's end, proves
 * it for all of them.
 */
export function leftBehind(leader: number, rows: readonly ProcessRow[], endedAt: number): boolean {
  return (
    !rows.some(({ pid }) => pid === leader) &&
    rows.some(
      (row) =>
        (row.group === leader || row.session === leader) && (row.marked || row.startedAt < endedAt + clockSlackMs),
    )
  );
}

/** The processes of `known` that still run, and their new descendants, which are added to it. */
async function alive(root: number | undefined, known: Set<string>, table: ProcessTable): Promise<ProcessRow[]> {
  const rows = await table.rows();
  const left = treeOf(known.size > 0 ? root : undefined, rows, (row) => known.has(nameOf(row)));
  for (const row of left) known.add(nameOf(row));
  return left;
}

/** The process, the members of its group and session, marked ones, those of `also`, and all descendants of these. */
function treeOf(
  root: number | undefined,
  rows: readonly ProcessRow[],
  also: (row: ProcessRow) => boolean = () => false,
): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const found = new Map<number, ProcessRow>();
  const queue = rows.filter(
    (row) =>
      row.marked ||
      also(row) ||
      (root !== undefined && (row.pid === root || row.group === root || row.session === root)),
  );
  for (let row = queue.pop(); row; row = queue.pop()) {
    // A window of VS Code that was started from a terminal of another one must not end itself.
    if (found.has(row.pid) || row.pid === process.pid) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already, or belongs to another user.
  }
}
