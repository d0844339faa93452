import { lstat, readdir, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { EditorFolders } from './protectedPlaces';

type Resolve = (path: string) => Promise<string>;

/** Folders in a home folder in which every editor of this kind has its own folder. */
const settingsFolders = ['.config', 'Library/Application Support', 'AppData/Roaming', '.local/share'] as const;

/** Folders that are recognized by their content. */
export interface InstalledPlaces {
  /** User data, also of other editors of this kind. */
  readonly data: readonly string[];
  /** Folders of extensions, and settings next to them. */
  readonly extensions: readonly string[];
}

/** @param own folders of the editor's data */
export async function installedPlaces(
  { extensions, home }: EditorFolders,
  own: readonly string[],
): Promise<InstalledPlaces> {
  const inHome = (await namesIn(home)).filter((name) => name.startsWith('.')).map((name) => nodePath.join(home, name));
  const inSettings = await Promise.all(
    settingsFolders.map(async (folder) =>
      (await namesIn(nodePath.join(home, folder))).map((name) => nodePath.join(home, folder, name)),
    ),
  );
  const data = await Promise.all(
    [...inSettings.flat(), ...inHome, ...inHome.map((folder) => nodePath.join(folder, 'data'))].map(async (folder) =>
      (await isDataFolder(folder)) ? [folder] : [],
    ),
  );
  const candidates = new Set([
    ...extensions.map((folder) => nodePath.dirname(folder)),
    ...[...inHome, ...own.map((folder) => nodePath.dirname(folder)), ...data.flat()].map((folder) =>
      nodePath.join(folder, 'extensions'),
    ),
  ]);
  const lists = await Promise.all(
    [...candidates].map(async (folder) =>
      (await isThere(nodePath.join(folder, 'extensions.json')))
        ? [folder, nodePath.join(nodePath.dirname(folder), 'argv.json')]
        : [],
    ),
  );
  return { data: [...new Set([...own, ...data.flat()])], extensions: lists.flat() };
}

async function isDataFolder(folder: string): Promise<boolean> {
  return (
    (await isThere(nodePath.join(folder, 'User/globalStorage'))) ||
    (await isThere(nodePath.join(folder, 'Machine/settings.json')))
  );
}

/** Folders with settings in an editor's data. Each may be a link, and contain links. */
const linkedFolders = ['User', 'User/snippets', 'User/prompts', 'User/profiles', 'Machine'] as const;

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * The targets of links that a user has put in place of settings, for example into a repository.
 * @returns also the files there with more than one name, by device and number
 */
export async function linksFrom(
  data: readonly string[],
  resolve: Resolve,
): Promise<{ readonly links: readonly string[]; readonly twins: ReadonlySet<string> }> {
  const twins = new Set<string>();
  const folders = data.flatMap((place) => linkedFolders.map((name) => nodePath.join(place, name)));
  const links = await Promise.all(
    folders.map(async (folder) => [await resolve(folder), ...(await linksIn(folder, twins, resolve))]),
  );
  return { links: links.flat(), twins };
}

/** The targets of links in a folder; in `profiles`, those in each profile. */
async function linksIn(folder: string, twins: Set<string>, resolve: Resolve): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const path = nodePath.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [await resolve(path)];
    if (entry.isDirectory()) return nodePath.basename(folder) === 'profiles' ? linksIn(path, twins, resolve) : [];
    const file = await lstat(path, { bigint: true }).catch(() => undefined);
    if (file && file.nlink > 1n) twins.add(`${file.dev}:${file.ino}`);
    return [];
  });
  return (await Promise.all(found)).flat();
}
