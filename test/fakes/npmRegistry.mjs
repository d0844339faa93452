import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ name: string, version: string, bin?: string, files: Readonly<Record<string, string>>, fields?: object,
 * held?: Promise<void> }} PublishedPackage
 *   `files` by their path in the package; `fields` of its package.json; it is sent when `held` is resolved.
 */

/**
 * A registry on loopback that serves the packages it is given, and writes down what it was asked for.
 * @param {readonly PublishedPackage[]} packages
 * @returns {Promise<{ url: string, asked: string[], close: () => Promise<void> }>}
 */
export async function startRegistry(packages) {
  /** @type {string[]} */
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(String(request.url)).slice(1);
    asked.push(path);
    const tarballOf = packages.find(({ name, version }) => path === `${name}/-/${version}.tgz`);
    if (tarballOf) {
      await tarballOf.held;
      response.end(tarball(tarballOf));
      return;
    }
    const versions = packages.filter(({ name }) => name === path);
    if (versions.length === 0) {
      response.statusCode = 404;
      response.end('{"error":"Not found"}');
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: path,
        'dist-tags': { latest: versions.at(-1)?.version },
        versions: Object.fromEntries(
          versions.map((item) => [
            item.version,
            {
              ...manifestOf(item),
              dist: { tarball: `${url}${item.name}/-/${item.version}.tgz`, integrity: integrityOf(tarball(item)) },
            },
          ]),
        ),
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  return {
    url,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** @param {PublishedPackage} item */
function manifestOf({ name, version, bin, fields }) {
  return { name, version, ...(bin ? { bin } : {}), ...fields };
}

/** @param {Buffer} bytes */
function integrityOf(bytes) {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

/** A package as npm packs it: files below `package/` in a tar of the oldest kind. @param {PublishedPackage} item */
function tarball(item) {
  const files = { 'package.json': JSON.stringify(manifestOf(item)), ...item.files };
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [header(`package/${name}`, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** @param {string} name @param {number} size */
function header(name, size) {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000755\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
