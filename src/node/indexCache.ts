import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { asObject, numberOf, stringOf } from '../base/decode';
import { InstallFailure } from './installFailure';
import { renameFile } from './renameFile';
import { webRequest, type WebRequestOptions } from './webRequest';

/** The most bytes of an index, or of an icon. */
const maxBytes = { index: 8 * 1024 ** 2, icon: 64 * 1024 } as const;

/** An index as it was downloaded. */
export interface StoredIndex {
  readonly address: string;
  readonly etag?: string;
  /** Epoch ms of the server's last answer, even if it was "not modified". */
  readonly checkedAt: number;
  /** JSON, unchecked. */
  readonly text: string;
}

/** The stored copy of an index. Several windows share it; each write replaces it as a whole. */
export class IndexCache {
  /** @param file absolute */
  constructor(private readonly file: string) {}

  /** @returns undefined if there is none for that address, "broken" if the file cannot be read. */
  async read(address: string): Promise<StoredIndex | 'broken' | undefined> {
    try {
      const read = asObject(JSON.parse(await readFile(this.file, 'utf8')));
      const [etag, checkedAt, text] = [stringOf(read['etag']), numberOf(read['checkedAt']), stringOf(read['text'])];
      if (checkedAt === undefined || text === undefined) return 'broken';
      return read['address'] === address
        ? { address, checkedAt, text, ...(etag === undefined ? {} : { etag }) }
        : undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'broken';
    }
  }

  async write(index: StoredIndex): Promise<void> {
    const partial = `${this.file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    await mkdir(path.dirname(this.file), { recursive: true });
    try {
      const handle = await open(partial, 'wx');
      try {
        await handle.writeFile(JSON.stringify(index));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await renameFile(partial, this.file);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }
}

/**
 * Requests an index, unless the stored one is still current.
 * @param known the stored one from that address @param now epoch ms
 * @throws InstallFailure
 */
export async function fetchIndex(
  address: URL,
  known: StoredIndex | undefined,
  now: number,
  options: WebRequestOptions,
): Promise<StoredIndex> {
  const headers = { accept: 'application/json', ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }) };
  return webRequest(address, { ...options, headers }, async ({ status, etag, chunks }) => {
    if (status === 304) {
      if (!known)
        throw new InstallFailure({
          kind: 'download',
          trouble: 'status',
          host: address.host,
          status,
          output: 'HTTP 304',
        });
      return { ...known, checkedAt: now };
    }
    return {
      address: address.href,
      checkedAt: now,
      text: await textOf(chunks, maxBytes.index, address),
      ...(etag === undefined ? {} : { etag }),
    };
  });
}

/** @throws InstallFailure */
export async function fetchIcon(address: URL, options: WebRequestOptions): Promise<string> {
  return webRequest(address, options, async ({ chunks }) => textOf(chunks, maxBytes.icon, address));
}

async function textOf(chunks: AsyncIterable<Uint8Array>, limit: number, { host }: URL): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit)
      throw new InstallFailure({ kind: 'download', trouble: 'tooLarge', host, output: `more than ${limit} bytes` });
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}
