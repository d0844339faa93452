import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { findProgram, type LookupEnvironment } from './findProgram';
import { InstallFailure, type UvTrouble } from './installFailure';
import { type ManagerProgram, type ManagerRun, runManager } from './runManager';
import { isWithin } from './isWithin';
import { realPathOf } from './trustedFolders';

/** Messages of uv by their cause; the first match counts, since a later one may only be its consequence. */
const troubles: readonly (readonly [UvTrouble, RegExp])[] = [
  ['ENOSPC', /\(os error (?:28|122|112)\)|No space left on device|Disk quota exceeded/],
  ['EACCES', /\(os error (?:13|30)\)|Permission denied|Read-only file system|Access is denied/],
  ['refused', /\b(?:401 Unauthorized|403 Forbidden|407 Proxy Authentication Required)\b/],
  ['certificate', /invalid peer certificate|UnknownIssuer|certificate verify failed/],
  [
    'network',
    /error sending request|dns error|Connection (?:refused|reset)|operation timed out|Could not connect|network was disabled|Network connectivity is disabled/,
  ],
  ['integrity', /Hash mismatch for/],
  ['source', /building from source is disabled|Building source distributions (?:for .* )?is disabled/],
  ['noPython', /No interpreter found|No Python interpreter|No download found for request/],
  ['missing', /was not found in the package registry|there (?:is|are) no versions? of|404 Not Found/],
  ['oldUv', /unexpected argument|unrecognized subcommand/],
];

/** Options for each run of uv. Its index, proxy, keys and choice of Python are the user's. */
const always = ['--no-progress', '--color=never'];

/** Variables by which a shell inside a project hands that project to uv. */
const projectVariables =
  /^(?:VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV|_CONDA_ROOT|UV_PROJECT|UV_PROJECT_ENVIRONMENT|UV_WORKING_DIR|UV_WORKING_DIRECTORY|UV_ENV_FILE|UV_TOOL_DIR|UV_TOOL_BIN_DIR|UV_INTERNAL__\w*)$/i;

/**
 * @param folder ours
 * @param avoid real paths of folders whose programs are not used
 * @returns undefined if PATH has no uv.
 */
export async function findUv(
  folder: string,
  env: LookupEnvironment,
  avoid: readonly string[],
): Promise<ManagerProgram | undefined> {
  const command = await findProgram('uv', folder, env, { avoid });
  return command === undefined ? undefined : { command, args: [], env: await uvEnvironment(env, avoid) };
}

/**
 * Parley's own uv. Its Python and its cache are in Parley's folder, so that all of it can be removed.
 * @param file of uv @param folder ours
 */
export async function ownUv(
  file: string,
  folder: string,
  env: LookupEnvironment,
  avoid: readonly string[],
): Promise<ManagerProgram> {
  const own = {
    UV_PYTHON_INSTALL_DIR: path.join(folder, 'python'),
    UV_PYTHON_INSTALL_BIN: '0',
    UV_PYTHON_INSTALL_REGISTRY: '0',
    UV_CACHE_DIR: path.join(folder, 'cache'),
  };
  return { command: file, args: [], env: { ...own, ...(await uvEnvironment(env, avoid)) } };
}

/**
 * The environment for uv without the project in which the editor may have been started: else uv would run the Python of
 * an active virtual environment, and read settings and packages from its folders. The user's own settings for uv stay,
 * such as UV_INDEX.
 * @param avoid real paths of folders that no variable of uv or Python may point into
 */
export async function uvEnvironment(
  env: LookupEnvironment,
  avoid: readonly string[],
): Promise<Record<string, string | undefined>> {
  const kept = await Promise.all(
    Object.entries(env)
      .filter(([name]) => !projectVariables.test(name))
      .map(async (entry) => {
        const [name, value] = entry;
        if (value === undefined || !/^(?:UV|PYTHON)/i.test(name)) return [entry];
        const real = await realPathOf(value);
        // A variable may also be a list or an address with a folder in it.
        return avoid.some((folder) => isWithin(real, folder) || value.includes(folder)) ? [] : [entry];
      }),
  );
  return Object.fromEntries(kept.flat());
}

/**
 * Runs uv to its end; cancelling ends it and all processes that it started.
 * @returns its stdout.
 * @throws InstallFailure with uv's trouble, or `cancelled`.
 */
export async function runUv(uv: ManagerProgram, args: readonly string[], run: ManagerRun): Promise<string> {
  const { exit, stdout, stderr } = await runManager(uv, [...args, ...always], run);
  if (exit === 0) return stdout;
  const said = `${stdout}\n${stderr}`;
  if (/No executables are provided by|Failed to install entrypoints for/.test(said))
    throw new InstallFailure({
      kind: 'noProgram',
      output: l10n.t('The package has no command that starts the agent.'),
    });
  throw new InstallFailure({
    kind: 'uv',
    code: troubleIn(said),
    output: lastWords(stderr) || l10n.t('uv ended with {0}', String(exit)),
  });
}

/** uv draws its errors as a tree and may wrap them, so the search uses plain text. */
function troubleIn(said: string): UvTrouble {
  const text = said.replaceAll(/[\s│├╰─▶×]+/g, ' ');
  return troubles.find(([, words]) => words.test(text))?.[0] ?? '';
}

/** uv's message about its failure, without the record of its earlier steps. */
function lastWords(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .filter(
      (line) => !/^(?:Using|Resolved|Prepared|Installed|Audited|Downloading|warning:) | (?:\+|Downloaded) /.test(line),
    );
  return lines.slice(-20).join('\n').trim();
}
