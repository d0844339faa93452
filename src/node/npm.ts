import path from 'node:path';
import spawn from 'cross-spawn';
import type { CancellationToken } from '../base/cancellation';
import { findProgram, type LookupEnvironment } from './findProgram';
import { InstallFailure } from './installFailure';
import type { NodeRuntime } from './nodeRuntime';
import { killProcessTree } from './processTree';
import { TextTail } from './textTail';
import { TREE_VARIABLE } from './treeMark';
import { isWithinFolder, realPathOf } from './trustedFolders';
import type { Watchdog } from './watchdog';

/** How npm is started: by Node with its script, or, where PATH has a shim that is no script of Node, by that. */
export interface NpmProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Made by `npmEnvironment`. */
  readonly env: LookupEnvironment;
}

/** What ends npm and all that it starts. */
export interface NpmTree {
  /** From `treeMark()`; another one for each run. */
  readonly mark: () => string;
  readonly watchdog?: Watchdog | undefined;
}

export interface NpmRun {
  /** A folder of ours with no `.npmrc`. */
  readonly cwd: string;
  readonly token: CancellationToken;
  readonly tree: NpmTree;
  /** Each line that npm writes to stderr, where its log goes. */
  readonly onLine?: (line: string) => void;
}

/** Said to npm each time, so that nothing in its configuration changes what an installation is. Its registry, proxy and keys are the user's. */
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
  // By itself npm waits for more than a minute before it says that there is no network.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/** @param avoid real paths of folders whose programs are not used @returns undefined where PATH has no npm. */
export async function findNpm(node: NodeRuntime, folder: string, env: LookupEnvironment, avoid: readonly string[]): Promise<NpmProgram | undefined> {
  const found = await findProgram('npm', folder, env, { avoid });
  if (found === undefined) return undefined;
  const real = await realPathOf(found);
  // On Windows `npm.cmd` is beside the folder with npm itself.
  const beside = path.join(path.dirname(real), 'node_modules/npm/bin/npm-cli.js');
  const script = /\.[cm]?js$/.test(real) ? real : process.platform === 'win32' ? await findProgram(beside, folder, env) : undefined;
  const isTrusted = script !== undefined && !avoid.some((item) => isWithinFolder(script, item));
  return { ...(isTrusted ? { command: node.file, args: [script] } : { command: found, args: [] }), env: npmEnvironment(env) };
}

/**
 * The environment for npm without what another npm left in it: its package, its lifecycle and its project's configuration. What
 * users set for npm themselves stays, such as NPM_CONFIG_REGISTRY.
 */
export function npmEnvironment(env: LookupEnvironment): Record<string, string | undefined> {
  const insideNpm = 'npm_lifecycle_event' in env || 'npm_command' in env;
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => {
      if (name === 'INIT_CWD') return false;
      if (!/^npm_/i.test(name)) return true;
      const key = /^npm_config_(.*)$/i.exec(name)?.[1]?.toLowerCase().replaceAll('-', '_');
      if (key === undefined || /^(local_prefix|prefix|global_prefix|globalprefix|workspaces?)$/.test(key)) return false;
      // An npm that runs a script exports its whole configuration, that of the project included, in lower case.
      return !insideNpm || !name.startsWith('npm_') || /^(userconfig|globalconfig|cache)$/.test(key);
    }),
  );
}

/**
 * Runs npm to its end; cancelling ends it with all that it started.
 * @returns what it wrote to stdout.
 * @throws InstallFailure with the code that npm named, or `cancelled`.
 */
export async function runNpm(npm: NpmProgram, args: readonly string[], { cwd, token, tree, onLine }: NpmRun): Promise<string> {
  if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
  const mark = tree.mark();
  const child = spawn(npm.command, [...npm.args, ...args, ...always, `--logs-dir=${path.join(cwd, '.npm-logs')}`], {
    cwd,
    env: { ...npm.env, [TREE_VARIABLE]: mark } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const watched = child.pid === undefined ? undefined : tree.watchdog?.watch(child.pid);
  const said = { out: '', tail: new TextTail(8 * 1024), code: '', unwritten: '', rest: '' };
  const take = (line: string) => {
    said.code = /^npm (?:error|ERR!) code (\S+)/.exec(line)?.[1] ?? said.code;
    // npm only warns of a file that it could not write, and may go on with half of it.
    said.unwritten ||= /\bTAR_ENTRY_ERROR (E[A-Z]+)/.exec(line)?.[1] ?? '';
    onLine?.(line);
  };
  child.stdout?.on('data', (chunk: Buffer) => (said.out += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => {
    const lines = (said.rest + said.tail.write(chunk)).split(/\r?\n/);
    said.rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  let killed: Promise<void> | undefined;
  const listener = token.onCancellationRequested(() => (killed = killProcessTree(child.pid ?? 0, { graceMs: 500, mark })));
  try {
    const exit = await new Promise<number | string | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal));
    });
    take(said.rest);
    await killed;
    if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
    if (exit !== 0 || said.unwritten) throw new InstallFailure({ kind: 'npm', code: said.unwritten || said.code, output: lastWords(said.tail.text) || `npm ended with ${exit}` });
    return said.out;
  } finally {
    listener.dispose();
    watched?.dispose();
  }
}

/** What npm says of its failure, without its record of requests, and without warnings where there are errors. */
function lastWords(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => !/^npm (timing|http|verbose|silly|info) |A complete log of this run/.test(line));
  const errors = lines.filter((line) => !/^npm (warn|WARN) /.test(line));
  return (errors.some((line) => line.trim() !== '') ? errors : lines).slice(-20).join('\n').trim();
}
