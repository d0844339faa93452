import { isBusy, pausesMs } from './renameFile';

/** Tries work on a file again while another program of Windows has it open. @throws what it throws at last */
export async function untilFree(
  work: () => unknown,
  pause: (ms: number) => unknown = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<void> {
  for (const ms of pausesMs) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(ms);
    }
  }
  await work();
}
