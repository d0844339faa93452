/**
 * Calls a function for each entry of a folder. A failure does not affect other entries; an entry or a folder that no
 * longer exists is not a failure. Never rejects.
 * @param failed for the log
 */
export async function eachEntry(
  names: Promise<readonly string[]>,
  failed: (reason: string) => void,
  work: (name: string) => unknown,
): Promise<void> {
  const note = (error: unknown) => {
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') failed(String(error));
  };
  for (const name of await names.catch((error: unknown) => (note(error), []))) {
    try {
      await work(name);
    } catch (error) {
      note(error);
    }
  }
}
