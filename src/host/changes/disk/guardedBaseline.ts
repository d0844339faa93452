import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { GitBaselines } from '../../../node/gitBaselines';
import { filesIn } from './filesIn';
import type { IgnoreRules } from '../../files/ignoreRules';
import { isWithin } from '../../../node/isWithin';

/** At most this many ignored files and folders are checked, because a build may leave thousands side by side. */
const MAX_IGNORED = 5_000;
/** The most protected and ignored files that are listed. */
const MAX_GUARDED = 500;

/**
 * The protected files of repositories that git does not track: ignored files, and git's own files that configure what
 * it runs. They are listed before a turn, because nothing else shows later whether they existed.
 */
export class GuardedBaseline {
  private constructor(
    /** The folder, and the repositories in it. */
    private readonly tops: readonly string[],
    private readonly rules: IgnoreRules,
    private readonly git: GitBaselines,
    readonly files: ReadonlySet<string>,
    private readonly isComplete: boolean,
  ) {}

  static async take(root: string, rules: IgnoreRules, git: GitBaselines): Promise<GuardedBaseline> {
    const tops = [root, ...git.tops];
    const { ignored } = git;
    const own = await gitsOwn(tops, rules);
    const files = new Set(own);
    let isComplete = ignored.length <= MAX_IGNORED;
    for (const { path, isFolder } of ignored.slice(0, MAX_IGNORED)) {
      await rules.learn(path);
      if (rules.isIgnored(path)) continue;
      const found = isFolder ? await filesIn(path, rules, MAX_GUARDED) : { files: [path], isComplete: true };
      for (const file of found.files) if (rules.isOnlyGuarded(file)) files.add(file);
      isComplete &&= found.isComplete;
      if (files.size > MAX_GUARDED)
        return new GuardedBaseline(tops, rules, git, new Set([...files].slice(0, MAX_GUARDED)), false);
    }
    return new GuardedBaseline(tops, rules, git, files, isComplete);
  }

  /** True if it is certain that the file did not exist. */
  async wasAbsent(path: string): Promise<boolean> {
    await this.rules.learn(path);
    if (!this.isComplete || this.files.has(path) || !this.rules.isOnlyGuarded(path)) return false;
    if (this.tops.some((top) => isWithin(path, nodePath.join(top, '.git')))) return true;
    return this.git.knowsIgnored(path) && !path.split(nodePath.sep).includes('.git');
  }

  /** Files that may have changed since, with or without an event. */
  async again(): Promise<string[]> {
    return [...new Set([...this.files, ...(await gitsOwn(this.tops, this.rules))])];
  }
}

async function gitsOwn(tops: readonly string[], rules: IgnoreRules): Promise<string[]> {
  const found = tops.map(async (top) => {
    const folder = nodePath.join(top, '.git');
    await rules.learn(nodePath.join(top, 'any'));
    const named = ['config', 'config.worktree', 'info/attributes'].map((name) => nodePath.join(folder, name));
    const [areThere, hooks] = await Promise.all([
      Promise.all(named.map(isThere)),
      filesIn(nodePath.join(folder, 'hooks'), rules, MAX_GUARDED),
    ]);
    return [...named.filter((_, i) => areThere[i]), ...hooks.files].filter((path) => rules.isOnlyGuarded(path));
  });
  return (await Promise.all(found)).flat();
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
