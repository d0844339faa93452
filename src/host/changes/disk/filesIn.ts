import { readdir } from 'node:fs/promises';
import nodePath from 'node:path';
import type { IgnoreRules } from '../../files/ignoreRules';

/**
 * The files below a folder that are not ignored. `isComplete`: the limit was not reached.
 * @param without folders that are left out.
 */
export async function filesIn(
  folder: string,
  rules: IgnoreRules,
  limit: number,
  without: readonly string[] = [],
): Promise<{ readonly files: readonly string[]; readonly isComplete: boolean }> {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    await rules.learn(nodePath.join(next, '.gitignore'));
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = nodePath.join(next, entry.name);
      if (rules.isIgnored(path)) continue;
      if (entry.isDirectory() && !without.includes(path)) open.push(path);
      else if (entry.isFile()) files.push(path);
      if (files.length + open.length > limit) return { files, isComplete: false };
    }
  }
  return { files, isComplete: true };
}
