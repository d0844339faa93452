/**
 * `npm run release`: makes all that a release has in `out/release` and prints how it would be published. With
 * `-- --publish` it is published, if it is ready; `--made` takes what is in `out/release` instead of making it, so that
 * what was tried is published, and no build sees the keys.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { sha256, sourceDate } from './archive.mjs';
import { makePackage } from './package.mjs';
import { build, installDependencies, manifest, removeFolder, root } from './project.mjs';
import { mustRun } from './run.mjs';
import { componentsOf, sbomOf } from './sbom.mjs';
import { targets, vsixName } from './vsixTargets.mjs';

const output = 'out/release';

/** Not a dependency: nothing else needs it, and it asks for a newer Node than the tests. */
const ovsx = 'ovsx@1.4.0';

/**
 * Why a version cannot be published from what is here.
 * @param {{ version: string, changelog: string, status: string, tags: readonly string[] }} here `status` as
 * `git status --porcelain` says it, and the tags of the commit
 * @returns {string[]} one sentence for each reason
 */
export function releaseProblems({ version, changelog, status, tags }) {
  const heading = /^## (.*)$/m.exec(changelog)?.[1] ?? 'none';
  const [, named, date] = /^(\S+) \((\d{4}-\d\d-\d\d)\)$/.exec(heading) ?? [];
  const isDated = named === version && !Number.isNaN(Date.parse(String(date)));
  return [
    ...(status.trim() === '' ? [] : ['The repository has changes that are not committed.']),
    ...(isDated ? [] : [`CHANGELOG.md begins with “${heading}”, not with “${version} (YEAR-MONTH-DAY)”.`]),
    ...(tags.includes(`v${version}`) ? [] : [`The commit has no tag v${version}.`]),
  ];
}

/**
 * The commands that publish, with paths from the project's top folder. They read their keys from `VSCE_PAT` and
 * `OVSX_PAT`. What an earlier try has published is left out.
 * @param {readonly string[]} packages
 * @returns {{ program: string, args: string[] }[]}
 */
export function publishSteps(packages) {
  const args = ['publish', '--skip-duplicate', '--packagePath', ...packages];
  return [
    { program: 'npx', args: ['--no', 'vsce', ...args] },
    { program: 'npx', args: ['--yes', ovsx, ...args] },
  ];
}

/** As `sha256sum --check` reads them. @param {readonly string[]} files @returns {string} */
export function sumsOf(files) {
  return files
    .toSorted()
    .map((file) => `${sha256(file)}  ${basename(file)}\n`)
    .join('');
}

/** Notices of the bundles, and of what is in a package beside them. */
function notices() {
  const pty = join(root, 'node_modules/node-pty');
  const { name, version, license } = JSON.parse(readFileSync(join(pty, 'package.json'), 'utf8'));
  const text = readFileSync(join(pty, 'LICENSE'), 'utf8').trim();
  const bundled = readFileSync(join(root, 'dist/third-party-notices.txt'), 'utf8').trimEnd();
  return `${bundled}\n\n${'-'.repeat(80)}\n\n${name} ${version} (${license}), in the packages with native parts\n\n${text}\n`;
}

/** Makes everything and resolves to the paths of the packages. @returns {Promise<string[]>} */
async function makeRelease() {
  const folder = join(root, output);
  removeFolder(folder);
  mkdirSync(folder, { recursive: true });
  await build();
  const date = await sourceDate();
  const packages = [];
  for (const target of targets) packages.push(await makePackage({ folder, isBuilt: true, target, date }));
  const { name, version } = manifest();
  const bundled = JSON.parse(readFileSync(join(root, 'dist/meta/packages.json'), 'utf8'));
  const sbom = join(folder, `${name}-${version}.cdx.json`);
  writeFileSync(sbom, sbomOf(manifest(), componentsOf(root, bundled), date));
  const noticesFile = join(folder, 'third-party-notices.txt');
  writeFileSync(noticesFile, notices());
  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf([...packages, sbom, noticesFile]));
  return packages;
}

/** What an earlier run or another machine has made. @returns {string[]} the paths of the packages @throws Error if it is another */
function madeRelease() {
  const folder = join(root, output);
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  if (sumsOf(files.map((name) => join(folder, name))) !== sums)
    throw new Error(`${output} has not the files of its SHA256SUMS.`);
  const packages = targets.map((target) => join(folder, vsixName(manifest(), target)));
  const missing = packages.filter((path) => !files.includes(basename(path)));
  if (missing.length > 0) throw new Error(`${output} has no ${missing.map((path) => basename(path)).join(', ')}.`);
  return packages;
}

/** @param {readonly string[]} args */
const git = async (args) => mustRun('git', args, { cwd: root, quiet: true });

/** @param {{ publish: boolean, made: boolean }} flags */
async function main({ publish, made }) {
  await installDependencies();
  const problems = releaseProblems({
    version: manifest().version,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    status: await git(['status', '--porcelain']),
    tags: (await git(['tag', '--points-at', 'HEAD'])).split('\n'),
  });
  const why = problems.map((problem) => `  ${problem}`).join('\n');
  if (publish && why !== '') throw new Error(`Not published:\n${why}`);
  const packages = made ? madeRelease() : await makeRelease();
  console.log(`\n${output}:\n${readFileSync(join(root, output, 'SHA256SUMS'), 'utf8')}`);
  const steps = publishSteps(packages.map((path) => relative(root, path)));
  console.log(publish ? 'Publishing:' : 'Nothing is published. `npm run release -- --publish` would run:');
  for (const { program, args } of steps) {
    console.log(`  ${[program, ...args].join(' ')}`);
    if (publish) await mustRun(program, args, { cwd: root, quiet: false });
  }
  if (why !== '') console.log(`\nIt would refuse now:\n${why}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const flag = { type: /** @type {const} */ ('boolean'), default: false };
    await main(parseArgs({ options: { publish: flag, made: flag } }).values);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
