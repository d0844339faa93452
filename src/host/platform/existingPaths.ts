import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';
import { waitAtMost } from '../../base/scheduler';
import { isWithin } from '../../node/isWithin';
import { systemClock } from './clock';
import { linkTarget } from './linkTarget';

/** How long the panel waits for a disk that is slow. */
const timeLimitMs = 1_000;

/**
 * Which of some paths in an agent's text are files or folders here, in the same order. Only what lies in the given
 * folders is looked at: a path may name another machine.
 * @param cwd the session's folder, to which a path may be relative; "" where there is none
 * @param folders what lies elsewhere is not looked at
 */
export async function existingPaths(
  paths: readonly string[],
  cwd: string,
  folders: readonly string[],
): Promise<string[]> {
  const inside = folders.filter((folder) => folder !== '');
  const found = new Set<string>();
  const look = async (mentioned: string) => {
    const absolute = linkTarget(mentioned, cwd, homedir());
    if (
      absolute === undefined ||
      !path.isAbsolute(absolute) ||
      absolute.startsWith('\\\\') ||
      !inside.some((folder) => isWithin(absolute, folder))
    )
      return;
    const there = await stat(absolute).catch(() => undefined);
    if (there) found.add(mentioned);
  };
  await waitAtMost(systemClock, timeLimitMs, Promise.all(paths.map(look)));
  return paths.filter((mentioned) => found.has(mentioned));
}
