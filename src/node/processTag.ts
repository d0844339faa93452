import { randomBytes } from 'node:crypto';

/**
 * Every process that an agent's process or command starts inherits this variable, so that Parley finds it even after it
 * has left its parents, its process group and its session. A program that should outlive them removes it (`env -u
 * PARLEY_TREE …`).
 */
export const TREE_VARIABLE = 'PARLEY_TREE';

/** Prefix of all marks of this process; no other process has it. */
export const hostTag = `${randomBytes(8).toString('hex')}.`;

let trees = 0;

/** @returns the value of `TREE_VARIABLE` for one more tree of this process */
export function processTag(): string {
  return `${hostTag}${++trees}`;
}
