import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isWithin } from '../../node/isWithin';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { GitCommit, GitRepository } from '../worktrees/gitExtension';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';

/** So many commits are offered one by one. */
const MAX_COMMITS = 200;

/** A row of a menu. */
export interface MenuAct {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly act: () => Promise<unknown>;
}

/** The commits that a worktree has and its repository does not have. */
interface OwnCommits {
  readonly here: GitRepository;
  readonly there: GitRepository;
  /** The newest first. */
  readonly commits: readonly GitCommit[];
}

/**
 * What the user can do with the commits of a worktree, by commands of VS Code's Git extension and of GitHub's. Git runs
 * programs that a repository configures, and Parley does not. Only commands that are there are offered.
 */
export async function commitActs(worktree: Worktree, worktrees: Pick<Worktrees, 'open'>): Promise<readonly MenuAct[]> {
  const own = await ownCommits(worktree, worktrees).catch(() => undefined);
  if (!own || own.commits.length === 0) return [];
  const { here, there, commits } = own;
  const known = new Set(await vscode.commands.getCommands());
  const { name, commit, upstream } = there.state.HEAD ?? {};
  const into = plainText(here.state.HEAD?.name ?? l10n.t('the current commit'), 60);
  const isMany = commits.length === MAX_COMMITS;
  const count = isMany
    ? l10n.t('{0} commits or more', MAX_COMMITS)
    : commits.length === 1
      ? l10n.t('1 commit')
      : l10n.t('{0} commits', commits.length);
  const acts: MenuAct[] = [];
  const ref = name ?? commit;
  if (known.has(mergeCommand) && ref !== undefined)
    acts.push({
      label: `$(git-merge) ${l10n.t('Merge into {0}', into)}`,
      description: count,
      act: () => tellOf(here, l10n.t('Merged {0} into {1}.', ref, into), mergeCommand, { id: ref }),
    });
  if (known.has(cherryPickCommand))
    acts.push({
      label: `$(git-commit) ${l10n.t('Cherry-Pick…')}`,
      description: count,
      act: () => cherryPick(here, commits, into),
    });
  if (name === undefined || there.state.remotes.length === 0) return acts;
  if (!upstream && known.has('git.publish'))
    acts.push({
      label: `$(cloud-upload) ${l10n.t('Publish Branch')}`,
      act: async () => vscode.commands.executeCommand('git.publish', there.rootUri),
    });
  const request = pullRequests.find(([id]) => known.has(id));
  if (request)
    acts.push({
      label: `$(git-pull-request-create) ${l10n.t('Open Pull Request…')}`,
      act: async () => vscode.commands.executeCommand(request[0], ...request[1](there.rootUri.fsPath, name)),
    });
  return acts;
}

// As the views of Source Control call them: with the repository, and a branch or commit.
const mergeCommand = 'git.repositories.merge';
const cherryPickCommand = 'git.graph.cherryPick';

/** GitHub's extension for pull requests, else the part that comes with VS Code, which opens the page on GitHub. */
const pullRequests: readonly (readonly [id: string, args: (path: string, branch: string) => readonly unknown[]])[] = [
  ['pr.create', (repoPath, compareBranch) => [{ repoPath, compareBranch }]],
  ['github.createPullRequest', (worktreePath) => ['parley', { worktreePath }]],
];

async function ownCommits(worktree: Worktree, worktrees: Pick<Worktrees, 'open'>): Promise<OwnCommits | undefined> {
  const [there, here] = [await worktrees.open(worktree.path), await worktrees.open(worktree.repository)];
  if (!there || !here || !isWithin(there.rootUri.fsPath, worktree.path)) return undefined;
  await Promise.all([there.status(), here.status()]);
  const [ours, theirs] = [here.state.HEAD?.commit, there.state.HEAD?.commit];
  if (ours === undefined || theirs === undefined || ours === theirs) return undefined;
  const commits = await here.log({ range: `${ours}..${theirs}`, maxEntries: MAX_COMMITS });
  return { here, there, commits };
}

async function cherryPick(here: GitRepository, commits: readonly GitCommit[], into: string): Promise<void> {
  const picked = await markedWindow.showQuickPick(
    commits.map(({ hash, message }) => {
      const [first = ''] = message.split('\n', 1);
      return { label: `$(git-commit) ${plainText(first, 100)}`, description: hash.slice(0, 8), hash };
    }),
    { title: l10n.t('Cherry-Pick into {0}', into), matchOnDescription: true },
  );
  if (!picked) return;
  const told = l10n.t('Cherry-picked {0} into {1}.', picked.description, into);
  await tellOf(here, told, cherryPickCommand, { id: picked.hash });
}

/** The Git extension tells of conflicts and errors itself, and nothing of a success. */
async function tellOf(here: GitRepository, words: string, command: string, what: { readonly id: string }) {
  const before = here.state.HEAD?.commit;
  await vscode.commands.executeCommand(command, here.rootUri, what);
  await here.status();
  if (here.state.HEAD?.commit !== before) void markedWindow.showInformationMessage(words);
}
