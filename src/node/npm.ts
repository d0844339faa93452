import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { findProgram, type LookupEnvironment } from './findProgram';
import { InstallFailure } from './installFailure';
import type { NodeRuntime } from './nodeRuntime';
import { type ManagerProgram, type ManagerRun, runManager } from './runManager';
import { isWithin } from './isWithin';
import { realPathOf } from './trustedFolders';

/**
 * Options for every run of npm, so that no configuration changes an installation's result. Registry, proxy and keys
 * stay the user's.
 */
const always = [
  '--global=false',
  '--workspaces=false',
  '--dry-run=false',
  '--package-lock=true',
  '--offline=false',
  '--audit=false',
  '--fund=false',
  '--update-notifier=false',
  '--progress=false',
  '--color=false',
  '--loglevel=http',
  // By default, npm waits for more than a minute before it reports that there is no network.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/**
 * Finds how to start npm: by Node with its script, or by a shim on PATH that is not a script of Node.
 * @param avoid real paths of folders whose programs are not used
 * @returns undefined if PATH has no npm.
 */
export async function findNpm(
  node: NodeRuntime,
  folder: string,
  env: LookupEnvironment,
  avoid: readonly string[],
): Promise<ManagerProgram | undefined> {
  const found = await findProgram('npm', folder, env, { avoid });
  if (found === undefined) return undefined;
  const real = await realPathOf(found);
  // On Windows, `npm.cmd` is next to the folder with npm itself.
  const beside = path.join(path.dirname(real), 'node_modules/npm/bin/npm-cli.js');
  const script = /\.[cm]?js$/.test(real)
    ? real
    : process.platform === 'win32'
      ? await findProgram(beside, folder, env)
      : undefined;
  const isTrusted = script !== undefined && !avoid.some((item) => isWithin(script, item));
  return {
    ...(isTrusted ? { command: node.file, args: [script] } : { command: found, args: [] }),
    env: npmEnvironment(env),
  };
}

/**
 * The environment for npm without another npm's variables: its package, its lifecycle and its project's configuration.
 * The user's own settings for npm stay, such as NPM_CONFIG_REGISTRY.
 */
export function npmEnvironment(env: LookupEnvironment): Record<string, string | undefined> {
  const insideNpm = 'npm_lifecycle_event' in env || 'npm_command' in env;
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => {
      if (name === 'INIT_CWD') return false;
      if (!/^npm_/i.test(name)) return true;
      const key = /^npm_config_(.*)$/i.exec(name)?.[1]?.toLowerCase().replaceAll('-', '_');
      if (key === undefined || /^(local_prefix|prefix|global_prefix|globalprefix|workspaces?)$/.test(key)) return false;
      // An npm that runs a script exports its whole configuration, including the project's, in lower case.
      return !insideNpm || !name.startsWith('npm_') || /^(userconfig|globalconfig|cache)$/.test(key);
    }),
  );
}

/**
 * Runs npm to its end; cancelling ends it and all processes that it started.
 * @returns its stdout.
 * @throws InstallFailure with npm's code, or `cancelled`.
 */
export async function runNpm(npm: ManagerProgram, args: readonly string[], run: ManagerRun): Promise<string> {
  const said = { code: '', unwritten: '' };
  const onLine = (line: string) => {
    said.code = /^npm (?:error|ERR!) code (\S+)/.exec(line)?.[1] ?? said.code;
    // npm only warns of a file that it could not write, and may continue with half of it.
    said.unwritten ||= /\bTAR_ENTRY_ERROR (E[A-Z]+)/.exec(line)?.[1] ?? '';
    run.onLine?.(line);
  };
  const { exit, stdout, stderr } = await runManager(
    npm,
    [...args, ...always, `--logs-dir=${path.join(run.cwd, '.npm-logs')}`],
    { ...run, onLine },
  );
  if (exit !== 0 || said.unwritten)
    throw new InstallFailure({
      kind: 'npm',
      code: said.unwritten || said.code,
      output: lastWords(stderr) || l10n.t('npm ended with {0}', String(exit)),
    });
  return stdout;
}

/** npm's message about its failure, without its record of requests, and without warnings if there are errors. */
function lastWords(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => !/^npm (timing|http|verbose|silly|info) |A complete log of this run/.test(line));
  const errors = lines.filter((line) => !/^npm (warn|WARN) /.test(line));
  return (errors.some((line) => line.trim() !== '') ? errors : lines).slice(-20).join('\n').trim();
}
