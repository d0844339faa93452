import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { PinnedGit, type RunGit } from '../../node/pinnedGit';
import { ProgramError } from '../../node/runProgram';
import type { NewAttachment } from './attachment';
import { boundedDiff } from './contextText';

/** The most files that are compared. */
const maxFiles = 200;
/** The most bytes of all diffs together, before they are shortened. */
const maxDiff = 16 * 1024 * 1024;

/** The repository around the first of these places that is in one, else around a workspace folder. */
export async function repositoryNear(
  near: readonly vscode.Uri[],
  env: NodeJS.ProcessEnv,
): Promise<PinnedGit | undefined> {
  const opened = vscode.workspace.workspaceFolders ?? [];
  const notWithin = opened.map(({ uri }) => uri.fsPath);
  let git: PinnedGit | undefined;
  for (const { scheme, fsPath } of [...near, ...opened.map(({ uri }) => uri)])
    git ??= scheme === 'file' ? await PinnedGit.open(fsPath, { env, notWithin }) : undefined;
  return git;
}

export function noRepository(): string {
  return l10n.t('There is no Git repository in the workspace, or Git is not installed.');
}

/** Options of each command that prints a diff: nothing that a repository names is run. */
export const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--ignore-submodules=all',
] as const;

/** The output of a command that prints diffs, one for each file, up to a limit. @throws ProgramError */
export async function diffsOf(run: RunGit, args: readonly string[]): Promise<{ diffs: string[]; more: number }> {
  const text = await run(args, { maxBytes: maxDiff }).catch((error: unknown) => {
    if (error instanceof ProgramError && error.reason === 'tooMuchOutput') return error.stdout;
    throw error;
  });
  const all = text
    .toString('utf8')
    .split(/^(?=diff --(?:git|cc) )/m)
    .filter((part) => part !== '');
  return { diffs: all.slice(0, maxFiles), more: Math.max(0, all.length - maxFiles) };
}

/**
 * The difference between the working tree and the last commit of the repository around a file. A string is the reason
 * if there is none.
 * @param env the user's
 */
export async function changesContext(
  near: readonly vscode.Uri[],
  env: NodeJS.ProcessEnv,
): Promise<NewAttachment | string> {
  const git = await repositoryNear(near, env);
  if (!git) return noRepository();
  const head = await git.head();
  if (head?.commit === undefined) return l10n.t('The repository has no commit yet to compare with.');
  const { diffs, more, count, untracked } = await git.use(head, changesOf);
  if (count + untracked.length === 0) return l10n.t('There are no changes since the last commit.');
  const all = count + untracked.length;
  const name = nodePath.basename(git.folders.top);
  return {
    kind: 'changes',
    label: l10n.t('Changes'),
    detail: [
      all === 1
        ? l10n.t('1 file changed since the last commit')
        : l10n.t('{0} files changed since the last commit', all),
      ...(head.branch === undefined ? [] : [head.branch]),
      name,
    ].join(' · '),
    linkable: false,
    uri: `parley:/changes/${encodeURIComponent(name)}`,
    mimeType: 'text/x-diff',
    content: boundedDiff(diffs, { untracked, more }),
    fileName: 'changes.diff',
  };
}

async function changesOf(run: RunGit): Promise<{
  readonly diffs: readonly string[];
  readonly more: number;
  readonly count: number;
  readonly untracked: readonly string[];
}> {
  const diff = ['diff', ...plainDiff];
  const [names, others, { diffs }] = await Promise.all([
    run([...diff, '--name-only', '-z', 'HEAD']),
    run(['ls-files', '--others', '--exclude-standard', '-z']),
    diffsOf(run, [...diff, 'HEAD']),
  ]);
  const list = (output: Buffer) =>
    output
      .toString('utf8')
      .split('\0')
      .filter((name) => name !== '')
      .sort();
  const count = new Set(list(names)).size;
  return { diffs, more: Math.max(0, count - diffs.length), count, untracked: list(others) };
}
