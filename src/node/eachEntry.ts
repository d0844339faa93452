import type { Logger } from '../base/log';

/**
 * Does something with each of the entries of a folder. One that fails is logged and costs no other one; one that somebody
 * else has removed meanwhile is no failure, and neither is a folder that is not there. Never rejects.
 * @param what begins the line in the log ("A checkpoint could not be removed")
 */
export async function eachEntry(names: Promise<readonly string[]>, what: string, log: Pick<Logger, 'warn'>, work: (name: string) => unknown): Promise<void> {
  const failed = (error: unknown) => {
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') log.warn(`${what}: ${String(error)}`);
  };
  for (const name of await names.catch((error: unknown) => (failed(error), []))) {
    try {
      await work(name);
    } catch (error) {
      failed(error);
    }
  }
}
