import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CancellationToken } from '../base/cancellation';
import { type AgentPackage, type AgentStore, programOf } from './agentStore';
import { InstallFailure } from './installFailure';
import { missingNode, type NodeRuntime } from './nodeRuntime';
import { type NpmProgram, type NpmTree, runNpm } from './npm';

/** How far an installation is. `packages`: npm has unpacked `done` of the `total` that the lockfile has for this system. */
export type InstallProgress = { readonly step: 'resolving' } | { readonly step: 'packages'; readonly done: number; readonly total: number } | { readonly step: 'script' };

export interface InstallRequest {
  readonly package: AgentPackage;
  readonly store: AgentStore;
  readonly node: NodeRuntime;
  readonly npm: NpmProgram;
  readonly token: CancellationToken;
  readonly tree: NpmTree;
  readonly onProgress: (progress: InstallProgress) => void;
  /** Whether the package's own install script may run; false cancels the installation. Asked only where it has one. */
  readonly mayRunScript: () => Promise<boolean>;
}

interface LockedPackage {
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

/**
 * Installs a package with npm in a staging folder of the store and puts it in its place by one rename. Install scripts of other
 * packages than the agent's own never run. Does nothing where the version is there.
 * @throws InstallFailure; nothing is left behind then.
 */
export async function installPackage(request: InstallRequest): Promise<void> {
  const { package: item, store } = request;
  await store.sweep();
  if (await store.isInstalled(item)) return;
  let staged: string | undefined;
  try {
    staged = await store.stage(item);
    await installIn(staged, request);
    await rm(path.join(staged, '.npm-logs'), { recursive: true, force: true });
    if (request.token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
    await store.finish(staged, item);
  } catch (error) {
    throw InstallFailure.of(error);
  } finally {
    if (staged !== undefined) await rm(staged, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

async function installIn(staged: string, { package: item, node, npm, token, tree, onProgress, mayRunScript }: InstallRequest): Promise<void> {
  const lockFile = path.join(staged, 'package-lock.json');
  const run = (args: readonly string[], onLine?: (line: string) => void) => runNpm(npm, args, { cwd: staged, token, tree, ...(onLine ? { onLine } : {}) });
  await writeFile(path.join(staged, 'package.json'), JSON.stringify(manifestFor(item), null, 2));
  if (item.lock === undefined) {
    onProgress({ step: 'resolving' });
    await run(['install', '--package-lock-only', '--ignore-scripts', '--omit=dev']);
  } else {
    await writeFile(lockFile, await readFile(item.lock));
  }
  const packages = (JSON.parse(await readFile(lockFile, 'utf8')) as { packages: Readonly<Record<string, LockedPackage>> }).packages;
  const own = packages[`node_modules/${item.name}`];
  const wanted = missingNode(node.version, own?.engines?.node);
  if (wanted !== undefined) throw new InstallFailure({ kind: 'oldNode', file: node.file, version: node.version, wanted });
  const runsScript = own?.hasInstallScript === true;
  if (runsScript && !(await mayRunScript())) throw new InstallFailure({ kind: 'cancelled' });

  const total = packagesOf(packages).size;
  const done = new Set<string>();
  onProgress({ step: 'packages', done: 0, total });
  // A lockfile of ours must fit exactly. One that npm just made may lack packages for other systems, which `ci` would refuse.
  await run([item.lock === undefined ? 'install' : 'ci', '--ignore-scripts', '--omit=dev', '--timing'], (line) => {
    const place = /^npm timing reifyNode:(\S+) Completed/.exec(line)?.[1]?.replaceAll('\\', '/');
    if (place === undefined || !(place in packages) || done.has(place)) return;
    done.add(place);
    onProgress({ step: 'packages', done: Math.min(done.size, total), total });
  });
  if (runsScript) {
    onProgress({ step: 'script' });
    // Newer npm keeps a list of packages whose scripts may run.
    await writeFile(path.join(staged, 'package.json'), JSON.stringify({ ...manifestFor(item), allowScripts: { [item.name]: true } }, null, 2));
    await run(['rebuild', item.name, '--ignore-scripts=false', '--foreground-scripts']);
  }
  await programOf(staged, item.name).catch((error: Error) => {
    throw new InstallFailure({ kind: 'noProgram', output: error.message });
  });
}

/** The project that an agent is installed in; lockfiles are made for just this one. */
export function manifestFor({ name, version }: Pick<AgentPackage, 'name' | 'version'>): object {
  return { name: 'parley-agent', private: true, dependencies: { [name]: version } };
}

/** Places of the packages that npm unpacks here: all that can be reached without one that is for another system. */
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

/** Where a package finds one that it needs: in its own `node_modules`, else in one further out. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const place = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (base === '') return undefined;
  }
}

/** npm's rule for `os`, `cpu` and `libc`: a list names what fits, or with "!" what does not. */
function isForThisSystem({ os, cpu, libc, inBundle }: LockedPackage): boolean {
  const fits = (list: readonly string[] | undefined, own: string) => list === undefined || (list.some((item) => item === own || (item.startsWith('!') && item !== `!${own}`)) && !list.includes(`!${own}`));
  return inBundle !== true && fits(os, process.platform) && fits(cpu, process.arch) && (libc === undefined || fits(libc, (ownLibc ??= systemLibc())));
}

let ownLibc: string | undefined;

function systemLibc(): string {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}
