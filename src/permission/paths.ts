/**
 * Paths as text, POSIX and Windows alike, so that a line means the same wherever it is read. Links are resolved by
 * whoever has a disk.
 */

export function isAbsolute(path: string): boolean {
  return /^[\\/]/.test(path) || /^[a-z]:[\\/]/i.test(path);
}

/**
 * The path without `.`, `..` and doubled separators; `..` above the root is dropped, at the front of a relative path
 * kept.
 */
export function normalized(path: string): string {
  const windows = /^[a-z]:/i.test(path) || (path.includes('\\') && !path.startsWith('/'));
  const separator = windows ? '\\' : '/';
  const root = /^([a-z]:)?[\\/]*/i.exec(windows ? path : path.replaceAll('\\', '\u0000'))![0];
  const out: string[] = [];
  for (const part of path.slice(root.length).split(windows ? /[\\/]+/ : /\/+/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..' || (root === '' && (out.length === 0 || out.at(-1) === '..'))) out.push(part);
    else out.pop();
  }
  const head = windows ? root.replaceAll('/', '\\') : root === '' ? '' : '/';
  return head + out.join(separator);
}

/** `path` seen from `folder`, which may itself be relative or "". */
export function joinFolder(folder: string, path: string): string {
  if (isAbsolute(path) || path.startsWith('~') || folder === '') return path;
  return `${folder.replace(/(?<![\\/])[\\/]+$/, '')}${folder.includes('\\') ? '\\' : '/'}${path}`;
}

/** Whether `..` is one of the names in it. */
export function hasDots(path: string): boolean {
  return /(^|[\\/])\.\.([\\/]|$)/.test(path);
}

/**
 * What the disk makes of a word with `..` in it: behind a link that is not the folder before it in the text.
 * @returns absolute, `..` and all; undefined where there is none in it, or for somebody else's home.
 */
export function writtenPath(word: string, folder: string, cwd: string, home: string): string | undefined {
  const joined = joinFolder(folder, word);
  const isHome = /^~([\\/]|$)/.test(joined);
  if (!hasDots(joined) || (joined.startsWith('~') && !isHome)) return undefined;
  return isHome ? home + joined.slice(1) : joinFolder(cwd, joined);
}

/**
 * An absolute path for a word of a command.
 * @param cwd absolute. @param home the user's folder, for `~`.
 * @returns undefined for somebody else's home, or a drive's own folder, which nobody here knows.
 */
export function resolveWord(word: string, folder: string, cwd: string, home: string): string | undefined {
  const joined = joinFolder(folder, word);
  // `D:file` lies wherever somebody went last on that drive.
  if (/^[a-z]:/i.test(cwd) && /^[a-z]:(?![\\/])/i.test(word)) return undefined;
  if (/^~([\\/]|$)/.test(joined)) return normalized(home + joined.slice(1));
  if (joined.startsWith('~')) return undefined;
  return normalized(joinFolder(cwd, joined));
}
