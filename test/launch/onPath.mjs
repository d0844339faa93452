import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Looks a program up as a shell would. @param {string} name */
export function onPath(name) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = endings.map((ending) => join(folder, name + ending)).find((path) => folder && existsSync(path));
    if (found) {
      return found;
    }
  }
  return undefined;
}
