import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { GitBaselines } from '../../../node/gitBaselines';
import { filesIn } from './filesIn';
import type { IgnoreRules } from '../../files/ignoreRules';
import { isWithin } from '../../../node/isWithin';

/** Of what git ignores so much is looked through: a build may lie in thousands of files side by side. */
const MAX_IGNORED = 5_000;
/** More guarded files than these that git ignores are not few any more. */
const MAX_GUARDED = 500;

/**
 * The guarded files of repositories of which git knows nothing: ignored ones, and git's own that decide what it runs.
 * They are listed before a turn, because nothing else tells afterwards what was there.
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

  /** Whether it is certain that there was no such file. */
  async wasAbsent(path: string): Promise<boolean> {
    await this.rules.learn(path);
    if (!this.isComplete || this.files.has(path) || !this.rules.isOnlyGuarded(path)) return false;
    if (this.tops.some((top) => isWithin(path, nodePath.join(top, '.git')))) return true;
    return this.git.knowsIgnored(path) && !path.split(nodePath.sep).includes('.git');
  }

  /** What may have changed since, whether or not an event has told of it. */
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
