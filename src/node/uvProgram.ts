import * as l10n from '@vscode/l10n';
import { access, constants, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type AgentPackage, packageNameOf } from '../registry/packageNames';
import { InstallFailure } from './installFailure';
import type { InstalledProgram } from './packageManager';

/**
 * The program of an installed package: the one in its entry, else the one with its name.
 * @param place from `EnvironmentPlaces`
 * @throws InstallFailure with the list of programs.
 */
export async function uvProgramOf(
  place: string,
  item: Pick<AgentPackage, 'name' | 'program'>,
): Promise<InstalledProgram> {
  const binFolder = binFolderOf(place, item);
  const wanted = item.program ?? distributionOf(item);
  // uv lists the package's own programs here; a program of one of its dependencies can be named, too.
  const own = (await readdir(path.join(place, 'bin')).catch(() => [])).map(withoutEnding);
  const spelledOtherwise =
    item.program === undefined ? own.filter((name) => plainName(name) === plainName(wanted)) : [];
  for (const candidate of [wanted, ...spelledOtherwise]) {
    const file = path.join(binFolder, candidate + programEnding);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return { isScript: false, file, nodeArgs: [], binFolder, engines: undefined };
  }
  const output =
    own.length === 0
      ? l10n.t('It has no program named “{0}”.', wanted)
      : l10n.t('It has no program named “{0}”. Its programs are: {1}.', wanted, own.toSorted().join(', '));
  throw new InstallFailure({ kind: 'noProgram', output });
}

/** The Python of an environment. It is a link to one that the user may have removed since. */
export function pythonOf(place: string, item: Pick<AgentPackage, 'name'>): string {
  return path.join(binFolderOf(place, item), `python${programEnding}`);
}

const programEnding = process.platform === 'win32' ? '.exe' : '';

function withoutEnding(file: string): string {
  return programEnding !== '' && file.toLowerCase().endsWith(programEnding)
    ? file.slice(0, -programEnding.length)
    : file;
}

function binFolderOf(place: string, item: Pick<AgentPackage, 'name'>): string {
  return path.join(place, 'tools', plainName(distributionOf(item)), process.platform === 'win32' ? 'Scripts' : 'bin');
}

/** The name of a package without its extras. */
function distributionOf({ name }: Pick<AgentPackage, 'name'>): string {
  return packageNameOf('uv', name).split('[', 1)[0]!;
}

/** Python's rule for equal names. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
