/**
 * `npm run package`: builds for production and makes parley-<version>.vsix, then reads the archive's list of files and
 * fails when something is missing or something is in it that should not be.
 */
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
// @ts-expect-error The writer that vsce uses has no types.
import yazl from 'yazl';
import { builtInAgents } from './builtInAgents.mjs';
import { packagedPage, relativeTargets } from './packagedPage.mjs';
import { build, installDependencies, manifest, removeFolder, root, temporaryFolder } from './project.mjs';

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

const allowed = [
  /^(package\.json|readme\.md|changelog\.md|LICENSE(\.txt|\.md)?)$/i,
  /^package\.nls(\.[\w-]+)?\.json$/,
  /^l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^dist\/((host|panel)\/)?[\w.-]+\.(m?js|css|ttf|txt)$/,
  /^media\/[\w./-]+\.(svg|png|md|gif)$/,
  /^media\/(runtime|agents\/[a-z]+\.lock)\.json$/,
  /^node_modules\/node-pty\/(package\.json|LICENSE|lib\/[\w/]+\.js)$/,
  new RegExp(
    `^node_modules/node-pty/prebuilds/(${platforms.join('|')})/([\\w-]+\\.node|spawn-helper|conpty/(conpty\\.dll|OpenConsole\\.exe))$`,
  ),
];

const required = [
  'package.json',
  'package.nls.json',
  'package.nls.zh-cn.json',
  'l10n/bundle.l10n.zh-cn.json',
  'readme.md',
  'changelog.md',
  'LICENSE.txt',
  'media/icon.svg',
  'media/icon.png',
  'media/runtime.json',
  'dist/codicon.ttf',
  'dist/third-party-notices.txt',
  'node_modules/node-pty/package.json',
  'node_modules/node-pty/lib/index.js',
  ...platforms.flatMap((platform) =>
    prebuilds(platform).map((file) => `node_modules/node-pty/prebuilds/${platform}/${file}`),
  ),
];

/** What node-pty loads or starts on a system. @param {string} platform */
function prebuilds(platform) {
  if (platform.startsWith('win32')) {
    return ['conpty.node', 'conpty_console_list.node', 'conpty/conpty.dll', 'conpty/OpenConsole.exe'];
  }
  return platform.startsWith('darwin') ? ['pty.node', 'spawn-helper'] : ['pty.node'];
}

/**
 * A copy of the folders that `.vscodeignore` names and of the files beside them. In the repository, vsce would compare
 * each of tens of thousands of files, those of a downloaded VS Code too, with each line of it.
 */
function copyOfNamed() {
  const folder = temporaryFolder('package');
  const named = readFileSync(join(root, '.vscodeignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') && line.includes('/') ? [line.slice(1).split('/')] : []));
  /** @type {Set<string>} */
  const names = new Set();
  for (const [top = '', second = ''] of named) names.add(top === 'node_modules' ? join(top, second) : top);
  for (const entry of readdirSync(root, { withFileTypes: true })) if (entry.isFile()) names.add(entry.name);
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

/**
 * Makes the VSIX and resolves to its path.
 * @param {{ folder?: string, isBuilt?: boolean }} [options] where to put it, the repository's top folder by default;
 * and whether what is
 *   built stands and is current: windows of other tests load from it
 */
export async function makePackage({ folder = root, isBuilt = false } = {}) {
  await installDependencies();
  if (!isBuilt) await build();
  const { createVSIX } = await import('@vscode/vsce');
  const { targets } = await import('../../esbuild.mjs');
  const { name, version } = manifest();
  const packagePath = join(folder, `${name}-${version}.vsix`);
  const cwd = copyOfNamed();
  try {
    await createVSIX({ cwd, packagePath, allowMissingRepository: true, rewriteRelativeLinks: false });
  } finally {
    removeFolder(cwd);
  }
  // The repository has no public address yet, so links cannot be made absolute.
  await rewritePages(packagePath);
  const locks = builtInAgents().flatMap(({ id, locked }) => (locked ? [`media/agents/${id}.lock.json`] : []));
  const problems = verify(filesOf(packagePath), [
    ...required,
    ...locks,
    ...targets({ tests: false }).map(({ outfile }) => outfile),
  ]);
  for (const [name, page] of await pagesOf(packagePath))
    problems.push(...relativeTargets(page).map((target) => `leads nowhere in ${name}: ${target}`));
  if (problems.length > 0) {
    throw new Error(`${packagePath} is not as it should be:\n  ${problems.join('\n  ')}`);
  }
  return packagePath;
}

const pages = ['extension/readme.md', 'extension/changelog.md'];

/**
 * @param {string} packagePath
 * @param {(entry: import('yauzl').Entry, read: () => Promise<Buffer>) => Promise<void>} each
 */
async function eachEntry(packagePath, each) {
  const zip = await promisify(
    /** @type {(path: string, options: import('yauzl').Options, done: (error: Error | null, zip: import('yauzl').ZipFile) => void) => void} */ (
      yauzl.open
    ),
  )(packagePath, { lazyEntries: true, autoClose: false });
  try {
    await new Promise((resolve, reject) => {
      const read = async (/** @type {import('yauzl').Entry} */ entry) =>
        buffer(await promisify(zip.openReadStream.bind(zip))(entry));
      zip
        .on('error', reject)
        .on('end', resolve)
        .on('entry', (entry) => each(entry, () => read(entry)).then(() => zip.readEntry(), reject));
      zip.readEntry();
    });
  } finally {
    zip.close();
  }
}

/** Makes the archive anew with pages that need nothing but themselves. @param {string} packagePath */
async function rewritePages(packagePath) {
  const fresh = new yazl.ZipFile();
  await eachEntry(packagePath, async (entry, read) => {
    const content = await read();
    const isPage = pages.includes(entry.fileName.toLowerCase());
    fresh.addBuffer(isPage ? Buffer.from(packagedPage(content.toString('utf8'))) : content, entry.fileName, {
      mtime: entry.getLastModDate(),
      mode: entry.externalFileAttributes >>> 16 || 0o100644,
    });
  });
  fresh.end();
  writeFileSync(packagePath, await buffer(fresh.outputStream));
}

/** @param {string} packagePath @returns {Promise<(readonly [string, string])[]>} */
async function pagesOf(packagePath) {
  /** @type {(readonly [string, string])[]} */
  const found = [];
  await eachEntry(packagePath, async ({ fileName }, read) => {
    if (pages.includes(fileName.toLowerCase())) found.push([fileName, (await read()).toString('utf8')]);
  });
  return found;
}

/** @param {readonly string[]} files @param {readonly string[]} needed @returns {string[]} */
function verify(files, needed) {
  const lower = new Set(files.map((file) => file.toLowerCase()));
  return [
    ...files.filter((file) => !allowed.some((pattern) => pattern.test(file))).map((file) => `does not belong: ${file}`),
    ...needed.filter((file) => !lower.has(file.toLowerCase())).map((file) => `is missing: ${file}`),
  ];
}

/** The extension's files, from the zip's central directory. @param {string} path @returns {string[]} */
function filesOf(path) {
  const zip = readFileSync(path);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    files.push(zip.toString('utf8', at + 46, at + 46 + Number(nameLength)));
    at += 46 + Number(nameLength) + Number(extraLength) + Number(commentLength);
  }
  return files
    .filter((name) => name.startsWith('extension/') && !name.endsWith('/'))
    .map((name) => name.slice('extension/'.length));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const path = await makePackage().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
  if (existsSync(path)) {
    console.log(`${path} (${(statSync(path).size / 1024 / 1024).toFixed(1)} MB)`);
  }
}
