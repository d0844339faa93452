import { constants } from 'node:os';

/** @returns the name of a signal number on this system ("SIGTERM" for 15), or the number where it has no name. */
export function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? String(number);
}
