import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { GitBaseline } from '../../../node/gitBaseline';
import { filesIn } from './filesIn';
import type { IgnoreRules } from '../../files/ignoreRules';
import { isWithin } from '../../../node/isWithin';

/** Of what git ignores so much is looked through: a build may lie in thousands of files side by side. */
const MAX_IGNORED = 5_000;
/** More guarded files than these that git ignores are not few any more. */
const MAX_GUARDED = 500;

/**
 * The guarded files of a repository of which git knows nothing: ignored ones, and its own that decide what it runs. They
 * are listed before a turn, because nothing else tells afterwards what was there.
 */
export class GuardedBaseline {
  private constructor(
    private readonly root: string,
    private readonly rules: IgnoreRules,
    readonly files: ReadonlySet<string>,
    private readonly isComplete: boolean,
  ) {}

  static async take(root: string, rules: IgnoreRules, git: GitBaseline): Promise<GuardedBaseline> {
    const [ignored, own] = await Promise.all([git.ignored().catch(() => undefined), gitsOwn(root, rules)]);
    const files = new Set(own);
    let isComplete = ignored !== undefined && ignored.length <= MAX_IGNORED;
    for (const { path, isFolder } of ignored?.slice(0, MAX_IGNORED) ?? []) {
      await rules.learn(path);
      if (rules.isIgnored(path)) continue;
      const found = isFolder ? await filesIn(path, rules, MAX_GUARDED) : { files: [path], isComplete: true };
      for (const file of found.files) if (rules.isOnlyGuarded(file)) files.add(file);
      isComplete &&= found.isComplete;
      if (files.size > MAX_GUARDED) return new GuardedBaseline(root, rules, new Set([...files].slice(0, MAX_GUARDED)), false);
    }
    return new GuardedBaseline(root, rules, files, isComplete);
  }

  /** Whether it is certain that there was no such file. Of repositories in this one nothing was listed. */
  async wasAbsent(path: string): Promise<boolean> {
    await this.rules.learn(path);
    if (!this.isComplete || this.files.has(path) || !this.rules.isOnlyGuarded(path)) return false;
    if (isWithin(path, nodePath.join(this.root, '.git'))) return true;
    for (let folder = nodePath.dirname(path); folder.length > this.root.length; folder = nodePath.dirname(folder)) {
      if (nodePath.basename(folder) === '.git' || (await isThere(nodePath.join(folder, '.git')))) return false;
    }
    return true;
  }

  /** What may have changed since, whether or not an event has told of it. */
  async again(): Promise<string[]> {
    return [...new Set([...this.files, ...(await gitsOwn(this.root, this.rules))])];
  }
}

async function gitsOwn(root: string, rules: IgnoreRules): Promise<string[]> {
  const folder = nodePath.join(root, '.git');
  const named = ['config', 'config.worktree', 'info/attributes'].map((name) => nodePath.join(folder, name));
  const [areThere, hooks] = await Promise.all([Promise.all(named.map(isThere)), filesIn(nodePath.join(folder, 'hooks'), rules, MAX_GUARDED)]);
  return [...named.filter((_, i) => areThere[i]), ...hooks.files].filter((path) => rules.isOnlyGuarded(path));
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(() => true, () => false);
}
