import * as path from 'node:path';
import type { Logger } from '../../base/log';
import { readRepositoryText } from '../../node/readRepositoryFile';
import { isWithin } from '../../node/isWithin';

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
export async function findSnippet(
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
