import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { guardMatcher, SECRET_FILES } from '../../changes/guardedFiles';
import { PinnedGit, type PinnedGitOptions, type RunGit } from '../../node/pinnedGit';
import { ProgramError } from '../../node/runProgram';
import { boundedDiff } from '../attachments/contextText';

/** Characters of all diffs together, and of one file's: a model's context is not endless, and neither is its price. */
const maxTotal = 96 * 1024;
const maxOneFile = 16 * 1024;
/** Files whose changes are read. */
const maxFiles = 200;
/** Bytes of git's output, before it is shortened. */
const maxOutput = 8 * 1024 * 1024;
const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules=all'];
/** Separates commits in the log: no message has it. */
const mark = '%x00';

/** Changes that an agent reviews. */
export interface ReviewedChanges {
  /** Unified diffs, shortened. */
  readonly diff: string;
  /** The files in the diff, relative to the top, with `/`. */
  readonly files: readonly string[];
  /** Changed files that the agent does not see, because they are protected or may contain secrets. */
  readonly leftOut: readonly string[];
}

/** The changes of a repository, as an agent may see them. */
export interface RepositoryChanges extends ReviewedChanges {
  /** The top of its working tree, absolute. */
  readonly top: string;
  /** Staged changes; otherwise all since the last commit. */
  readonly isStaged: boolean;
  /** The last messages, newest first; empty before the first commit. */
  readonly messages: readonly string[];
}

export interface ReadChangesOptions extends PinnedGitOptions {
  /** True for protected files. @param path absolute */
  readonly isGuarded: (path: string) => boolean;
  /** `staged`: what the next commit gets. `all`: everything since the last commit. */
  readonly which: 'staged' | 'all';
}

/** @returns why there is nothing to read, for the user */
export async function readChanges(root: string, options: ReadChangesOptions): Promise<RepositoryChanges | string> {
  const git = await PinnedGit.open(root, options);
  const head = await git?.head();
  if (!git || !head) return l10n.t('Parley cannot read this Git repository.');
  const { top } = git.folders;
  return git.use(head, async (run) => {
    const staged = options.which === 'staged' ? await namesOf(run, [...diff, '--cached', '--name-only', '-z']) : [];
    const isStaged = staged.length > 0;
    if (!isStaged && head.commit === undefined) return l10n.t('Stage the files of the first commit, then try again.');
    const from = isStaged ? '--cached' : 'HEAD';
    const names = isStaged ? staged : await namesOf(run, [...diff, '--name-only', '-z', from]);
    if (names.length === 0) return l10n.t('There are no changes since the last commit.');
    const isSecret = guardMatcher(SECRET_FILES);
    const mayShow = (name: string) => !isSecret(name) && !options.isGuarded(nodePath.join(top, name));
    const files = names.filter(mayShow).slice(0, maxFiles);
    const text = files.length === 0 ? '' : await output(run, [...diff, from, '--', ...files]);
    return {
      top,
      isStaged,
      diff: boundedChanges(text, names.filter(mayShow).length),
      files,
      leftOut: names.filter((name) => !mayShow(name)),
      messages: head.commit === undefined ? [] : await lastMessages(run),
    };
  });
}

async function namesOf(run: RunGit, args: readonly string[]): Promise<string[]> {
  return (await output(run, args))
    .split('\0')
    .filter((name) => name !== '')
    .sort();
}

async function output(run: RunGit, args: readonly string[]): Promise<string> {
  try {
    return (await run(args, { maxBytes: maxOutput })).toString('utf8');
  } catch (error) {
    if (error instanceof ProgramError && error.reason === 'tooMuchOutput') return error.stdout.toString('utf8');
    throw error;
  }
}

/** Shortens diffs, one file after the other. @param count of the files whose changes belong in it */
export function boundedChanges(text: string, count: number): string {
  const all = text.split(/^(?=diff --(?:git|cc) )/m).filter((part) => part !== '');
  const shown: string[] = [];
  let length = 0;
  for (const part of all) {
    const one =
      part.length > maxOneFile
        ? `${part.slice(0, part.lastIndexOf('\n', maxOneFile) + 1)}… the rest of this file's changes is left out\n`
        : part;
    if (length + one.length > maxTotal) break;
    length += one.length;
    shown.push(one);
  }
  return boundedDiff(shown, { untracked: [], more: Math.max(0, count - shown.length) });
}

/** The history may end where a clone was made shallow. */
async function lastMessages(run: RunGit): Promise<string[]> {
  const args = ['log', '--no-show-signature', '--no-color', '-n', '12', `--format=%B${mark}`, 'HEAD'];
  const text = await run(args, { maxBytes: 256 * 1024 }).then(
    (bytes) => bytes.toString('utf8'),
    (error: unknown) => (error instanceof ProgramError ? error.stdout.toString('utf8') : ''),
  );
  return text
    .split('\0')
    .map((message) => message.trim())
    .filter((message) => message !== '');
}
