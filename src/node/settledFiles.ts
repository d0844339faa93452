import { constants, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { inGroups } from '../base/inGroups';
import type { Clock } from '../base/scheduler';
import { readFrom } from './changeFiles';
import { openWithStats } from './openWithoutLinks';

/** A file that is open for reading. */
export interface OpenedFile {
  /** The stats at opening. */
  readonly opened: Stats;
  stat(): Promise<Stats>;
  /** @param size see `readFrom` */
  read(size?: number): Promise<Buffer>;
}

/** Opens a regular file and closes it after `use`. A parameter: tests change files under the read. */
export type OpenFile = <T>(path: string, use: (file: OpenedFile) => Promise<T>) => Promise<T>;

/** Opens without following a link. @param path absolute, with links resolved. @throws as `openWithoutLinks`. */
export async function openedFile<T>(
  path: string,
  use: (file: OpenedFile & { readonly handle: FileHandle }) => Promise<T>,
): Promise<T> {
  const { file: handle, stats: opened } = await openWithStats(path, constants.O_RDONLY);
  try {
    return await use({ handle, opened, stat: () => handle.stat(), read: (size) => readFrom(handle, size) });
  } finally {
    await handle.close();
  }
}

/** One look at a file. */
export interface Sight<T> {
  readonly value: T;
  /** Differs for each state of the file; undefined if the file changed during the look. */
  readonly stamp: string | undefined;
  /** The time of the last change, epoch ms; undefined if there is no file. */
  readonly changedAt: number | undefined;
}

/** Clocks of file systems are coarse: a change this short before a moment may be after it. Milliseconds. */
export const TICK_MS = 20;
/** A program writes a file in several steps; content that stays this long is complete. Milliseconds. */
export const QUIET_MS = 40;
/** A file that is suddenly empty, shorter or gone is most often about to be written. Milliseconds. */
export const DOUBTFUL_QUIET_MS = 200;
/** A file that keeps changing is read as it is after this time. Milliseconds. */
const DEADLINE_MS = 2_000;
const LOOK_AGAIN_MS = 15;

export interface SettlingOptions<T> {
  readonly look: (path: string) => Promise<Sight<T>>;
  /** How long a file must stay unchanged before it is believed, ms. */
  readonly quietMs: (path: string, value: T) => number;
  readonly clock: Clock;
}

/**
 * Reads files until each has stayed unchanged for long enough, all within the same time. A file that changed long ago
 * is believed at once.
 * @returns one value for each path, the last one for a file that keeps changing.
 */
export async function lookSettled<T>(
  paths: readonly string[],
  { look, quietMs, clock }: SettlingOptions<T>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  const firstSeen = new Map<string, { readonly stamp: string; readonly at: number }>();
  const deadline = clock.now() + DEADLINE_MS;
  let open = [...new Set(paths)];
  while (open.length > 0) {
    const unsure: string[] = [];
    await inGroups(open, async (path) => {
      const { value, stamp, changedAt } = await look(path);
      const now = clock.now();
      found.set(path, value);
      if (stamp === undefined) return void unsure.push(path);
      const seen = firstSeen.get(path);
      if (seen?.stamp !== stamp) firstSeen.set(path, { stamp, at: now });
      // A clock of another machine may be ahead: then only changes seen here count.
      const age = Math.max(
        seen?.stamp === stamp ? now - seen.at : 0,
        changedAt === undefined || changedAt > now ? 0 : now - changedAt,
      );
      if (age < quietMs(path, value)) unsure.push(path);
    });
    open = clock.now() < deadline ? unsure : [];
    if (open.length > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return found;
}

/** Reads a file. The stamp is undefined if it changed, or was replaced, during the read. */
export async function readAt(file: OpenedFile): Promise<Sight<Buffer>> {
  const { opened } = file;
  const bytes = await file.read(opened.size);
  const after = await file.stat();
  const isWhole = stampOf(opened) === stampOf(after) && bytes.length === after.size;
  return { value: bytes, stamp: isWhole ? stampOf(after) : undefined, changedAt: after.ctimeMs };
}

export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * The bytes of a file, once no program is writing it.
 * @param path absolute, with links resolved.
 * @throws as `openWithoutLinks`.
 */
export async function readSettled(path: string, clock: Clock, open: OpenFile = openedFile): Promise<Buffer> {
  const look = (): Promise<Sight<Buffer>> => open(path, (file) => readAt(file));
  const found = await lookSettled([path], {
    look,
    quietMs: (_, bytes) => (bytes.length === 0 ? DOUBTFUL_QUIET_MS : QUIET_MS),
    clock,
  });
  return found.get(path)!;
}
