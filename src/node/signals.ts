import { constants } from 'node:os';

/** @returns the name of a signal number on this system ("SIGTERM" for 15), or the number if it has no name. */
export function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? String(number);
}

/** True if a process with that number exists; it may be another one than before. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
