/** Zip files that come out the same from the same content, whenever, wherever and in whatever order it was found. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
// @ts-expect-error The writer that vsce uses has no types.
import yazl from 'yazl';
import { root } from './project.mjs';
import { run } from './run.mjs';

/** The first second that a zip file can name: for a copy without git. */
const firstDate = 315_532_800;

/**
 * The time that everything in an archive gets: `SOURCE_DATE_EPOCH` if that is set, else that of the last commit.
 * @returns {Promise<Date>}
 */
export async function sourceDate() {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const { code, output } = given
    ? { code: 0, output: given }
    : await run('git', ['log', '-1', '--format=%ct'], { cwd: root, quiet: true });
  const seconds = code === 0 ? Number(output.trim()) : Number.NaN;
  return new Date(1000 * Math.max(firstDate, Number.isFinite(seconds) ? seconds : firstDate));
}

/**
 * The files of a zip file in its order.
 * @param {string} path @returns {Promise<Map<string, Buffer>>} by name
 */
export async function readArchive(path) {
  const zip = await promisify(
    /** @type {(path: string, options: import('yauzl').Options, done: (error: Error | null, zip: import('yauzl').ZipFile) => void) => void} */ (
      yauzl.open
    ),
  )(path, { lazyEntries: true, autoClose: false });
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  try {
    await new Promise((resolve, reject) => {
      const read = async (/** @type {import('yauzl').Entry} */ entry) => {
        if (!entry.fileName.endsWith('/'))
          files.set(entry.fileName, await buffer(await promisify(zip.openReadStream.bind(zip))(entry)));
        zip.readEntry();
      };
      zip.on('error', reject).on('end', resolve);
      zip.on('entry', (entry) => void read(entry).catch(reject));
      zip.readEntry();
    });
  } finally {
    zip.close();
  }
  return files;
}

/**
 * Writes a zip file whose bytes depend on nothing but this and on the zlib of this Node.
 * @param {string} path @param {ReadonlyMap<string, Buffer>} files by name @param {Date} date
 */
export async function writeArchive(path, files, date) {
  // The format has no time zone, and the writer takes the one of this machine.
  const mtime = new Date(date.getTime() + date.getTimezoneOffset() * 60_000);
  const zip = new yazl.ZipFile();
  for (const [name, content] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    zip.addBuffer(content, name, { mtime, mode: modeOf(name) });
  zip.end();
  writeFileSync(path, await buffer(zip.outputStream));
}

/** node-pty starts this program; a checkout may have lost that it is one. @param {string} name */
const modeOf = (name) => (name.endsWith('/spawn-helper') ? 0o100755 : 0o100644);

/** @param {string} path @returns {string} its SHA-256, in hexadecimal digits */
export function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
