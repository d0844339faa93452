/**
 * Does something with each of the entries of a folder. One that fails costs no other one; one that somebody else has
 * removed meanwhile is no failure, and neither is a folder that is not there. Never rejects.
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
