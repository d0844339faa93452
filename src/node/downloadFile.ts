import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { InstallFailure } from './installFailure';
import { webRequest, type WebRequestOptions } from './webRequest';

export interface DownloadOptions extends WebRequestOptions {
  readonly maxBytes: number;
  /** Lower case hex; a file with another checksum is removed. */
  readonly sha256?: string;
  /** @param total if the server sends it */
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/**
 * Downloads into a new file. If it fails, no file is left.
 * @returns the SHA-256 of the file.
 * @throws InstallFailure
 */
export async function downloadFile(
  address: URL,
  file: string,
  { maxBytes, sha256, onBytes, ...options }: DownloadOptions,
): Promise<string> {
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => Promise.reject(InstallFailure.of(error)));
  const failed = (trouble: 'tooLarge' | 'cutOff' | 'checksum', output: string) =>
    new InstallFailure({ kind: 'download', trouble, host: address.host, output });
  let isDone = false;
  try {
    // With a content encoding, the received length would differ from the announced one.
    const headers = { ...options.headers, 'accept-encoding': 'identity' };
    const found = await webRequest(address, { ...options, headers }, async ({ length, chunks }) => {
      if (length !== undefined && length > maxBytes) throw failed('tooLarge', `${length} bytes`);
      const hash = createHash('sha256');
      let done = 0;
      onBytes(0, length);
      for await (const chunk of chunks) {
        done += chunk.length;
        if (done > maxBytes) throw failed('tooLarge', `more than ${maxBytes} bytes`);
        hash.update(chunk);
        await handle.writeFile(chunk);
        onBytes(done, length);
      }
      if (length !== undefined && done < length) throw failed('cutOff', `${done} of ${length} bytes`);
      return hash.digest('hex');
    });
    if (sha256 !== undefined && found !== sha256) throw failed('checksum', found);
    await handle.sync();
    isDone = true;
    return found;
  } finally {
    await handle.close();
    if (!isDone) await rm(file, { force: true }).catch(() => undefined);
  }
}
