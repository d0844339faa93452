/** Whether a path is a folder or in it. With either kind of slash: paths are what the system calls them. */
export function isUnder(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (path[folder.length] === '/' || path[folder.length] === '\\'));
}

/** What a path is after a file or folder got another name: the same where it is not about it. */
export function movedPath(path: string, from: string, to: string): string {
  return isUnder(path, from) ? to + path.slice(from.length) : path;
}
