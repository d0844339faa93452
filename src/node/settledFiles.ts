import { constants, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../base/scheduler';
import { readFrom } from './changeFiles';
import { openWithStats } from './openWithoutLinks';

/** A file that is open for reading. */
export interface OpenedFile {
  /** When it was opened. */
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
  /** Another one for each state of the file; undefined where the file changed under the look. */
  readonly stamp: string | undefined;
  /** When the file changed last, epoch ms; undefined where there is none. */
  readonly changedAt: number | undefined;
}

/**
 * Clocks of file systems tick coarsely: what changed this short before a moment may have changed after it.
 * Milliseconds.
 */
export const TICK_MS = 20;
/** A program writes a file in several steps; what stands in it for this long is what it wanted. Milliseconds. */
export const QUIET_MS = 40;
/** A file that is suddenly empty, shorter or gone is most often about to be written. Milliseconds. */
export const DOUBTFUL_QUIET_MS = 200;
/** A file that never rests is taken as it is, at last. Milliseconds. */
const DEADLINE_MS = 2_000;
const LOOK_AGAIN_MS = 15;

export interface SettlingOptions<T> {
  readonly look: (path: string) => Promise<Sight<T>>;
  /** How long a file must have stood like this before it is believed, ms. */
  readonly quietMs: (path: string, value: T) => number;
  readonly clock: Clock;
  /** Files that are looked at in parallel. */
  readonly atOnce?: number;
}

/**
 * Looks at files until each has stood still for long enough, all of them in the same time. A file that changed long ago
 * is believed at once.
 * @returns one value for each path, the last one where a file does not rest.
 */
export async function lookSettled<T>(
  paths: readonly string[],
  { look, quietMs, clock, atOnce = 8 }: SettlingOptions<T>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  const firstSeen = new Map<string, { readonly stamp: string; readonly at: number }>();
  const deadline = clock.now() + DEADLINE_MS;
  let open = [...new Set(paths)];
  while (open.length > 0) {
    const unsure: string[] = [];
    for (let i = 0; i < open.length; i += atOnce) {
      await Promise.all(
        open.slice(i, i + atOnce).map(async (path) => {
          const { value, stamp, changedAt } = await look(path);
          const now = clock.now();
          found.set(path, value);
          if (stamp === undefined) return void unsure.push(path);
          const seen = firstSeen.get(path);
          if (seen?.stamp !== stamp) firstSeen.set(path, { stamp, at: now });
          // A clock of another machine may be ahead: then only what was seen here counts.
          const age = Math.max(
            seen?.stamp === stamp ? now - seen.at : 0,
            changedAt === undefined || changedAt > now ? 0 : now - changedAt,
          );
          if (age < quietMs(path, value)) unsure.push(path);
        }),
      );
    }
    open = clock.now() < deadline ? unsure : [];
    if (open.length > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return found;
}

/** Reads a file. The stamp is undefined where it changed, or was replaced, under the read. */
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
 * The bytes of a file, once nobody is writing it any more.
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
