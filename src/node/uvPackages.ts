import * as l10n from '@vscode/l10n';
import { access, constants, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InstallFailure } from './installFailure';
import type { FillRequest, InstalledProgram, PackageManager, RunOptions } from './packageManager';
import { type AgentPackage, packageNameOf, specOf } from '../registry/packageNames';
import type { ManagerProgram } from './runManager';
import { runUv } from './uv';

/**
 * Options of everything that reads an index. uv would run the build script of a package that is published as source alone, so only
 * ready-made packages (wheels) are taken. Whoever names a package in `no-binary-package` of their own uv.toml has agreed to its script.
 */
const wheelsOnly = ['--no-build'];

/** Packages of Python. Each has an environment of its own, which uv must find where it made it: its scripts name their Python by its path. */
export function uvPackages(uv: ManagerProgram): PackageManager {
  return {
    install: (staged, request) => install(staged, uv, request),
    newest: (spec, folder, run) => newest(spec, folder, uv, run),
  };
}

async function install(staged: string, uv: ManagerProgram, { package: item, store, token, tree, onProgress }: FillRequest): Promise<void> {
  const place = await store.placeFor(staged);
  await endProject(staged);
  const bin = path.join(place, 'bin');
  // Versions of uv before UV_TOOL_BIN_DIR ask XDG_BIN_HOME, and would else put programs into the user's own folder.
  const env = { ...uv.env, UV_TOOL_DIR: path.join(place, 'tools'), UV_TOOL_BIN_DIR: bin, XDG_BIN_HOME: bin };
  onProgress({ step: 'resolving' });
  await runUv({ ...uv, env }, ['tool', 'install', specOf(item), ...wheelsOnly, '--link-mode=copy'], {
    cwd: staged,
    token,
    tree,
    onLine: (line) => {
      const total = /^Resolved (\d+) packages? in /.exec(line)?.[1];
      if (total !== undefined) onProgress({ step: 'packages', total: Number(total) });
    },
  });
  await uvProgramOf(place, item);
}

async function newest(spec: string, folder: string, uv: ManagerProgram, { token, tree }: RunOptions): Promise<string> {
  await endProject(folder);
  await writeFile(path.join(folder, 'requirements.in'), `${spec}\n`);
  // "--system": not the Python of an environment in a folder above.
  const options = ['--system', '--no-deps', '--no-header', '--no-annotate', '--resolution=highest', ...wheelsOnly];
  const said = await runUv(uv, ['pip', 'compile', 'requirements.in', ...options], { cwd: folder, token, tree });
  const version = /^[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?==(\d[\w.+-]*)(?=[\s;\\]|$)/m.exec(said)?.[1];
  if (version === undefined) throw new InstallFailure({ kind: 'uv', code: 'missing', output: l10n.t('uv found no version of {0}', spec) });
  return version;
}

/** uv looks for a project in the folders above too. This one it leaves alone, and looks no further. */
async function endProject(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'pyproject.toml'), '[tool.uv]\nmanaged = false\n');
}

/**
 * What an installed package runs: the program of its entry, else the one with its name.
 * @param place from `EnvironmentPlaces`
 * @throws InstallFailure that says which programs there are.
 */
export async function uvProgramOf(place: string, item: Pick<AgentPackage, 'name' | 'program'>): Promise<InstalledProgram> {
  const binFolder = binFolderOf(place, item);
  const wanted = item.program ?? distributionOf(item);
  // uv lists here what the package itself brings; a program of a package that it needs can be named too.
  const own = (await readdir(path.join(place, 'bin')).catch(() => [])).map(withoutEnding);
  const spelledOtherwise = item.program === undefined ? own.filter((name) => plainName(name) === plainName(wanted)) : [];
  for (const candidate of [wanted, ...spelledOtherwise]) {
    const file = path.join(binFolder, candidate + programEnding);
    if (await access(file, constants.X_OK).then(() => true, () => false)) return { isScript: false, file, nodeArgs: [], binFolder, engines: undefined };
  }
  const output = own.length === 0 ? l10n.t('It has no program named “{0}”.', wanted) : l10n.t('It has no program named “{0}”. Its programs are: {1}.', wanted, own.toSorted().join(', '));
  throw new InstallFailure({ kind: 'noProgram', output });
}

/** The Python that an environment's programs are run by. It is a link to one that the user may have removed since. */
export function pythonOf(place: string, item: Pick<AgentPackage, 'name'>): string {
  return path.join(binFolderOf(place, item), `python${programEnding}`);
}

const programEnding = process.platform === 'win32' ? '.exe' : '';

function withoutEnding(file: string): string {
  return programEnding !== '' && file.toLowerCase().endsWith(programEnding) ? file.slice(0, -programEnding.length) : file;
}

function binFolderOf(place: string, item: Pick<AgentPackage, 'name'>): string {
  return path.join(place, 'tools', plainName(distributionOf(item)), process.platform === 'win32' ? 'Scripts' : 'bin');
}

/** The name of a package without its extras. */
function distributionOf({ name }: Pick<AgentPackage, 'name'>): string {
  return packageNameOf('uv', name).split('[', 1)[0]!;
}

/** Python's rule for what is the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
