import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun, npm } from './run.mjs';

/** The repository's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The small project that the demo and the tests open. */
export const sampleWorkspace = join(root, 'test/fixtures/sample-workspace');

/** Where downloads are kept between runs; git ignores it. */
export const cacheFolder = join(root, '.vscode-test');

/** @returns {any} The manifest, read anew each time: the packager and the tests want what is on disk. */
export function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/**
 * The desktop VS Code in which the suite is to run: a version, `stable`, `insiders`, or undefined if any will do.
 * @param {string | undefined} [wanted] one of these, or `oldest` for the oldest one that Parley supports
 */
export function wantedVersion(wanted = process.env['PARLEY_VSCODE_VERSION']) {
  return wanted === 'oldest' ? String(manifest().engines.vscode).replace(/^\D+/, '') : wanted || undefined;
}

/**
 * A new folder of our own in the system's temporary folder, with symlinks resolved: VS Code reports resolved paths.
 * @param {string} purpose
 */
export function temporaryFolder(purpose) {
  return mkdtempSync(join(realpathSync(tmpdir()), `parley-${purpose}-`));
}

/** @param {string} folder */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** A fresh copy of the sample workspace, for someone who will change it. */
export function copySampleWorkspace() {
  const parent = temporaryFolder('workspace');
  const folder = join(parent, 'sample-workspace');
  cpSync(sampleWorkspace, folder, { recursive: true });
  return { folder, remove: () => removeFolder(parent) };
}

/**
 * Installs the dependencies when node_modules is missing or older than the lock file says, and does nothing otherwise:
 * npm writes node_modules/.package-lock.json at the end of each install.
 */
export async function installDependencies() {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules/.package-lock.json');
  const stamp = join(root, 'node_modules/.parley-lock.json');
  const current =
    existsSync(installed) &&
    (statSync(installed).mtimeMs >= statSync(lock).mtimeMs ||
      (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lock))));
  if (current) {
    return;
  }
  console.log('Installing dependencies (npm ci)…');
  await npm(['ci'], { cwd: root });
  // Git gives every file of a clone the time of the clone, so the lock's content is kept to compare with as well.
  writeFileSync(stamp, readFileSync(lock));
}

/** Builds the extension; the build's own messages are the error. @param {readonly string[]} flags */
export async function build(flags = []) {
  await mustRun(process.execPath, [join(root, 'esbuild.mjs'), ...flags], { cwd: root, label: 'The build' });
}
