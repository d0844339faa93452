import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type Content, isProgramIn, isSameContent, isSameMode, isTooLarge, withProgram } from '../../changes/content';
import { withLineFeeds } from '../../changes/lineFeeds';
import { changeMode, createFile, type Expected, putBytes, removeFile } from '../../node/changeFiles';
import { documentAt, editDocument } from './documentEdits';
import { fileState, isOnlyUnsaved, isReadOnly, readOnly } from './fileContent';
import { ChangedMeanwhileError, changesOnSave, type FileOnDisk, fileOnDisk, openText } from './fileOnDisk';
import { encodedNew, withoutMark } from './fileText';
import { contentOf, digestOfHuge } from './readContent';
import { realOf } from './realPath';
import { refuseElsewhere } from './saveInto';
import { followsDisk } from './staleDocument';
import { writeDocument } from './writeDocument';
import type { WriteStep } from '../../changes/writeSteps';
import { refuseUnsaved, refuseUnsavedElsewhere } from './unsavedWork';
import { type ContentInHand, contentOfText, textIn } from '../storage/contentInHand';

/** Text files byte by byte, where their text and the present file do not give the bytes. */
export interface OriginalBytes {
  /** The file that contained this text. */
  get(path: string, text: string): Promise<{ readonly bytes: Buffer; readonly mode: number | undefined } | undefined>;
  /** The file as it is now, because its new bytes will not tell how it was. */
  store(path: string, text: string, file: { readonly bytes: Buffer; readonly mode: number | undefined }): void;
}

export interface ReplaceOptions {
  readonly originals?: OriginalBytes | undefined;
  /** A text of the file from which lines come back, with the line ends that they had. */
  readonly before?: string | undefined;
  /**
   * Set if a text is to be saved as the user would save it: VS Code may format it, and unsaved text is saved with it.
   * Otherwise exactly this text is put, and a document with unsaved text is not saved.
   */
  readonly saving?: Saving | undefined;
}

export interface Saving {
  /**
   * The document has text that was typed in the last moment of an earlier save. VS Code reports it as unsaved only with
   * the next keystroke.
   */
  readonly isBehind: boolean;
}

export interface Replaced {
  /** The file's content afterwards, as a user of VS Code sees it. */
  readonly content: ContentInHand;
  /** False: the text is unsaved, because the user had unsaved text in the file. */
  readonly isOnDisk: boolean;
  /** The texts of the document meanwhile, in order; undefined if the file got its bytes. */
  readonly steps?: readonly WriteStep[] | undefined;
}

/**
 * Gives a file another content, or deletes it: the one write of Parley, for agents, Undo, Restore and Redo. A text that
 * is open is edited in its document, so that Ctrl+Z takes it back, and saved unless it had unsaved text. Where a save
 * would change more than the text, and for all other contents, the file gets its bytes, and a document reads it again.
 * @param path absolute, in the workspace's spelling
 * @param expected what the file contains; its bytes, if they are in hand, were read just now
 * @param next its bytes are used if they are in hand; else they are encoded like the present file's
 * @throws ChangedMeanwhileError if the file contains something else; Error if it cannot be written
 */
export async function replaceContent(
  path: string,
  expected: ContentInHand,
  next: ContentInHand,
  options: ReplaceOptions = {},
): Promise<Replaced> {
  refuseUnsavedElsewhere(path);
  const real = await realOf(path);
  if (next.kind === 'absent') return takeAway(path, real, expected);
  const isSame = isSameContent(expected, next) && !(next.bytes && isOther(next.bytes, expected));
  const replaced =
    isSame && !options.saving
      ? { content: expected, isOnDisk: true }
      : expected.kind === 'text' && next.kind === 'text'
        ? await writeText(path, real, expected, next, options)
        : await writeBytes(path, real, expected, next, options.originals);
  if (expected.kind !== 'absent' && !isSameMode(expected, next)) {
    const isProgram = isProgramIn(next)!;
    await changeMode(real, (mode) => withProgram(mode, isProgram));
    const { content } = replaced;
    if (content.kind !== 'absent') return { ...replaced, content: { ...content, mode: next.mode } };
  }
  return replaced;
}

function isOther(bytes: Buffer, expected: ContentInHand): boolean {
  return expected.kind === 'absent' || expected.bytes?.equals(bytes) !== true;
}

async function takeAway(path: string, real: string, expected: ContentInHand): Promise<Replaced> {
  const document = await documentAt(path, real);
  // Unsaved text is what the user sees and has agreed to.
  if (document?.isDirty && !isSameContent(contentOfText(document.getText()), expected))
    throw new ChangedMeanwhileError();
  if (!(await removeFile(real, document?.isDirty ? undefined : expecting(path, expected))))
    throw new ChangedMeanwhileError();
  return { content: { kind: 'absent' }, isOnDisk: true };
}

/** A new file, a binary file, or a file of another kind than before. */
async function writeBytes(
  path: string,
  real: string,
  expected: ContentInHand,
  next: Exclude<ContentInHand, { readonly kind: 'absent' }>,
  originals: OriginalBytes | undefined,
): Promise<Replaced> {
  if (expected.kind === 'absent' && (await isOnlyUnsaved(path)))
    throw new Error(l10n.t('it was deleted, but its editor has unsaved changes. Save or close the editor first.'));
  refuseUnsaved(path);
  if (await isReadOnly(path)) throw readOnly();
  const text = textIn(next);
  const original = next.bytes || text === undefined ? undefined : await originals?.get(path, text);
  const bytes =
    next.bytes ?? original?.bytes ?? (text === undefined ? undefined : await encodedNew(path, ownEnds(next)));
  if (!bytes) throw new Error(l10n.t('its original content was too large to back up'));
  // All of that may have taken long.
  refuseUnsaved(path);
  const mode = next.mode ?? original?.mode;
  if (expected.kind !== 'absent') {
    if (!(await putBytes(real, bytes, expecting(path, expected)))) throw new ChangedMeanwhileError();
    if (mode !== undefined) await changeMode(real, () => mode);
  } else
    await createFile(real, bytes, mode).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new ChangedMeanwhileError() : error;
    });
  return { content: next.kind === 'binary' ? { ...next, mode } : await contentOf(path, bytes, mode), isOnDisk: true };
}

/** A text as its file had it, as far as that is known. */
function ownEnds(content: ContentInHand): string {
  const text = textIn(content) ?? '';
  return content.kind === 'text' && content.form?.ends === '\r\n' ? text.replaceAll('\n', '\r\n') : text;
}

type Text = ContentInHand & { readonly kind: 'text' };

async function writeText(
  path: string,
  real: string,
  expected: Text,
  next: Text,
  options: ReplaceOptions,
): Promise<Replaced> {
  const { originals, saving } = options;
  const open = await documentAt(path, real);
  const state = expected.bytes && !open ? stateOf(expected) : await fileState(path, real);
  if (state === 'readOnly') throw readOnly();
  // A save creates a file that only its editor still has.
  if (state === 'missing') {
    if (!saving || !open?.isDirty) throw new ChangedMeanwhileError();
    return throughDocument(open, path, real, expected, next.text, saving);
  }
  const { document, file } = await opened(path, real, open, expected, saving);
  if (saving && document) file.refuseUnsaved(document);
  const mayBeUnsaved = document?.isDirty === true || saving?.isBehind === true;
  const isFollowed = document !== undefined && (mayBeUnsaved || (await followsDisk(document, path, real)));
  if (!(document && isFollowed) && !isSameContent(contentOfText(file.text), expected))
    throw new ChangedMeanwhileError();
  const { text } = next;
  const original = next.bytes ?? (await originals?.get(path, text))?.bytes;
  const past =
    file.ends === 'mixed' && options.before !== undefined
      ? (await originals?.get(path, options.before))?.bytes
      : undefined;
  const alike = await file.bytesOf(text, past).catch((error: unknown) => {
    if (!original) throw error;
    return undefined;
  });
  const fresh = original ?? alike!;
  const isAlike = alike?.equals(fresh) === true;
  try {
    if (document && isFollowed && (document.isDirty || (file.isSavedBy(document) && isAlike)))
      return await throughDocument(document, path, real, expected, text, saving);
    if (file.ends === 'mixed' || !isAlike) originals?.store(path, file.text, { bytes: file.bytes, mode: undefined });
    await file.replace(fresh);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? readOnly() : error;
  }
  return { content: { ...contentOfText(text), bytes: fresh, mode: expected.mode }, isOnDisk: true };
}

/** The file, and its document, which is opened where VS Code changes files on save. */
async function opened(
  path: string,
  real: string,
  open: vscode.TextDocument | undefined,
  expected: Text,
  saving: Saving | undefined,
): Promise<{ readonly document: vscode.TextDocument | undefined; readonly file: FileOnDisk }> {
  const file = await fileOnDisk(path, real, open, open ? undefined : expected.bytes);
  if (open || !saving || file.ends === 'mixed' || !changesOnSave(path)) return { document: open, file };
  const document = await openText(path);
  return { document, file: await fileOnDisk(path, real, document) };
}

function stateOf({ mode }: Text): 'file' | 'readOnly' {
  return mode === undefined || (mode & 0o222) !== 0 ? 'file' : 'readOnly';
}

async function throughDocument(
  document: vscode.TextDocument,
  path: string,
  real: string,
  expected: Text,
  text: string,
  saving: Saving | undefined,
): Promise<Replaced> {
  const shown = document.getText();
  if (!isSameContent(contentOfText(shown), expected)) throw new ChangedMeanwhileError();
  if (saving) {
    const steps = await writeDocument(document, real, text, shown);
    return { content: contentOfText(steps.at(-1)!.text), isOnDisk: true, steps };
  }
  const saved = await putText(document, path, real, text);
  return { content: contentOfText(saved ?? document.getText()), isOnDisk: saved !== undefined };
}

/** Checks that a file still has this content; undefined if there must be no file. */
function expecting(path: string, expected: Content): Expected | undefined {
  if (expected.kind === 'absent') return undefined;
  return async (bytes, { size, mtimeMs }) =>
    isTooLarge(expected)
      ? expected.digest === digestOfHuge(size, mtimeMs)
      : isSameContent(await contentOf(path, bytes, undefined, 0), expected);
}

/**
 * Edits a document of an existing file, and saves it if it was clean: other unsaved text is not ours to save. Format on
 * save does not apply: this restores an earlier text.
 * @returns the saved text, undefined if it was not saved.
 * @throws Error if it failed; the document is unchanged then.
 */
async function putText(
  document: vscode.TextDocument,
  path: string,
  real: string,
  text: string,
): Promise<string | undefined> {
  if (document.isDirty) {
    const before = document.getText();
    await refuseElsewhere(document, real);
    if (document.getText() !== before) throw new ChangedMeanwhileError();
    await editDocument(document, text);
    return undefined;
  }
  const steps = await writeDocument(document, real, text);
  const saved = document.getText();
  if (steps.some(({ by }) => by === 'person') || document.isDirty || withLineFeeds(saved) === withLineFeeds(text))
    return saved;
  // A clean document that does not match its file has nothing to lose and will read the file again.
  const file = await fileOnDisk(path, real, document);
  if (withLineFeeds(file.text) !== withLineFeeds(saved)) throw new ChangedMeanwhileError();
  await file.replace(await file.bytesOf(text));
  return withLineFeeds(withoutMark(text));
}
