import * as l10n from '@vscode/l10n';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InstallFailure } from './installFailure';
import type { FillRequest, PackageManager, RunOptions } from './packageManager';
import { specOf } from '../registry/packageNames';
import type { ManagerProgram } from './runManager';
import { runUv } from './uv';
import { uvProgramOf } from './uvProgram';

/**
 * Options for everything that reads an index. uv would run the build script of a package that is published only as
 * source, so only wheels are accepted. A user who lists a package in `no-binary-package` of their own uv.toml has
 * agreed to its script.
 */
const wheelsOnly = ['--no-build'];

/**
 * Packages of Python. Each has its own environment, which must stay at its path: its scripts contain the path of their
 * Python.
 */
export function uvPackages(uv: ManagerProgram): PackageManager {
  return {
    install: (staged, request) => install(staged, uv, request),
    newest: (spec, folder, run) => newest(spec, folder, uv, run),
  };
}

async function install(
  staged: string,
  uv: ManagerProgram,
  { package: item, store, token, tree, onProgress }: FillRequest,
): Promise<void> {
  const place = await store.placeFor(staged);
  await endProject(staged);
  const bin = path.join(place, 'bin');
  // Versions of uv before UV_TOOL_BIN_DIR use XDG_BIN_HOME, and would else put programs into the user's own folder.
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
  if (version === undefined)
    throw new InstallFailure({ kind: 'uv', code: 'missing', output: l10n.t('uv found no version of {0}', spec) });
  return version;
}

/** uv searches the folders above for a project, too. This one makes it stop here. */
async function endProject(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'pyproject.toml'), '[tool.uv]\nmanaged = false\n');
}
