import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { asObject } from '../../../base/decode';
import { parsedJson } from '../../../base/json';
import type { Logger } from '../../../base/log';
import type { Version } from '../../../changes/checkpointLog';
import { isContentName, type Stored } from '../../../changes/content';
import { decodeCheckpoint } from '../../../changes/decodeSaved';
import { withLineFeeds } from '../../../changes/lineFeeds';
import { sha256 } from '../../storage/contentName';
import type { ContentStore } from '../../storage/contentStore';
import type { StoreFiles } from '../../storage/storeFiles';

/* Builds before 27 November 2026 had a store of values and a store of bytes for each use. This reads them once. */

/**
 * A JSON value of an earlier store. Its file is named by its content, and may have several values: `digest:place`.
 * @throws Error if it is missing or damaged
 */
export async function earlierValue(folder: string, name: string, files: StoreFiles): Promise<unknown> {
  const [file = '', place] = /^[\da-f]{64}(:\d{1,6})?$/.test(name) ? name.split(':') : [];
  const text = await files.read(nodePath.join(folder, `${file}.json`));
  if (sha256(text) !== file) throw new Error(l10n.t('its stored copy is damaged or missing'));
  const value: unknown = JSON.parse(text);
  return place === undefined ? value : (value as readonly unknown[])[Number(place)];
}

/** Moves the bytes of an earlier store into the content store, which uses the same names. */
export async function takeEarlierBytes(folder: string, contents: ContentStore, files: StoreFiles): Promise<void> {
  const names = (await files.list(folder).catch(() => [])).filter(isContentName);
  if (names.length > 0) await files.makeFolder(contents.folder);
  for (const name of names) await files.rename(nodePath.join(folder, name), nodePath.join(contents.folder, name));
}

/** Removes the values of an earlier store after everything was copied to the new one. */
export async function removeEarlierValues(folder: string, files: StoreFiles): Promise<void> {
  for (const name of await files.list(folder).catch(() => []))
    if (name.endsWith('.json') && isContentName(name.slice(0, -'.json'.length)))
      await files.remove(nodePath.join(folder, name));
}

/**
 * Converts the folder of a session's checkpoints from an earlier build, which had a store of its own, to a log. A crash
 * leaves the folder, or the log.
 * @param folder absolute @param file the log
 */
export async function takeEarlierCheckpoints(
  folder: string,
  file: string,
  contents: ContentStore,
  files: StoreFiles,
  log: Logger,
): Promise<void> {
  const text = await files.read(nodePath.join(folder, 'log.ndjson')).catch(() => undefined);
  if (text === undefined) return;
  const lines: string[] = [];
  for (const line of text.split('\n').filter((item) => item !== '')) {
    const event = decodeCheckpoint(await eventOf(asObject(parsedJson(line)), folder, contents, files));
    if (event) lines.push(`${JSON.stringify(event)}\n`);
    else log.warn('A line of the checkpoints could not be read');
  }
  await contents.settled();
  await files.write(`${file}.new`, lines.join(''));
  await files.rename(`${file}.new`, file);
  await files.remove(folder);
}

async function eventOf(
  event: Readonly<Record<string, unknown>>,
  folder: string,
  contents: ContentStore,
  files: StoreFiles,
): Promise<unknown> {
  const version = (raw: unknown) => versionOf(asObject(raw), folder, contents, files);
  if (event['type'] === 'touched') return { ...event, before: await version(event['before']) };
  if (event['type'] !== 'saved' || !Array.isArray(event['files'])) return event;
  const saved: unknown[] = [];
  for (const [path, raw] of event['files'] as readonly (readonly [unknown, unknown])[])
    saved.push([path, await version(raw)]);
  return { ...event, files: saved };
}

/** A version with all parts that can be read; the others become unknown. */
async function versionOf(
  { text, review, whole, mode, waits, isUnknown }: Readonly<Record<string, unknown>>,
  folder: string,
  contents: ContentStore,
  files: StoreFiles,
): Promise<Record<keyof Version, unknown>> {
  const value = (name: unknown) =>
    typeof name === 'string' ? earlierValue(folder, name, files).catch(() => undefined) : undefined;
  const [content, entry] = [await value(text), await value(review)];
  const isText = typeof content === 'string';
  return {
    content: isUnknown
      ? undefined
      : whole
        ? await withBytes(whole, folder, contents, files)
        : isText
          ? {
              kind: 'text',
              digest: sha256(withLineFeeds(content)),
              mode,
              stored: contents.put(Buffer.from(content)),
              isDecoded: true,
            }
          : text === null
            ? { kind: 'absent' }
            : undefined,
    entry: entry === undefined ? undefined : contents.put(Buffer.from(JSON.stringify(entry))),
    waits: waits && {
      ...asObject(waits),
      before: await withBytes(asObject(waits)['before'], folder, contents, files),
    },
  };
}

/** The content of a file from an earlier build, with its bytes in the new store. */
async function withBytes(raw: unknown, folder: string, contents: ContentStore, files: StoreFiles): Promise<unknown> {
  const { kept, ...content } = asObject(raw);
  const { name } = asObject(kept);
  if (typeof name !== 'string' || !isContentName(name)) return raw && content;
  const bytes = await files.readBytes(nodePath.join(folder, name)).catch(() => undefined);
  const stored: Stored | undefined = bytes && sha256(bytes) === name ? contents.put(bytes) : undefined;
  return { ...content, stored };
}
