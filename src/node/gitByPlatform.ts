import { writeFile } from 'node:fs/promises';
import type { Logger } from '../base/log';
import { MAX_GIT_OUTPUT } from './pinnedGit';
import { readRepositoryFile } from './readRepositoryFile';
import { runProgram } from './runProgram';

/**
 * True for macOS's `/usr/bin/git` without Apple's developer tools: it is no git, and each start of it opens a dialog
 * that offers to install them.
 */
export async function isPlaceholder(program: string, selector = '/usr/bin/xcode-select'): Promise<boolean> {
  return (
    program === '/usr/bin/git' &&
    (await runProgram(selector, ['-p'], { cwd: '/', env: process.env, timeoutMs: 5_000, maxBytes: 4_096 }).then(
      (developerFolder) => developerFolder.toString('utf8').trim() === '',
      () => true,
    ))
  );
}

/**
 * Copies a part of an index in place of a link to it: Windows allows links to developers and administrators only.
 * @param own the git folder, beyond which no link may lead
 */
export async function copyPart(own: string, file: string, entry: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const bytes = await readRepositoryFile(own, file, MAX_GIT_OUTPUT, log);
  if (bytes) await writeFile(entry, bytes);
}
