import { DOUBTFUL_QUIET_MS, lookSettled, QUIET_MS } from '../../node/settledFiles';
import type { Snapshot } from '../../changes/wholeChange';
import type { OriginalFile } from './originals';
import { snapshotOf } from './checkpoints/snapshots';
import { lookNow } from './disk/diskContent';
import { documentAt } from '../files/documentEdits';
import { currentText } from '../files/fileContent';
import { fileText } from '../files/fileText';
import { realOf } from '../files/realPath';
import { systemClock } from '../platform/clock';

/** What a file contains now: a text with its own line ends, unsaved changes included, or the snapshot of what is no text. */
export interface StandingFile {
  /** Undefined: there is no such file, or it is no text. */
  readonly text: string | undefined;
  /** Permission bits of a text on disk. */
  readonly mode?: number | undefined;
  readonly whole?: Snapshot;
  /** The same byte by byte, where that is all that there is of it. */
  readonly original?: OriginalFile | undefined;
}

/** Looks at a file in one read, once nobody is writing it any more. @throws as `currentText` */
export async function standingFile(path: string): Promise<StandingFile> {
  const document = await documentAt(path, await realOf(path));
  const found = await lookSettled([path], { look: lookNow, quietMs: (_, look) => (look.kind !== 'file' || look.content.kind !== 'text' ? 0 : look.content.text === '' ? DOUBTFUL_QUIET_MS : QUIET_MS), clock: systemClock });
  const look = found.get(path)!;
  const content = look.kind === 'file' ? look.content : undefined;
  if (content?.kind === 'binary') return { text: undefined, whole: snapshotOf(content) };
  const mode = content?.kind === 'text' ? { mode: content.original?.mode } : {};
  // What is no file has its own error.
  if (document?.isDirty || !content) return { text: await currentText(path), ...mode };
  if (content.kind === 'absent') return { text: undefined };
  const { original } = content;
  const text = original?.bytes.includes(CARRIAGE_RETURN) ? (await fileText(path, original.bytes, document?.encoding))?.text : content.text;
  return { text, ...mode, original };
}

const CARRIAGE_RETURN = 13;
