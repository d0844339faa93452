import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/**
 * Finds the file that a command name means, as the system would: a path as it is (relative ones from `cwd`), a bare name
 * through PATH, on Windows with the endings of PATHEXT.
 * @returns the absolute path of an executable file, or undefined.
 */
export function findExecutable(command: string, cwd: string, env: Readonly<Record<string, string>>, platform: NodeJS.Platform = process.platform): string | undefined {
  if (command === '') return undefined;
  const path = platform === 'win32' ? win32 : posix;
  const variable = (name: string) => Object.entries(env).find(([key]) => (platform === 'win32' ? key.toUpperCase() === name : key === name))?.[1] ?? '';
  const hasFolder = platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
  const folders = hasFolder ? [''] : variable('PATH').split(path.delimiter);
  const endings = platform === 'win32' ? ['', ...(variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      if (platform === 'win32' && ending === '' && path.extname(command) === '') continue;
      const file = path.resolve(cwd, folder, command + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
