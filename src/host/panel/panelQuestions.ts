import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';
import type { Logger } from '../../base/log';
import { waitAtMost } from '../../base/scheduler';
import { isWithin } from '../../node/isWithin';
import { readRepositoryText } from '../../node/readRepositoryFile';
import type { Said } from '../../protocol/fromWebview';
import type { ToWebview } from '../../protocol/messages';
import { systemClock } from '../platform/clock';
import { linkTarget } from '../platform/linkTarget';

/** Answers the panel's questions about files. */
export async function answerQuestion(
  question: Said<'paths/query' | 'snippet/query'>,
  { cwd, roots: folders }: { readonly cwd: string; readonly roots: readonly string[] },
  log: Logger,
): Promise<ToWebview> {
  if (question.type === 'paths/query')
    return { type: 'paths/found', paths: question.paths, existing: await existingPaths(question.paths, cwd, folders) };
  const line = await findSnippet(question.path, question.texts, folders, log);
  return { type: 'snippet/found', queryId: question.queryId, ...(line === undefined ? {} : { line }) };
}

/** The longest wait for a slow disk. */
const timeLimitMs = 1_000;

/**
 * The paths in an agent's text that exist here, in the same order. Only paths in the given folders are checked: others
 * may be on another machine.
 * @param cwd the session's folder, the base of relative paths; "" if there is none
 * @param folders paths elsewhere are not checked
 */
export async function existingPaths(
  paths: readonly string[],
  cwd: string,
  folders: readonly string[],
): Promise<string[]> {
  const inside = folders.filter((folder) => folder !== '');
  const found = new Set<string>();
  const look = async (mentioned: string) => {
    const absolute = linkTarget(mentioned, cwd, homedir());
    if (
      absolute === undefined ||
      !path.isAbsolute(absolute) ||
      absolute.startsWith('\\\\') ||
      !inside.some((folder) => isWithin(absolute, folder))
    )
      return;
    const there = await stat(absolute).catch(() => undefined);
    if (there) found.add(mentioned);
  };
  await waitAtMost(systemClock, timeLimitMs, Promise.all(paths.map(look)));
  return paths.filter((mentioned) => found.has(mentioned));
}

/**
 * The line, from 1, at which some lines begin in a file. Undefined if they occur twice or not at all: a wrong line is
 * worse than none.
 * @param texts tried one after the other
 */
export function lineOfSnippet(file: string, texts: readonly string[]): number | undefined {
  const whole = `\n${file.replace(/\r\n/g, '\n')}\n`;
  for (const text of texts) {
    if (text.trim() === '') continue;
    const wanted = `\n${text}\n`;
    const at = whole.indexOf(wanted);
    if (at < 0) continue;
    if (whole.indexOf(wanted, at + 1) >= 0) return undefined;
    return whole.slice(0, at + 1).split('\n').length - 1;
  }
  return undefined;
}

/** The same for a file in one of some folders; no other file is read. */
async function findSnippet(
  file: string,
  texts: readonly string[],
  folders: readonly string[],
  log: Logger,
): Promise<number | undefined> {
  const absolute = path.normalize(file);
  const folder = folders.find(
    (one) => one !== '' && path.isAbsolute(absolute) && !absolute.startsWith('\\\\') && isWithin(absolute, one),
  );
  const text = folder === undefined ? undefined : await readRepositoryText(folder, absolute, log);
  return text === undefined ? undefined : lineOfSnippet(text, texts);
}
