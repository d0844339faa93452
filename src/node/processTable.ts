import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename } from 'node:path';
import { systemProgram } from './systemProgram';
import { TREE_VARIABLE } from './processTag';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The terminal session; 0 if the system does not provide it. */
  readonly session: number;
  /** Identifies one process for ever together with the pid, which may be used again. */
  readonly started: string;
  /** In ms since the epoch, with the system's precision: 10 ms on Linux, else a second. */
  readonly startedAt: number;
  /** It was started with the mark, whatever became of its parents, group and session. */
  readonly marked: boolean;
}

interface Facts extends Omit<ProcessRow, 'marked'> {
  /**
   * Identifies its program: another one after each `exec`. "" while one is being loaded, and if the system does not
   * provide it.
   */
  readonly program: string;
}

/**
 * All processes of a POSIX system except zombies, read anew each time. `/proc` is read synchronously: that blocks for
 * some milliseconds, but a busy event loop would need seconds for the same files one after the other. The mark is found
 * in the environment that a process was started with: in `/proc` on Linux; by `ps -E` on macOS, which hides the
 * environment of Apple's own programs. Elsewhere, and in other users' processes, nothing is marked.
 */
export class ProcessTable {
  /**
   * By pid, start and program: an environment is read once. Between `fork` and `exec` a process has its parent's, and
   * while a program is being loaded it has none.
   */
  #known = new Map<string, boolean>();
  #hasGaps = false;

  /** @param mark of one tree, or with a final full stop the marks of a whole host (see `processTag`) */
  constructor(private readonly mark: string | undefined) {}

  /** True if processes came or went while the last rows were read. A process started just then may be missing. */
  get hasGaps(): boolean {
    return this.#hasGaps;
  }

  async rows(): Promise<ProcessRow[]> {
    const { facts, hasGaps } = process.platform === 'linux' ? fromProc() : { facts: await fromPs(), hasGaps: false };
    this.#hasGaps = hasGaps;
    const { mark } = this;
    const before = this.#known;
    if (mark === undefined) return facts.map((row) => ({ ...row, marked: false }));
    const known = new Map<string, boolean>();
    const unknown: Facts[] = [];
    for (const row of facts) {
      const marked = before.get(programOf(row));
      if (marked === undefined) unknown.push(row);
      else known.set(programOf(row), marked);
    }
    const marked =
      unknown.length === 0
        ? new Set<number>()
        : process.platform === 'linux'
          ? markedInProc(unknown, mark)
          : await markedInPs(mark);
    for (const row of unknown)
      if (marked.has(row.pid) || row.program !== '') known.set(programOf(row), marked.has(row.pid));
    this.#known = known;
    return facts.map((row) => ({ ...row, marked: known.get(programOf(row)) ?? false }));
  }
}

/** Identifies one process for ever. */
export function nameOf(row: Pick<ProcessRow, 'pid' | 'started'>): string {
  return `${row.pid} ${row.started}`;
}

function programOf(row: Facts): string {
  return `${nameOf(row)} ${row.program}`;
}

/**
 * `/proc/<pid>/stat`, see proc(5): the name in parentheses may contain anything, so fields are counted after the last
 * one.
 */
function fromProc(): { facts: Facts[]; hasGaps: boolean } {
  const booted = Date.now() - uptime() * 1_000;
  const startedBefore = processesStarted();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  let vanished = false;
  const rows = pids.map((name): Facts | undefined => {
    const stat = contentOf(`/proc/${name}/stat`);
    if (stat === '') vanished = true;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 20 || fields[0] === 'Z') return undefined;
    return {
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      started: fields[19]!,
      startedAt: booted + Number(fields[19]) * 10,
      program: fields[47] === undefined || fields[47] === '0' ? '' : fields[47],
    };
  });
  return { facts: rows.filter((row) => row !== undefined), hasGaps: vanished || processesStarted() !== startedBefore };
}

/**
 * The number of processes and threads that the system has ever started (`processes` in `/proc/stat`, see proc(5)). A
 * list of `/proc` misses processes started behind its current position, and an ended one is not always missed: it may
 * still be a zombie, or have gone before it was listed.
 */
export function processesStarted(): string {
  return /^processes (\d+)$/m.exec(contentOf('/proc/stat'))?.[1] ?? '';
}

function markedInProc(rows: readonly Facts[], mark: string): Set<number> {
  return new Set(
    rows.flatMap(({ pid }) =>
      isMarked(contentOf(`/proc/${pid}/environ`), mark) && !isPersonsBrowser(pid) ? [pid] : [],
    ),
  );
}

/** "" if the process has ended, or belongs to another user. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** @param environment as in `/proc/<pid>/environ` */
export function isMarked(environment: string, mark: string): boolean {
  return `\0${environment}\0`.includes(`\0${TREE_VARIABLE}=${mark}${mark.endsWith('.') ? '' : '\0'}`);
}

const browser =
  /^(firefox(-bin|-esr)?|librewolf|zen(-bin)?|chrome|chromium(-browser)?|brave|msedge|vivaldi(-bin)?|opera|epiphany|falkon|konqueror)$/;
const steered = /\0--?(headless|remote-debugging-|marionette|user-data-dir|profile)/;

/**
 * A browser that happened to be opened from here first, to show a page. It has all of the user's windows, so it does
 * not end with the session; a browser that a program steers does.
 */
export function isPersonsBrowser(pid: number): boolean {
  try {
    return (
      browser.test(basename(readlinkSync(`/proc/${pid}/exe`))) &&
      !steered.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    );
  } catch {
    return false;
  }
}

async function fromPs(): Promise<Facts[]> {
  return rowsOfPs(await systemProgram('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']));
}

/** @param stdout lines with pid, parent, group, state and start, the last as `Sat Nov 28 02:15:47 2026` */
export function rowsOfPs(stdout: string): Facts[] {
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[4]!.startsWith('Z')) return [];
    return [
      {
        pid: Number(match[1]),
        parent: Number(match[2]),
        group: Number(match[3]),
        session: 0,
        started: match[5]!.trim(),
        startedAt: Date.parse(match[5]!),
        program: 'ps',
      },
    ];
  });
}

async function markedInPs(mark: string): Promise<Set<number>> {
  if (process.platform !== 'darwin') return new Set();
  return markedInLines(await systemProgram('ps', ['-A', '-E', '-ww', '-o', 'pid=,command=']), mark);
}

/** @param stdout lines with pid, command and environment */
export function markedInLines(stdout: string, mark: string): Set<number> {
  const wanted = ` ${TREE_VARIABLE}=${mark}${mark.endsWith('.') ? '' : ' '}`;
  return new Set(
    stdout
      .split('\n')
      .filter((line) => `${line} `.includes(wanted))
      .map((line) => Number.parseInt(line, 10)),
  );
}
