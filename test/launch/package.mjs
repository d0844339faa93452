/**
 * `npm run package [-- --target TARGET]`: builds for production, makes the VSIX, then reads it and fails when something
 * is missing or something is in it that should not be. Without a target it has the native parts of all platforms.
 */
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readArchive, sourceDate, writeArchive } from './archive.mjs';
import { builtInAgents } from './builtInAgents.mjs';
import { packagedPage, relativeTargets } from './packagedPage.mjs';
import { build, installDependencies, manifest, removeFolder, root, temporaryFolder } from './project.mjs';
import { isMisplaced, nativePlatformsOf, platformOf, vsixName, wrongFiles } from './vsixTargets.mjs';

/**
 * A copy of the folders that `.vscodeignore` names and of the files beside them. In the repository, vsce would compare
 * each of tens of thousands of files, those of a downloaded VS Code too, with each line of it.
 * @param {readonly string[]} platforms whose native files it has; without any, node-pty is left out whole
 */
function copyOfNamed(platforms) {
  const folder = temporaryFolder('package');
  const named = readFileSync(join(root, '.vscodeignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') && line.includes('/') ? [line.slice(1).split('/')] : []));
  /** @type {Set<string>} */
  const names = new Set();
  for (const [top = '', second = ''] of named) {
    if (top !== 'node_modules') names.add(top);
    else if (platforms.length > 0) names.add(join(top, second));
  }
  for (const entry of readdirSync(root, { withFileTypes: true })) if (entry.isFile()) names.add(entry.name);
  const prebuilds = join(root, 'node_modules/node-pty/prebuilds');
  const isLeftOut = new Set(
    readdirSync(prebuilds).flatMap((name) => (platforms.includes(name) ? [] : [join(prebuilds, name)])),
  );
  for (const name of names)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (source) => !isLeftOut.has(source) });
  return folder;
}

/**
 * Makes the VSIX and resolves to its path.
 * @param {{ folder?: string, isBuilt?: boolean, target?: string | undefined, date?: Date }} [options] where to put it,
 * the repository's top folder by default; whether what is built is there and current, because windows of other tests
 * load from it; see `vsixTargets.mjs`; the time of its files, see `sourceDate`
 * @throws Error if it has not just the files of its target
 */
export async function makePackage({ folder = root, isBuilt = false, target, date } = {}) {
  const platforms = nativePlatformsOf(target);
  await installDependencies();
  if (!isBuilt) await build();
  const { createVSIX } = await import('@vscode/vsce');
  const { targets } = await import('../../esbuild.mjs');
  const platform = platformOf(target);
  const packagePath = join(folder, vsixName(manifest(), target));
  const cwd = copyOfNamed(platforms);
  try {
    await createVSIX({
      cwd,
      packagePath,
      ...(platform === undefined ? {} : { target: platform }),
      // Otherwise it asks npm for them, which finds that they are missing.
      dependencies: platforms.length > 0,
      // The repository has no public address yet, so links cannot be made absolute.
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
  } finally {
    removeFolder(cwd);
  }
  const files = withOwnPages(await readArchive(packagePath));
  await writeArchive(packagePath, files, date ?? (await sourceDate()));
  const problems = problemsOf(
    files,
    target,
    targets({ tests: false }).map(({ outfile }) => outfile),
  );
  if (problems.length > 0) throw new Error(`${packagePath} is not as it should be:\n  ${problems.join('\n  ')}`);
  return packagePath;
}

const pages = ['extension/readme.md', 'extension/changelog.md'];

/** Gives the archive pages that need nothing but themselves. @param {Map<string, Buffer>} files */
function withOwnPages(files) {
  for (const [name, content] of files)
    if (pages.includes(name.toLowerCase())) files.set(name, Buffer.from(packagedPage(content.toString('utf8'))));
  return files;
}

/**
 * @param {ReadonlyMap<string, Buffer>} archive
 * @param {string | undefined} target
 * @param {readonly string[]} built
 */
function problemsOf(archive, target, built) {
  const locks = builtInAgents().flatMap(({ id, locked }) => (locked ? [`media/agents/${id}.lock.json`] : []));
  const files = new Map(
    [...archive].flatMap(([name, content]) => (name.startsWith('extension/') ? [[name.slice(10), content]] : [])),
  );
  const problems = wrongFiles([...files.keys()], target, [...locks, ...built]);
  for (const [name, content] of files) {
    if (isMisplaced(name, content)) problems.push(`is for another platform: ${name}`);
    if (pages.includes(`extension/${name.toLowerCase()}`))
      for (const page of relativeTargets(content.toString('utf8'))) problems.push(`leads nowhere in ${name}: ${page}`);
  }
  const said = /TargetPlatform="([^"]*)"/.exec(String(archive.get('extension.vsixmanifest')))?.[1];
  if (said !== platformOf(target)) problems.push(`is for ${said ?? 'every platform'}, says its manifest`);
  return problems;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { values } = parseArgs({ options: { target: { type: 'string' } } });
    const path = await makePackage({ target: values.target });
    console.log(`${path} (${(statSync(path).size / 1024 / 1024).toFixed(1)} MB)`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
