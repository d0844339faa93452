import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Logger } from '../base/log';
import { type GitFolders, packedRef } from './gitFolders';
import { readRepositoryText } from './readRepositoryFile';

/** The most steps of symbolic refs. */
const maxSteps = 5;

export interface GitRef {
  /** Without symbolic steps: `refs/heads/main`. */
  readonly ref: string;
  readonly commit: string;
}

/**
 * The first of these refs that the repository has. Git itself is not asked, because it never sees the repository's own
 * folder.
 * @param refs `refs/heads/main`; may be symbolic
 * @returns undefined if there is none, or they are stored in an unknown way.
 */
export async function firstRef(
  { common }: Pick<GitFolders, 'common'>,
  refs: readonly string[],
  log: Pick<Logger, 'warn'>,
): Promise<GitRef | undefined> {
  // The reftable format has no files for its refs.
  if (await lstat(nodePath.join(common, 'reftable')).catch(() => undefined)) return undefined;
  for (const ref of refs) {
    const found = await resolvedRef(common, ref, log);
    if (found) return found;
  }
  return undefined;
}

async function resolvedRef(common: string, ref: string, log: Pick<Logger, 'warn'>): Promise<GitRef | undefined> {
  let name = ref;
  for (let step = 0; step < maxSteps; step++) {
    if (name.split('/').includes('..')) return undefined;
    const text =
      (await readRepositoryText(common, nodePath.join(common, name), log)) ?? (await packedRef(common, name, log));
    const [, commit, next] = /^(?:([0-9a-f]{40}|[0-9a-f]{64})|ref: (refs\/[^\s]+))\s*$/.exec(text ?? '') ?? [];
    if (commit !== undefined) return { ref: name, commit };
    if (next === undefined) return undefined;
    name = next;
  }
  return undefined;
}
