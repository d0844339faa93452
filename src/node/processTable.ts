import { readdir, readFile, readlink } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename } from 'node:path';
import { systemProgram } from './systemProgram';
import { TREE_VARIABLE } from './treeMark';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The terminal session; 0 where the system does not tell. */
  readonly session: number;
  /** With the pid, names one process for ever: a pid may be used again. */
  readonly started: string;
  /** In ms since the epoch, as exactly as the system tells: to 10 ms on Linux, else to a second. */
  readonly startedAt: number;
  /** It was started with the mark that is looked for, whatever became of its parents, group and session. */
  readonly marked: boolean;
}

type Facts = Omit<ProcessRow, 'marked'>;

/**
 * All processes of a POSIX system that are not yet zombies, read as often as one looks.
 * The mark is found in the environment that a process was started with: in `/proc` on Linux; by `ps -E` on macOS, which
 * hides the environment of Apple's own programs. Elsewhere, and in other people's processes, nothing is marked.
 */
export class ProcessTable {
  /** By pid and start: the environment of a process is read once. */
  private known = new Map<string, boolean>();

  /** @param mark of one tree, or ending in a full stop all of a host (see `treeMark`) */
  constructor(private readonly mark: string | undefined) {}

  async rows(): Promise<ProcessRow[]> {
    const facts = process.platform === 'linux' ? await fromProc() : await fromPs();
    const { mark, known: before } = this;
    if (mark === undefined) return facts.map((row) => ({ ...row, marked: false }));
    const known = new Map<string, boolean>();
    const unknown: Facts[] = [];
    for (const row of facts) {
      const marked = before.get(nameOf(row));
      if (marked === undefined) unknown.push(row);
      else known.set(nameOf(row), marked);
    }
    const marked = unknown.length === 0 ? new Set<number>() : process.platform === 'linux' ? await markedInProc(unknown, mark) : await markedInPs(mark);
    for (const row of unknown) known.set(nameOf(row), marked.has(row.pid));
    this.known = known;
    return facts.map((row) => ({ ...row, marked: known.get(nameOf(row)) ?? false }));
  }
}

/** Names one process for ever. */
export function nameOf(row: Facts): string {
  return `${row.pid} ${row.started}`;
}

/** `/proc/<pid>/stat`, see proc(5): the name in parentheses may hold anything, so fields are counted after the last one. */
async function fromProc(): Promise<Facts[]> {
  const booted = Date.now() - uptime() * 1_000;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (name): Promise<Facts | undefined> => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields.length < 20 || fields[0] === 'Z') return undefined;
      return { pid: Number(name), parent: Number(fields[1]), group: Number(fields[2]), session: Number(fields[3]), started: fields[19]!, startedAt: booted + Number(fields[19]) * 10 };
    }),
  );
  return rows.filter((row) => row !== undefined);
}

async function markedInProc(rows: readonly Facts[], mark: string): Promise<Set<number>> {
  const wanted = `\0${TREE_VARIABLE}=${mark}${mark.endsWith('.') ? '' : '\0'}`;
  const found = await Promise.all(
    rows.map(async ({ pid }) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return `\0${environment}\0`.includes(wanted) && !(await isPersonsBrowser(pid)) ? [pid] : [];
    }),
  );
  return new Set(found.flat());
}

const browser = /^(firefox(-bin|-esr)?|librewolf|zen(-bin)?|chrome|chromium(-browser)?|brave|msedge|vivaldi(-bin)?|opera|epiphany|falkon|konqueror)$/;
const steered = /\0--?(headless|remote-debugging-|marionette|user-data-dir|profile)/;

/**
 * A browser that happened to be opened from here first, to show a page. All windows of the person's are in it, so it does
 * not end with the session; one that a program steers does.
 */
async function isPersonsBrowser(pid: number): Promise<boolean> {
  const file = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return browser.test(basename(file)) && !steered.test(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
}

async function fromPs(): Promise<Facts[]> {
  const stdout = await systemProgram('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']);
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[4]!.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), session: 0, started: match[5]!.trim(), startedAt: Date.parse(match[5]!) }];
  });
}

async function markedInPs(mark: string): Promise<Set<number>> {
  if (process.platform !== 'darwin') return new Set();
  const stdout = await systemProgram('ps', ['-A', '-E', '-ww', '-o', 'pid=,command=']);
  const wanted = ` ${TREE_VARIABLE}=${mark}${mark.endsWith('.') ? '' : ' '}`;
  return new Set(stdout.split('\n').filter((line) => `${line} `.includes(wanted)).map((line) => Number.parseInt(line, 10)));
}
