import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../../src/base/log';
import { Worktrees } from '../../../src/host/worktrees/worktrees';
import { MemoryState } from '../../fakes/memoryState';
import { Desk, until } from './desk';

/** Runs Git in a folder. @returns what it prints */
export const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Writes a file, with its folders. */
export function put(folder: string, name: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

export const text = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

/** A repository with a commit, and its worktrees by VS Code's Git extension. */
export class WorktreeDesk extends Desk {
  readonly worktrees = new Worktrees(new MemoryState(), silentLogger);
  /** The folder around the repository, and its worktrees. */
  readonly top = realpathSync(mkdtempSync(join(this.outside, 'worktrees-')));
  readonly root = join(this.top, 'project');

  /** @returns false where the Git extension makes no worktrees: in VS Code 1.106 Parley offers none */
  async begin(): Promise<boolean> {
    mkdirSync(this.root);
    this.git('init', '-q', '-b', 'main');
    put(this.root, 'a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    put(this.root, 'inner/b.txt', 'b\n');
    this.git('add', '.');
    this.git('commit', '-qm', 'first');
    if (!(await this.worktrees.open(this.root))?.createWorktree) return false;
    await until('the repository to be known', () => this.worktrees.repositoryOf(this.root) !== undefined);
    return true;
  }

  readonly git = (...args: string[]): string => gitIn(this.root, ...args);

  readonly make = (words = 'Fix it', folder = this.root) => this.worktrees.make(folder, words);

  override async clear(): Promise<void> {
    this.worktrees.dispose();
    await super.clear();
  }
}
