import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { silentLogger } from '../../src/base/log';
import { isProgramIn, isSameContent, isSameMode, shortDigest } from '../../src/changes/content';
import { lineEndsOf } from '../../src/changes/lineEnds';
import { ReviewContents } from '../../src/host/changes/stored/reviewContents';
import { sha256 } from '../../src/host/storage/contentName';
import { ContentStore } from '../../src/host/storage/contentStore';
import { type ContentInHand, contentOfText } from '../../src/host/storage/contentInHand';

/** What the review knows beside lines, in a store of its own. @param folder absolute */
export function contentsIn(folder: string): ReviewContents {
  const saving = { schedule: () => undefined, save: async () => undefined };
  return new ReviewContents(new ContentStore(folder, silentLogger), saving);
}

/** What a file holds, as the host tells it; a file with a zero in it is binary. */
export function contentAt(path: string): ContentInHand {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return { kind: 'absent' };
  if (stats.isDirectory()) throw new Error('it is no file');
  const bytes = readFileSync(path);
  const mode = stats.mode & 0o777;
  if (bytes.includes(0)) return { kind: 'binary', digest: sha256(bytes), bytes, mode };
  // Without the byte order mark.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const encoding = bytes.toString('utf8') === text ? 'utf8' : 'utf8bom';
  return { ...contentOfText(text), form: { encoding, ends: lineEndsOf(text) }, bytes, mode };
}

/** Writes files as `replaceContent` does, on the real disk and without an editor. */
export function replaceOnDisk(unsaved: ReadonlySet<string>, step: (half?: () => void) => void = () => undefined) {
  return async (path: string, expected: ContentInHand, next: ContentInHand): Promise<ContentInHand> => {
    if (unsaved.has(path)) throw new Error('it has unsaved changes');
    if (shortDigest(contentAt(path)) !== shortDigest(expected)) throw new Error('it was changed at the same time');
    if (next.kind === 'absent') {
      step();
      rmSync(path);
      return next;
    }
    const bytes = next.bytes ?? (next.kind === 'text' ? Buffer.from(next.text) : undefined);
    if (bytes && !(isSameContent(expected, next) && expected.kind !== 'absent' && expected.bytes?.equals(bytes))) {
      mkdirSync(dirname(path), { recursive: true });
      step(() => writeFileSync(path, bytes.subarray(0, 1)));
      writeFileSync(path, bytes);
      const isWhole = expected.kind !== 'text' || next.kind !== 'text';
      if (isWhole && next.mode !== undefined) chmodSync(path, next.mode);
    }
    if (!isSameMode(contentAt(path), next)) chmodSync(path, isProgramIn(next) ? 0o755 : 0o644);
    return contentAt(path);
  };
}
