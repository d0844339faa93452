import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { workerData } from 'node:worker_threads';
import bunzip from 'unbzip2-stream';

/*
 * /* Unpacks a bzip2 file in its own thread: each four megabytes take a second. Its error ends the thread; the words
 * for the user are in unpackArchive.ts, because no translation is loaded here.
 */
const { from, to, maxBytes } = workerData as { readonly from: string; readonly to: string; readonly maxBytes: number };

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.length;
    if (done > maxBytes) throw new Error('tooLarge');
    yield chunk;
  }
}

// The library has a stream of the oldest kind, which `pipeline` considers broken at its end.
const [source, unpacking, unpacked] = [createReadStream(from), bunzip(), new PassThrough()];
for (const stream of [source, unpacking]) stream.on('error', (error: Error) => unpacked.destroy(error));
source.pipe(unpacking).pipe(unpacked);
void pipeline(unpacked, limited, createWriteStream(to, { flags: 'wx' }));
