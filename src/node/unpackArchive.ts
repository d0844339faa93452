import * as l10n from '@vscode/l10n';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Parser, type ReadEntry } from 'tar';
import { type Entry, openPromise } from 'yauzl';
import { messageOf } from '../base/errorText';
import type { CancellationToken } from '../base/cancellation';
import { ArchiveWriter, maxUnpacked, refused } from './archiveWriter';
import { InstallFailure } from './installFailure';

/** The first bytes of each kind of file. A file that is neither an archive nor a program may be an error page. */
const kinds: readonly (readonly ['zip' | 'tar' | 'bzip2' | 'program' | 'unknown', RegExp])[] = [
  ['zip', /^PK\x03\x04/],
  ['tar', /^\x1f\x8b|^[^]{257}ustar/],
  ['bzip2', /^BZh[1-9]/],
  // ELF, Mach-O in its four forms and for several processors, Windows, a script.
  ['program', /^(?:\x7fELF|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ|#!)/],
];

/**
 * Unpacks a downloaded file: a zip, a tar (plain, gzip or bzip2), or a single program.
 * @param root absolute; empty
 * @param program its path in the archive, relative; the name of a single program
 * @param bunzip absolute path of the built `bunzipMain.ts`
 * @returns the absolute path of the program.
 * @throws InstallFailure; the content of `root` is then useless.
 */
export async function unpackArchive(
  file: string,
  root: string,
  program: string,
  bunzip: string,
  token: CancellationToken,
): Promise<string> {
  const writer = new ArchiveWriter(root);
  const kind = await kindOf(file);
  try {
    switch (kind) {
      case 'zip':
        await unzip(file, writer, token);
        break;
      case 'tar':
        await untar(file, writer, token);
        break;
      case 'bzip2':
        await withoutBzip2(file, bunzip, token, (tar) => untar(tar, writer, token));
        break;
      case 'program':
        await writer.file(program, true, createReadStream(file));
        break;
      case 'unknown':
        throw refused(l10n.t('It is neither a program nor an archive that Parley can unpack.'));
    }
    await writer.finish();
    return await writer.program(program);
  } catch (error) {
    if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
    // Errors of the disk name the failed call; all others are the archive's.
    if (
      error instanceof InstallFailure ||
      (error instanceof Error && 'syscall' in error && (error as NodeJS.ErrnoException).code !== 'EEXIST')
    )
      throw InstallFailure.of(error);
    throw refused(messageOf(error));
  }
}

async function kindOf(file: string): Promise<(typeof kinds)[number][0]> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(262), 0, 262, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    return kinds.find(([, form]) => form.test(start))?.[0] ?? 'unknown';
  } finally {
    await handle.close();
  }
}

async function unzip(file: string, writer: ArchiveWriter, token: CancellationToken): Promise<void> {
  const zip = await openPromise(file);
  try {
    for await (const entry of zip.eachEntry()) {
      stopIfCancelled(token);
      const mode = unixMode(entry);
      // The high bits are the kind of file; archives from Windows have none.
      const kind = mode & 0o170000;
      if (entry.fileName.endsWith('/')) await writer.folder(entry.fileName);
      else if (kind === 0o120000)
        writer.symbolicLink(entry.fileName, await textOf(await zip.openReadStreamPromise(entry)));
      else if (kind === 0 || kind === 0o100000)
        await writer.file(
          entry.fileName,
          (mode & 0o111) !== 0,
          whileWanted(await zip.openReadStreamPromise(entry), token),
        );
      else throw refused(l10n.t('“{0}” is not a file, folder or link.', entry.fileName));
    }
  } finally {
    zip.close();
  }
}

/** Only Unix and macOS store the mode of a file in a zip. */
function unixMode({ versionMadeBy, externalFileAttributes }: Entry): number {
  const system = versionMadeBy >> 8;
  return system === 3 || system === 19 ? externalFileAttributes >>> 16 : 0;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > 4_096) throw refused(l10n.t('A link in the archive has a target that is too long.'));
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Unpacks next to the file, in a thread, because it would block all extensions for seconds. */
async function withoutBzip2(
  file: string,
  bunzip: string,
  token: CancellationToken,
  use: (tar: string) => Promise<void>,
): Promise<void> {
  const tar = `${file}.tar`;
  const worker = new Worker(bunzip, { workerData: { from: file, to: tar, maxBytes: maxUnpacked } });
  const listener = token.onCancellationRequested(() => void worker.terminate());
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', (error) =>
        reject(
          error.message === 'tooLarge'
            ? refused(l10n.t('The archive unpacks to more than {0} GB.', maxUnpacked / 1024 ** 3))
            : error,
        ),
      );
      worker.once('exit', (code) => (code === 0 ? resolve() : reject(refused(l10n.t('Unpacking did not finish.')))));
    });
    await use(tar);
  } finally {
    listener.dispose();
    await rm(tar, { force: true });
  }
}

async function untar(file: string, writer: ArchiveWriter, token: CancellationToken): Promise<void> {
  const source = createReadStream(file);
  await new Promise<void>((resolve, reject) => {
    let last = Promise.resolve();
    const fail = (error: unknown): void => {
      source.destroy();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    // The parser continues only after an entry has been read, so at most one of them is queued.
    const onReadEntry = (entry: ReadEntry) => {
      last = last.then(() => putEntry(entry, writer, token));
      last.catch(fail);
    };
    const parser = new Parser({ strict: true, onReadEntry });
    parser.on('ignoredEntry', ({ path: name, type }: ReadEntry) =>
      fail(refused(l10n.t('“{0}” has an unknown file type ({1}).', name, type))),
    );
    parser.on('error', fail);
    parser.on('end', () => last.then(resolve, fail));
    source.on('error', fail);
    source.pipe(parser as unknown as NodeJS.WritableStream);
  });
}

async function putEntry(entry: ReadEntry, writer: ArchiveWriter, token: CancellationToken): Promise<void> {
  stopIfCancelled(token);
  const { path: name, type, linkpath = '', mode = 0 } = entry;
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return writer.file(name, (mode & 0o111) !== 0, whileWanted(entry as AsyncIterable<Uint8Array>, token));
    case 'Directory':
      await writer.folder(name);
      break;
    case 'SymbolicLink':
      writer.symbolicLink(name, linkpath);
      break;
    case 'Link':
      await writer.hardLink(name, linkpath);
      break;
    default:
      throw refused(l10n.t('“{0}” is not a file, folder or link.', name));
  }
  entry.resume();
}

async function* whileWanted(chunks: AsyncIterable<Uint8Array>, token: CancellationToken): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    stopIfCancelled(token);
    yield chunk;
  }
}

function stopIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
}
