/** True if a path is the folder itself or inside it. Paths may have either kind of slash. */
export function isUnder(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (path[folder.length] === '/' || path[folder.length] === '\\'));
}

/** The path after a file or folder was renamed; unchanged if it is not affected. */
export function movedPath(path: string, from: string, to: string): string {
  return isUnder(path, from) ? to + path.slice(from.length) : path;
}
