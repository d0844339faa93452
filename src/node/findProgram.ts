import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The absolute path of a program, as a shell would find it: a name is looked for on PATH, a path is resolved against
 * `folder`. Folders of PATH that are relative are passed over, since what they mean depends on where one stands.
 * @param folder absolute
 * @returns undefined where there is none that can be run.
 */
export async function findProgram(command: string, folder: string, env: { readonly PATH?: string | undefined; readonly PATHEXT?: string | undefined }, platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const folders = isPath ? [folder] : (env.PATH ?? '').split(path.delimiter).filter((item) => path.isAbsolute(item));
  const endings = platform === 'win32' ? ['', ...(env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  for (const base of folders) {
    for (const ending of endings) {
      const file = path.resolve(base, `${command}${ending}`);
      // A name without an ending is no program on Windows, whatever lies there under it.
      if ((platform !== 'win32' || path.extname(file) !== '') && (await isProgram(file))) return file;
    }
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
