import { realpath } from 'node:fs/promises';
import { inEditor, pathKey } from '../../files/pathPolicy';

/**
 * Each file once, as the disk spells it: agents may write other letters, and a rename may change only these.
 * @param told by path. @param own the spelling of a path in the followed folders; undefined outside of them
 */
export async function inDiskSpelling(
  told: ReadonlyMap<string, number>,
  own: (path: string) => string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const spelled = await Promise.all(
    Array.from(told, async ([path, at]) => {
      const found = inEditor(own(await realpath(path).catch(() => path)) ?? path);
      // A link in the folder keeps its name.
      return [pathKey(found) === pathKey(path) ? found : path, at] as const;
    }),
  );
  // The first event is nearest to the change itself.
  return new Map(spelled.toSorted(([, a], [, b]) => b - a));
}
