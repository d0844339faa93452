import { foldedName } from '../base/fileNames';
import type { GitContent } from './gitContents';

/**
 * Corrects git's answers where case does not count: a file whose name differs from one in the commit by case only is
 * that file, so it was not absent.
 * @param result by path, absolute. @param committed the files of the commit, absolute. @param contents asks git
 */
export async function tellRenamed(
  result: Map<string, GitContent>,
  committed: () => Promise<readonly string[]>,
  contents: (files: readonly string[]) => Promise<ReadonlyMap<string, GitContent>>,
): Promise<void> {
  const absent = [...result].flatMap(([file, { kind }]) => (kind === 'absent' ? [file] : []));
  if (absent.length === 0) return;
  const known = new Map((await committed()).map((file) => [foldedName(file), file]));
  const others = new Map(absent.map((file) => [file, known.get(foldedName(file))]));
  const found = await contents([...others.values()].filter((other) => other !== undefined));
  for (const [file, other] of others)
    if (other !== undefined) result.set(file, found.get(other) ?? { kind: 'unknown' });
}
