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
 * The paths in an agent's text that exist here, in the same order. Only paths in the given folders are checked: others
 * may be on another machine.
 * @param cwd the session's folder, the base of relative paths; "" if there is none
 * @param folders paths elsewhere are not checked
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
