/**
 * A real VS Code from npm: the package `code-server` holds Code - OSS with its server, extension host and web
 * workbench. It is fetched once into .vscode-test/, where @vscode/test-electron keeps its downloads too. An install is
 * done in steps, each marked when it is complete, so a broken download is taken up again where it broke.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './project.mjs';
import { until } from './poll.mjs';
import { mustRun, npm } from './run.mjs';

/**
 * A version of that package and the Node that its server is made for: the newest one, or that of the oldest VS Code that
 * Parley supports.
 */
const { version, nodeMajor } =
  process.env['PARLEY_VSCODE_VERSION'] === 'oldest'
    ? { version: '4.106.3', nodeMajor: 22 }
    : { version: '4.139.1', nodeMajor: 24 };

/** @typedef {{ node: string, serverMain: string, extensions: string, version: string }} VSCodeFromNpm */

/**
 * The VS Code from npm, installed if it is not there yet.
 * @param {(message: string) => void} [report] told about each step that takes long
 * @returns {Promise<VSCodeFromNpm>}
 */
export async function vscodeFromNpm(report = (message) => console.log(message)) {
  const folder = join(cacheFolder, `code-server-${version}`);
  const nodeFolder = join(cacheFolder, `node-${nodeMajor}-${process.platform}-${process.arch}`);
  mkdirSync(cacheFolder, { recursive: true });
  if (!isDone(folder, 'install') || !findNode(nodeFolder)) {
    await locked(join(cacheFolder, 'install.lock'), async () => {
      await installServer(folder, report);
      await installNode(nodeFolder, report);
    });
  }
  const node = findNode(nodeFolder);
  if (!node) {
    throw new Error(`Node ${nodeMajor} was installed but its program is not in ${nodeFolder}.`);
  }
  const product = JSON.parse(readFileSync(join(folder, 'lib/vscode/package.json'), 'utf8'));
  return {
    node,
    serverMain: join(folder, 'lib/vscode/out/server-main.js'),
    extensions: join(folder, 'lib/vscode/extensions'),
    version: product.version,
  };
}

/** @param {string} folder @param {(message: string) => void} report */
async function installServer(folder, report) {
  if (isDone(folder, 'install')) {
    return;
  }
  if (!isDone(folder, 'unpack')) {
    report(`Downloading VS Code from npm (code-server ${version}, once)…`);
    rmSync(folder, { recursive: true, force: true });
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await npm(['pack', `code-server@${version}`, '--pack-destination', partial], { cwd: cacheFolder });
    await mustRun('tar', ['-xzf', `code-server-${version}.tgz`], { cwd: partial });
    renameSync(join(partial, 'package'), folder);
    rmSync(partial, { recursive: true, force: true });
    takeWatcherFromRegistry(join(folder, 'lib/vscode'));
    markDone(folder, 'unpack');
  }
  // No install scripts: what they would compile (file watching, logging in native code) the server does without.
  for (const [part, name] of [
    ['lib/vscode', 'server'],
    ['lib/vscode/extensions', 'extensions'],
  ]) {
    if (!isDone(folder, String(name))) {
      report(`Installing VS Code's ${name} packages…`);
      await npm(['install', '--omit=dev', '--ignore-scripts'], { cwd: join(folder, String(part)) });
      markDone(folder, String(name));
    }
  }
  markDone(folder, 'install');
}

/** An older server names a commit of its file watcher instead of a version. @param {string} server */
function takeWatcherFromRegistry(server) {
  const file = join(server, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  if (!manifest.dependencies['@parcel/watcher']?.includes('#')) return;
  manifest.dependencies['@parcel/watcher'] = '2.5.6';
  writeFileSync(file, JSON.stringify(manifest));
  rmSync(join(server, 'npm-shrinkwrap.json'), { force: true });
}

/** @param {string} folder @param {(message: string) => void} report */
async function installNode(folder, report) {
  if (findNode(folder)) {
    return;
  }
  report(`Installing Node ${nodeMajor} for it…`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // A manifest of its own keeps npm from walking up and installing into the project.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  await npm(['install', `node-${platform}-${process.arch}@${nodeMajor}`, '--ignore-scripts', '--no-package-lock'], {
    cwd: folder,
  });
}

/** @param {string} folder @returns {string | undefined} */
function findNode(folder) {
  if (Number(process.versions.node.split('.')[0]) === nodeMajor) {
    return process.execPath;
  }
  const modules = join(folder, 'node_modules');
  for (const name of existsSync(modules) ? readdirSync(modules) : []) {
    const program = join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (name.startsWith('node-') && existsSync(program)) {
      return program;
    }
  }
  return undefined;
}

/** @param {string} folder @param {string} step */
function isDone(folder, step) {
  return existsSync(join(folder, `.parley-${step}-done`));
}

/** @param {string} folder @param {string} step */
function markDone(folder, step) {
  writeFileSync(join(folder, `.parley-${step}-done`), '');
}

/**
 * Does the work while holding a lock that other processes respect; a lock whose holder has died is taken over.
 * @param {string} lock @param {() => Promise<void>} work
 */
async function locked(lock, work) {
  await until('another process to finish installing VS Code', () => take(lock), {
    timeout: 15 * 60_000,
    interval: 500,
  });
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
      throw error;
    }
  }
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    // An empty file is a lock that is being taken this moment.
    if (holder && !isRunning(holder)) {
      rmSync(lock, { force: true });
    }
  } catch {
    // The holder let go between the two looks; the next attempt tells.
  }
  return false;
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
