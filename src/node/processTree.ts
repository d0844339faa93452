import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The terminal session; 0 where the system does not tell. */
  readonly session: number;
  /** With the pid, names one process for ever: a pid may be used again. */
  readonly started: string;
}

const run = promisify(execFile);

/**
 * Ends a process and all that it started, also what moved into a process group of its own or lost its parent:
 * SIGTERM, then SIGKILL for what is left after `graceMs`. On Windows `taskkill /T /F`.
 *
 * @param pid the leader of its own process group (or terminal session).
 * @param leaderGone true where the leader is known to have ended; only what it left behind is then ended, and nothing
 *   when its pid has been given to another process since.
 * @returns when all is gone or has been signalled for the last time.
 */
export async function killProcessTree(pid: number, graceMs = 2_000, leaderGone = false): Promise<void> {
  if (!(pid > 1)) return;
  if (process.platform === 'win32') {
    if (!leaderGone) await run('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).catch(() => undefined);
    return;
  }
  const rows = await processes();
  if (leaderGone && rows.some((row) => row.pid === pid)) return;
  const doomed = treeOf(pid, rows);
  for (const row of doomed) signal(row.pid, 'SIGTERM');
  // A group keeps its number while one member lives, so this reaches also what was started since `rows` was read.
  if (doomed.length > 0) signal(-pid, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  let left = await alive(pid, doomed);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    left = await alive(pid, doomed);
  }
  for (const row of left) signal(row.pid, 'SIGKILL');
}

/** Signals the process group of `pid` now and waits for nothing: for a forced stop, and for the end of the host itself. */
export function killGroupNow(pid: number, name: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  if (!(pid > 1)) return;
  if (process.platform === 'win32') execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => undefined);
  else signal(-pid, name);
}

/** Those of `doomed` that still run, and what they have started since. */
async function alive(pid: number, doomed: readonly ProcessRow[]): Promise<ProcessRow[]> {
  const now = await processes();
  const known = new Set(doomed.map((row) => `${row.pid} ${row.started}`));
  const result = new Map<number, ProcessRow>();
  for (const row of now) if (known.has(`${row.pid} ${row.started}`)) for (const member of treeOf(row.pid, now)) result.set(member.pid, member);
  // Members of the group whose parents are gone.
  if (doomed.length > 0) for (const row of now) if (row.group === pid || row.session === pid) result.set(row.pid, row);
  return [...result.values()];
}

/** The process, its descendants, and the members of its group and session. */
function treeOf(root: number, rows: readonly ProcessRow[]): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const found = new Map<number, ProcessRow>();
  const queue = rows.filter((row) => row.pid === root || row.group === root || row.session === root);
  for (let row = queue.pop(); row; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already, or belongs to someone else: nothing that we could do better.
  }
}

/** All processes that are not yet zombies. */
async function processes(): Promise<ProcessRow[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** `/proc/<pid>/stat`, see proc(5): the name in parentheses may hold anything, so fields are counted after the last one. */
async function fromProc(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (name): Promise<ProcessRow | undefined> => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields.length < 20 || fields[0] === 'Z') return undefined;
      return { pid: Number(name), parent: Number(fields[1]), group: Number(fields[2]), session: Number(fields[3]), started: fields[19]! };
    }),
  );
  return rows.filter((row) => row !== undefined);
}

async function fromPs(): Promise<ProcessRow[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[4]!.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), session: 0, started: match[5]!.trim() }];
  });
}
