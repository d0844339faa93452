import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { firstRef } from '../../node/gitRef';
import type { NewAttachment } from './attachment';
import { diffsOf, noRepository, plainDiff, repositoryNear } from './changesContext';
import { boundedDiff } from './contextText';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { clip } from '../../base/oneLine';

/** Commits that the user can choose from. */
const maxCommits = 100;
/** Characters of a message, and of a subject or a name. */
const maxMessage = 64 * 1024;
const maxWords = 500;
/** Where a branch usually began, in this order. The repository's configuration is not read. */
const usualBases = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly subject: string;
}

/**
 * A commit of the current branch, which the user chooses, with its message and its changes.
 * @returns a string if there is none, with the reason; undefined if the user cancels
 */
export async function commitContext(
  near: readonly vscode.Uri[],
  env: NodeJS.ProcessEnv,
): Promise<NewAttachment | string | undefined> {
  const git = await repositoryNear(near, env);
  if (!git) return noRepository();
  const head = await git.head();
  if (head?.commit === undefined) return l10n.t('The repository has no commit yet.');
  return git.use(head, async (run) => {
    const format = '--format=%H%x1f%an%x1f%s';
    const commits = commitsIn((await run(['log', '-z', `-n${maxCommits}`, format, 'HEAD'])).toString('utf8'));
    const chosen = await markedWindow.showQuickPick(
      commits.map((commit) => ({
        label: `$(git-commit) ${plainText(commit.subject)}`,
        description: `${commit.hash.slice(0, 8)} · ${commit.author}`,
        commit,
      })),
      {
        title: l10n.t('Add a Commit to the Message'),
        placeHolder: l10n.t('Select a commit'),
        matchOnDescription: true,
      },
    );
    if (!chosen) return undefined;
    const { hash, subject, author } = chosen.commit;
    // A merge is compared with the branch that it went into.
    const show = ['show', ...plainDiff, '--first-parent', '-m'];
    const [message, { diffs, more }] = await Promise.all([
      run(['show', '--no-patch', '--format=medium', hash]),
      diffsOf(run, [...show, '--format=', hash]),
    ]);
    const short = hash.slice(0, 8);
    return {
      kind: 'changes',
      label: l10n.t('Commit {0}', short),
      detail: [subject, author, nodePath.basename(git.folders.top)].join(' · '),
      linkable: false,
      uri: `parley:/commit/${hash}`,
      mimeType: 'text/x-diff',
      content: `${clip(message.toString('utf8').trim(), maxMessage)}\n\n${boundedDiff(diffs, { untracked: [], more })}`,
      fileName: `${short}.diff`,
    };
  });
}

/** The commits in the output of `git log -z`. */
export function commitsIn(output: string): Commit[] {
  return output.split('\0').flatMap((line) => {
    const [hash, author, subject] = line.split('\x1f');
    return hash && /^[0-9a-f]{40,64}$/.test(hash)
      ? [{ hash, author: clip(author ?? '', maxWords), subject: clip(subject ?? '', maxWords) }]
      : [];
  });
}

/** The commits of a branch, one on each line. */
function subjectLines(output: string): string {
  return output
    .trim()
    .split('\n')
    .map((line) => clip(line, maxWords))
    .join('\n');
}

/** The committed changes of the current branch since it left its base. A string is the reason if there are none. */
export async function branchContext(
  near: readonly vscode.Uri[],
  env: NodeJS.ProcessEnv,
): Promise<NewAttachment | string> {
  const git = await repositoryNear(near, env);
  if (!git) return noRepository();
  const head = await git.head();
  if (head?.commit === undefined) return l10n.t('The repository has no commit yet.');
  const own = `refs/heads/${head.branch}`;
  const base = await firstRef(
    git.folders,
    usualBases.filter((ref) => ref !== own),
    git.log,
  );
  if (!base) return l10n.t('There is no branch to compare with: no origin, main or master.');
  const baseName = base.ref.replace(/^refs\/(?:heads|remotes)\//, '');
  const branch = head.branch ?? head.commit.slice(0, 8);
  return git.use(head, async (run) => {
    const from = (await run(['merge-base', 'HEAD', base.commit]).catch(() => undefined))?.toString('utf8').trim();
    if (!from) return l10n.t('{0} and {1} have no commit in common.', branch, baseName);
    const [{ diffs, more }, subjects] = await Promise.all([
      diffsOf(run, ['diff', ...plainDiff, from, 'HEAD']),
      run(['log', `-n${maxCommits}`, '--format=%h %s', `${from}..HEAD`]),
    ]);
    const files = diffs.length + more;
    if (files === 0) return l10n.t('{0} has no changes since {1}.', branch, baseName);
    return {
      kind: 'changes',
      label: l10n.t('Branch {0}', branch),
      detail: [
        files === 1
          ? l10n.t('1 file changed since {0}', baseName)
          : l10n.t('{0} files changed since {1}', files, baseName),
        nodePath.basename(git.folders.top),
      ].join(' · '),
      linkable: false,
      uri: `parley:/branch/${encodeURIComponent(branch)}`,
      mimeType: 'text/x-diff',
      content: [
        `Commits of ${branch} since ${baseName}:`,
        `${subjectLines(subjects.toString('utf8'))}\n`,
        boundedDiff(diffs, { untracked: [], more }),
      ].join('\n'),
      fileName: 'branch.diff',
    };
  });
}
