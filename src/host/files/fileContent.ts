import { access, constants, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { AcpError } from '../../acp/errors';
import { readSettled } from '../../node/settledFiles';
import { systemClock } from '../clock';
import { decodeText } from './decodeText';
import { openDocument } from './documentEdits';

/** Larger files are refused: no agent can use them, and the whole text would travel as one line of JSON. Bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export type FileState = 'missing' | 'file' | 'readOnly';

/** @throws AcpError for what is no regular file, or too large. */
export async function fileState(path: string): Promise<FileState> {
  let stats;
  try {
    stats = await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    throw AcpError.invalidParams(`Cannot access ${path}: ${code ?? 'unknown error'}`, { path });
  }
  if (stats.isDirectory()) throw AcpError.invalidParams(`${path} is a directory`, { path });
  if (!stats.isFile()) throw AcpError.invalidParams(`${path} is not a regular file`, { path });
  if (stats.size > MAX_FILE_BYTES) throw AcpError.invalidParams(`${path} is too large (${stats.size} bytes, at most ${MAX_FILE_BYTES})`, { path });
  // An administrator may write everything, so the permission bits are asked too: VS Code refuses to save by them.
  const writable = (stats.mode & 0o222) !== 0 && (await access(path, constants.W_OK).then(() => true, () => false));
  return writable ? 'file' : 'readOnly';
}

/**
 * What a file holds for a person who looks at it in VS Code: unsaved text where there is some, else the file, decoded as
 * VS Code does. A clean document is not asked: a hidden one may not have noticed yet that its file has changed.
 * @returns undefined where there is no such file.
 * @throws AcpError for a directory, a binary file, and one that is too large.
 */
export async function currentText(path: string, real: string = path): Promise<string | undefined> {
  const document = openDocument(path, real);
  if (document?.isDirty) return document.getText();
  return diskText(path, document);
}

/** The text of the file on disk, once nobody is writing it any more; see `currentText`. */
export async function diskText(path: string, document?: vscode.TextDocument): Promise<string | undefined> {
  if ((await fileState(path)) === 'missing') return undefined;
  const bytes = await readSettled(path, systemClock);
  const text = await decodeText(path, bytes, document?.encoding);
  if (text.includes('\0')) throw AcpError.invalidParams(`${path} is a binary file`, { path });
  return text;
}
