import * as l10n from '@vscode/l10n';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InstallFailure } from './installFailure';
import { missingNode, type NodeRuntime } from './nodeRuntime';
import { runNpm } from './npm';
import { npmProgramOf } from './npmProgram';
import type { FillRequest, PackageManager, RunOptions } from './packageManager';
import type { AgentPackage } from '../registry/packageNames';
import type { ManagerProgram } from './runManager';
import { systemLibc } from './systemLibc';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: unknown };
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly inBundle?: boolean;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Packages from npm. Install scripts of other packages than the agent's own never run. */
export function npmPackages(node: NodeRuntime, npm: ManagerProgram): PackageManager {
  return {
    install: (staged, request) => install(staged, node, npm, request),
    newest: (spec, folder, run) => newest(spec, folder, npm, run),
  };
}

/** `engines.node` of a package in the lockfile that Parley ships; undefined if it ships none. */
export async function lockedEngines({ name, lock }: AgentPackage): Promise<unknown> {
  if (lock === undefined) return undefined;
  return (JSON.parse(await readFile(lock, 'utf8')) as Lockfile).packages[`node_modules/${name}`]?.engines?.node;
}

async function install(
  staged: string,
  node: NodeRuntime,
  npm: ManagerProgram,
  { package: item, token, tree, onProgress, mayRunScript }: FillRequest,
): Promise<void> {
  const lockFile = path.join(staged, 'package-lock.json');
  const run = (args: readonly string[], onLine?: (line: string) => void) =>
    runNpm(npm, args, { cwd: staged, token, tree, ...(onLine ? { onLine } : {}) });
  await writeFile(path.join(staged, 'package.json'), JSON.stringify(manifestFor(item), null, 2));
  if (item.lock === undefined) {
    onProgress({ step: 'resolving' });
    await run(['install', '--package-lock-only', '--ignore-scripts', '--omit=dev']);
  } else {
    await writeFile(lockFile, await readFile(item.lock));
  }
  const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as Lockfile;
  const own = packages[`node_modules/${item.name}`];
  const wanted = missingNode(node.version, own?.engines?.node);
  if (wanted !== undefined)
    throw new InstallFailure({ kind: 'oldNode', file: node.file, version: node.version, wanted });
  const runsScript = own?.hasInstallScript === true;
  if (runsScript && !(await mayRunScript())) throw new InstallFailure({ kind: 'cancelled' });

  const total = packagesOf(packages).size;
  const done = new Set<string>();
  onProgress({ step: 'packages', done: 0, total });
  // Parley's lockfile must match exactly. One that npm just made may lack packages for other systems, which `ci` would
  // refuse.
  await run([item.lock === undefined ? 'install' : 'ci', '--ignore-scripts', '--omit=dev', '--timing'], (line) => {
    const place = /^npm timing reifyNode:(\S+) Completed/.exec(line)?.[1]?.replaceAll('\\', '/');
    if (place === undefined || !(place in packages) || done.has(place)) return;
    done.add(place);
    onProgress({ step: 'packages', done: Math.min(done.size, total), total });
  });
  if (runsScript) {
    onProgress({ step: 'script' });
    // Newer npm has a list of packages whose scripts may run.
    await writeFile(
      path.join(staged, 'package.json'),
      JSON.stringify({ ...manifestFor(item), allowScripts: { [item.name]: true } }, null, 2),
    );
    await run(['rebuild', item.name, '--ignore-scripts=false', '--foreground-scripts']);
  }
  await npmProgramOf(staged, item);
  await rm(path.join(staged, '.npm-logs'), { recursive: true, force: true });
}

async function newest(spec: string, folder: string, npm: ManagerProgram, run: RunOptions): Promise<string> {
  const said: unknown = JSON.parse(
    (await runNpm(npm, ['view', spec, 'version', '--json'], { cwd: folder, ...run })) || 'null',
  );
  const version: unknown = Array.isArray(said) ? said.at(-1) : said;
  if (typeof version !== 'string')
    throw new InstallFailure({ kind: 'npm', code: 'ENOVERSIONS', output: l10n.t('npm found no version of {0}', spec) });
  return version;
}

/** The project that an agent is installed in; Parley's lockfiles are made for exactly this one. */
export function manifestFor({ name, version }: Pick<AgentPackage, 'name' | 'version'>): object {
  return { name: 'parley-agent', private: true, dependencies: { [name]: version } };
}

/** The packages that npm unpacks on this system: those that are reachable without one for another system. */
function packagesOf(packages: Readonly<Record<string, LockedPackage>>): Set<string> {
  const found = new Set<string>();
  const open = [''];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const at = placeOf(name, place, packages);
      if (at === undefined || found.has(at) || !isForThisSystem(packages[at]!)) continue;
      found.add(at);
      open.push(at);
    }
  }
  return found;
}

/** The path of a package's dependency: in its own `node_modules`, else in one further out. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const place = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (base === '') return undefined;
  }
}

/** npm's rule for `os`, `cpu` and `libc`: a list names supported values, or with "!" unsupported ones. */
export function isForThisSystem({ os, cpu, libc, inBundle }: LockedPackage): boolean {
  const fits = (list: readonly string[] | undefined, own: string) =>
    list === undefined ||
    (list.some((item) => item === own || (item.startsWith('!') && item !== `!${own}`)) && !list.includes(`!${own}`));
  return (
    inBundle !== true &&
    fits(os, process.platform) &&
    fits(cpu, process.arch) &&
    (libc === undefined || fits(libc, systemLibc() ?? 'glibc'))
  );
}
