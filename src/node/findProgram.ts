import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from './isWithin';
import { realPathOf, trustedFolders } from './trustedFolders';

/** The variables that determine how a program's name is found. On Windows their case does not matter. */
export type LookupEnvironment = Readonly<Record<string, string | undefined>>;

export interface LookupOptions {
  /** Real paths of folders whose programs must not be found by name, such as the workspace's. */
  readonly avoid?: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/**
 * The absolute path of a program that Parley starts itself. A path is resolved against `folder` and taken literally. A
 * name is looked up on PATH only: neither in relative folders, nor in those to avoid, even through links.
 * @param folder absolute
 * @returns undefined if no such program can be run.
 */
export async function findProgram(
  command: string,
  folder: string,
  env: LookupEnvironment,
  { avoid = [], platform = process.platform }: LookupOptions = {},
): Promise<string | undefined> {
  if (hasFolder(command, platform))
    return candidates(command, [folder], env, platform).find((file) => isExecutable(file, platform));
  for (const file of candidates(
    command,
    await trustedFolders(variableOf(env, 'PATH', platform), avoid, platform),
    env,
    platform,
  )) {
    if (!isExecutable(file, platform)) continue;
    const real = await realPathOf(file);
    if (!avoid.some((item) => isWithin(real, item))) return file;
  }
  return undefined;
}

/**
 * The absolute path of a program as the system itself would find it, for an agent's terminal command. Relative or empty
 * folders of PATH are relative to `cwd`, as in a shell.
 * @returns undefined if no such program can be run.
 */
export function findExecutable(
  command: string,
  cwd: string,
  env: LookupEnvironment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const folders = hasFolder(command, platform)
    ? ['']
    : (variableOf(env, 'PATH', platform) ?? '').split(delimiterOf(platform));
  return candidates(
    command,
    folders.map((folder) => path.resolve(cwd, folder)),
    env,
    platform,
  ).find((file) => isExecutable(file, platform));
}

/** The separator of lists of folders, such as PATH. */
export function delimiterOf(platform: NodeJS.Platform): string {
  return platform === 'win32' ? ';' : ':';
}

/** A variable of the environment. Windows ignores its case. */
export function variableOf(
  env: LookupEnvironment,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return (
    env[name] ??
    (platform === 'win32' ? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] : undefined)
  );
}

function hasFolder(command: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
}

/** Every file that a command may name, in the system's order. */
function candidates(
  command: string,
  folders: readonly string[],
  env: LookupEnvironment,
  platform: NodeJS.Platform,
): string[] {
  if (command === '') return [];
  const endings =
    platform === 'win32' ? ['', ...(variableOf(env, 'PATHEXT', platform) || '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  return folders.flatMap((folder) =>
    endings
      // On Windows, a file without an extension is not a program.
      .filter((ending) => platform !== 'win32' || ending !== '' || path.extname(command) !== '')
      .map((ending) => path.resolve(folder, command + ending)),
  );
}

/** @param look follows links. */
export function isExecutable(
  file: string,
  platform: NodeJS.Platform,
  look: (file: string) => Pick<Stats, 'isFile'> = statSync,
): boolean {
  try {
    accessSync(file, constants.X_OK);
    return look(file).isFile();
  } catch (error) {
    // Programs from the Microsoft Store are links that only the system itself can follow.
    return platform === 'win32' && (error as NodeJS.ErrnoException).code === 'EACCES' && isLink(file);
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
