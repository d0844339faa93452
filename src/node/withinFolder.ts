import path from 'node:path';

/** Whether a path is a folder or lies in it. Both absolute and resolved. */
export function isWithinFolder(file: string, folder: string): boolean {
  const rest = path.relative(folder, file);
  return rest === '' || (!path.isAbsolute(rest) && rest.split(path.sep)[0] !== '..');
}
