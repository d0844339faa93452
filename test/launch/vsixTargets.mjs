/** The packages that Parley is released as: one for each platform with native parts, and one for all others. */
/** Platforms for which node-pty brings native files. */
const nativePlatforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/**
 * What `--target` takes. node-pty has no files for musl, so Alpine gets none. `universal` has none either, and VS Code
 * takes it on every platform that has no package of its own.
 */
export const targets = [...nativePlatforms, 'alpine-x64', 'universal'];

/**
 * The platforms whose native files are in a package.
 * @param {string | undefined} target undefined for the package with all of them, which runs wherever it is copied
 * @throws Error if there is no such target
 * @returns {string[]}
 */
export function nativePlatformsOf(target) {
  if (target === undefined) return nativePlatforms;
  if (!targets.includes(target)) throw new Error(`There is no target "${target}", only ${targets.join(', ')}.`);
  return nativePlatforms.filter((platform) => platform === target);
}

/** The package's file name. @param {{ name: string, version: string }} manifest @param {string} [target] */
export function vsixName({ name, version }, target) {
  return target === undefined ? `${name}-${version}.vsix` : `${name}-${target}-${version}.vsix`;
}

/**
 * What VS Code knows the target by; nothing where a package is for every platform.
 * @param {string} [target] @returns {string | undefined}
 */
export const platformOf = (target) => (target === 'universal' ? undefined : target);

/** What node-pty loads or starts on a platform, from its folder. @param {string} platform */
function prebuilds(platform) {
  if (platform.startsWith('win32'))
    return ['conpty.node', 'conpty_console_list.node', 'conpty/conpty.dll', 'conpty/OpenConsole.exe'];
  return platform.startsWith('darwin') ? ['pty.node', 'spawn-helper'] : ['pty.node'];
}

/** A platform's native files, from the package's top folder. @param {string} platform */
export const nativeFiles = (platform) =>
  prebuilds(platform).map((file) => `node_modules/node-pty/prebuilds/${platform}/${file}`);

const allowed = [
  /^(package\.json|readme\.md|changelog\.md|LICENSE(\.txt|\.md)?)$/i,
  /^package\.nls(\.[\w-]+)?\.json$/,
  /^l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^dist\/((host|panel)\/)?[\w.-]+\.(m?js|css|ttf|txt)$/,
  /^media\/[\w./-]+\.(svg|png|md|gif)$/,
  /^media\/(runtime|agents\/[a-z]+\.lock)\.json$/,
];
const allowedWithNative = /^node_modules\/node-pty\/(package\.json|LICENSE|lib\/[\w/]+\.js)$/;

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
];
const requiredWithNative = ['package.json', 'LICENSE', 'lib/index.js'].map((file) => `node_modules/node-pty/${file}`);

/**
 * What is wrong with the list of a package's files.
 * @param {readonly string[]} files from the package's top folder
 * @param {string | undefined} target
 * @param {readonly string[]} [built] what the build has made and the package must have
 * @returns {string[]} one line for each fault
 */
export function wrongFiles(files, target, built = []) {
  const platforms = nativePlatformsOf(target);
  const native = platforms.flatMap(nativeFiles);
  const mayHave = (/** @type {string} */ file) =>
    allowed.some((pattern) => pattern.test(file)) ||
    (native.length > 0 && (allowedWithNative.test(file) || native.includes(file)));
  const lower = new Set(files.map((file) => file.toLowerCase()));
  const needed = [...required, ...(native.length > 0 ? requiredWithNative : []), ...native, ...built];
  return [
    ...files.filter((file) => !mayHave(file)).map((file) => `does not belong: ${file}`),
    ...needed.filter((file) => !lower.has(file.toLowerCase())).map((file) => `is missing: ${file}`),
  ];
}

/**
 * The platform that a native file was made for, by its first bytes.
 * @param {Buffer} file an ELF, Mach-O or PE file
 * @returns {string | undefined} such as `linux-x64`; undefined for anything else
 */
export function platformOfNative(file) {
  if (file.length < 64) return undefined;
  if (file.readUInt32BE(0) === 0x7f454c46) return named('linux', file.readUInt16LE(18), { 62: 'x64', 183: 'arm64' });
  if (file.readUInt32LE(0) === 0xfeedfacf)
    return named('darwin', file.readUInt32LE(4), { 0x1000007: 'x64', 0x100000c: 'arm64' });
  if (file.toString('latin1', 0, 2) !== 'MZ') return undefined;
  return named('win32', file.readUInt16LE(file.readUInt32LE(0x3c) + 4), { 0x8664: 'x64', 0xaa64: 'arm64' });
}

/** @param {string} system @param {number} machine @param {Record<number, string>} names */
function named(system, machine, names) {
  const name = names[machine];
  return name && `${system}-${name}`;
}

/**
 * Whether a native file of a package is for another platform than its folder says.
 * @param {string} name from the package's top folder
 * @param {Buffer} content
 */
export function isMisplaced(name, content) {
  const platform = /^node_modules\/node-pty\/prebuilds\/([\w-]+)\//.exec(name)?.[1];
  return platform !== undefined && platformOfNative(content) !== platform;
}
