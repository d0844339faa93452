import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { InstallFailure } from './installFailure';
import { webRequest, type WebRequestOptions } from './webRequest';

export interface DownloadOptions extends WebRequestOptions {
  readonly maxBytes: number;
  /** SHA-256 in lower case hex, or SHA-512 as npm writes it ("sha512-" and base64). Another file is removed. */
  readonly checksum?: string;
  /** @param total if the server sends it */
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/**
 * Downloads into a file. With a checksum, a file that is there already is the beginning, and an interrupted download
 * stays for the next try. Without one, or with a wrong one, no file is left if it fails.
 * @returns the SHA-256 of the file.
 * @throws InstallFailure
 */
export async function downloadFile(
  address: URL,
  file: string,
  { maxBytes, checksum, onBytes, ...options }: DownloadOptions,
): Promise<string> {
  const handle = await open(file, checksum === undefined ? 'wx+' : 'a+', 0o600).catch((error: unknown) =>
    Promise.reject(InstallFailure.of(error)),
  );
  const failed = (trouble: 'tooLarge' | 'cutOff' | 'checksum', output: string) =>
    new InstallFailure({ kind: 'download', trouble, host: address.host, output });
  let isUseful = false;
  try {
    let sums = await sumsOf(handle);
    // It was complete already, and only unpacking it failed.
    if (checksum !== undefined && checksum === sumIn(sums, checksum)) {
      isUseful = true;
      return sumIn(sums);
    }
    // With a content encoding, the received length would differ from the announced one.
    const headers = {
      ...options.headers,
      'accept-encoding': 'identity',
      ...(sums.bytes > 0 ? { range: `bytes=${sums.bytes}-` } : {}),
    };
    isUseful = checksum !== undefined;
    await webRequest(address, { ...options, headers }, async ({ status, length, chunks }) => {
      if (status !== 206) {
        await handle.truncate();
        sums = newSums();
      }
      const total = length === undefined ? undefined : sums.bytes + length;
      if (total !== undefined && total > maxBytes) throw failed('tooLarge', `${total} bytes`);
      onBytes(sums.bytes, total);
      for await (const chunk of chunks) {
        add(sums, chunk);
        if (sums.bytes > maxBytes) throw failed('tooLarge', `more than ${maxBytes} bytes`);
        await handle.appendFile(chunk);
        onBytes(sums.bytes, total);
      }
      if (total !== undefined && sums.bytes < total) throw failed('cutOff', `${sums.bytes} of ${total} bytes`);
    });
    const found = sumIn(sums, checksum);
    if (checksum !== undefined && checksum !== found) throw failed('checksum', found);
    await handle.sync();
    isUseful = true;
    return sumIn(sums);
  } catch (error) {
    const { problem } = InstallFailure.of(error);
    if (problem.kind === 'download') {
      const { trouble, status = 0 } = problem;
      // After a trouble of the server the beginning is as good as before; a range that it does not know is of no use.
      isUseful &&= trouble === 'status' ? status >= 500 : trouble !== 'checksum' && trouble !== 'tooLarge';
    }
    throw error;
  } finally {
    await handle.close();
    if (!isUseful) await rm(file, { force: true }).catch(() => undefined);
  }
}

/** The checksums of the bytes so far. */
interface Sums {
  bytes: number;
  readonly sha256: Hash;
  readonly sha512: Hash;
}

function newSums(): Sums {
  return { bytes: 0, sha256: createHash('sha256'), sha512: createHash('sha512') };
}

function add(sums: Sums, chunk: Uint8Array): void {
  sums.bytes += chunk.length;
  sums.sha256.update(chunk);
  sums.sha512.update(chunk);
}

/** The checksum so far, of the kind of `like`; SHA-256 without one. */
function sumIn({ sha256, sha512 }: Sums, like?: string): string {
  return like?.startsWith('sha512-') ? `sha512-${sha512.copy().digest('base64')}` : sha256.copy().digest('hex');
}

async function sumsOf(handle: FileHandle): Promise<Sums> {
  const sums = newSums();
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) add(sums, chunk as Buffer);
  return sums;
}
