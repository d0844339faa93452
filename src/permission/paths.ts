/**
 * Paths as text, POSIX and Windows alike, so that a line means the same on every system. Links are not resolved here.
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

/** `path` relative to `folder`, which may itself be relative or "". */
export function joinFolder(folder: string, path: string): string {
  if (isAbsolute(path) || path.startsWith('~') || folder === '') return path;
  return `${folder.replace(/(?<![\\/])[\\/]+$/, '')}${folder.includes('\\') ? '\\' : '/'}${path}`;
}

/** True if a path contains `..`. */
export function hasDots(path: string): boolean {
  return /(^|[\\/])\.\.([\\/]|$)/.test(path);
}

/**
 * The path of a word with `..`, for the disk to resolve: behind a link, `..` is not the folder before it in the text.
 * @returns absolute, with the `..`; undefined if there is none in it, or for another user's home.
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
 * @returns undefined for another user's home, or for a drive's current folder, which Parley cannot know.
 */
export function resolveWord(word: string, folder: string, cwd: string, home: string): string | undefined {
  const joined = joinFolder(folder, word);
  // `D:file` is relative to the current folder of that drive.
  if (/^[a-z]:/i.test(cwd) && /^[a-z]:(?![\\/])/i.test(word)) return undefined;
  if (/^~([\\/]|$)/.test(joined)) return normalized(home + joined.slice(1));
  if (joined.startsWith('~')) return undefined;
  return normalized(joinFolder(cwd, joined));
}
