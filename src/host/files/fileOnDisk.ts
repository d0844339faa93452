import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { AcpError } from '../../acp/errors';
import { overwriteFile } from '../../node/changeFiles';
import { readSettled } from '../../node/settledFiles';
import { type LineEnds, lineEndsOf } from '../../changes/lineEnds';
import { systemClock } from '../platform/clock';
import { openDocument } from './documentEdits';
import { encodedLike, encodingName, fileText, notText, TextLossError } from './fileText';

/** A text file on disk, and the conversion of another text to its bytes. */
export interface FileOnDisk {
  /** Without byte order mark. */
  readonly text: string;
  readonly bytes: Buffer;
  readonly ends: LineEnds;
  /**
   * Whether saving a clean document changes only the text: it has the file's encoding and its line endings, all alike.
   */
  isSavedBy(document: vscode.TextDocument): boolean;
  /** @throws TextLossError if a save of unsaved text would change more. */
  refuseUnsaved(document: vscode.TextDocument): void;
  /**
   * The file's bytes for a text: in its encoding, with its mark; each line keeps its line ending.
   * @param before the file as it was, for lines that return from it. @throws TextLossError
   */
  bytesOf(text: string, before?: Buffer): Promise<Buffer>;
  /**
   * Replaces the file's bytes.
   * @throws Error if the file no longer has the bytes that were read, or its editor has unsaved text; LinkedPathError.
   */
  replace(fresh: Uint8Array): Promise<void>;
}

/**
 * Reads a file that will be written: by its bytes, or through its document if both give the same result.
 * @param real absolute, links resolved.
 * @param document of the file, if it is open.
 * @param read its bytes, if they were read just now.
 * @throws TextLossError if the bytes cannot be restored from the text; AcpError for a binary file.
 */
export async function fileOnDisk(
  path: string,
  real: string,
  document?: vscode.TextDocument,
  read?: Buffer,
): Promise<FileOnDisk> {
  const bytes = read ?? (await readSettled(real, systemClock));
  const found = await fileText(path, bytes, document?.encoding);
  if (!found) throw AcpError.invalidParams(`${path} is a binary file`, { path });
  const { text, ends, encoding } = found;
  if (!encoding) throw notText(document?.encoding ?? encodingName({ uri: vscode.Uri.file(path) }));
  const isEncodedBy = (saved: vscode.TextDocument) => 'encoding' in encoding && encoding.encoding === saved.encoding;
  return {
    text,
    bytes,
    ends,
    isSavedBy: (saved) =>
      isEncodedBy(saved) && (ends === '' || ends === (saved.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n')),
    refuseUnsaved: (saved) => {
      if (!saved.isDirty) return;
      if (!isEncodedBy(saved)) throw notText(saved.encoding);
      if (ends === 'mixed') throw new TextLossError('unsaved_changes');
    },
    bytesOf: async (fresh, before) =>
      encodedLike(path, found, fresh, before && (await fileText(path, before, document?.encoding))),
    replace: async (fresh) => {
      if (
        !(await overwriteFile(
          real,
          fresh,
          (now) => now.equals(bytes) && (document ?? openDocument(path))?.isDirty !== true,
        ))
      )
        throw new ChangedMeanwhileError();
    },
  };
}

/**
 * Another text in the bytes that a file would have with that text. A file of one line has no line endings; the text
 * keeps its own.
 * @throws TextLossError
 */
export async function bytesLike(path: string, bytes: Buffer, text: string): Promise<Buffer> {
  const found = await fileText(path, bytes, openDocument(path)?.encoding);
  if (!found) throw new Error(path);
  return encodedLike(path, found.ends === '' ? { ...found, ends: lineEndsOf(text), text } : found, text);
}

/** Opens the document of a text file, without showing it. @throws AcpError */
export async function openText(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch (error) {
    throw AcpError.invalidParams(`${path} cannot be opened as text: ${messageOf(error)}`, { path });
  }
}

/** Whether VS Code changes files on save, for example by formatting. Then agents' texts are saved through it. */
export function changesOnSave(path: string): boolean {
  const uri = vscode.Uri.file(path);
  return onSave.some(([section, key]) => {
    const found = vscode.workspace.getConfiguration(section, uri).inspect<unknown>(key);
    // A closed file has no language yet, so any language counts.
    return (
      found !== undefined &&
      (found.languageIds !== undefined ||
        [found.defaultValue, found.globalValue, found.workspaceValue, found.workspaceFolderValue].some(isOn))
    );
  });
}

const onSave = [
  ['editor', 'formatOnSave'],
  ['editor', 'codeActionsOnSave'],
  ['files', 'trimTrailingWhitespace'],
  ['files', 'insertFinalNewline'],
  ['files', 'trimFinalNewlines'],
] as const;

function isOn(value: unknown): boolean {
  return value === true || (typeof value === 'object' && value !== null && Object.keys(value).length > 0);
}

/** The current content differs from the one that the decision was about, and nothing was written. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';

  constructor() {
    super(l10n.t('the file was changed at the same time, so Parley left it unchanged'));
  }
}
