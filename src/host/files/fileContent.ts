import { access, constants, lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import type * as vscode from 'vscode';
import { AcpError } from '../../acp/errors';
import { inFolder, LinkedPathError } from '../../node/openWithoutLinks';
import { readSettled } from '../../node/settledFiles';
import { systemClock } from '../clock';
import { decodeText } from './decodeText';
import { documentAt } from './documentEdits';
import { realOf } from './realPath';

/** Larger files are refused: no agent can use them, and the whole text would travel as one line of JSON. Bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export type FileState = 'missing' | 'file' | 'readOnly';

/** @throws AcpError for what is no regular file, or too large; LinkedPathError. */
export async function fileState(path: string, real?: string): Promise<FileState> {
  const found = await lookWithoutLinks(path, real ?? (await realOf(path)));
  if (!found) return 'missing';
  const { stats, isWritable } = found;
  if (stats.isDirectory()) throw AcpError.invalidParams(`${path} is a directory`, { path });
  if (!stats.isFile()) throw AcpError.invalidParams(`${path} is not a regular file`, { path });
  if (stats.size > MAX_FILE_BYTES) throw AcpError.invalidParams(`${path} is too large (${stats.size} bytes, at most ${MAX_FILE_BYTES})`, { path });
  return isWritable ? 'file' : 'readOnly';
}

/** Whether there is a file that may not be written. */
export async function isReadOnly(path: string): Promise<boolean> {
  return (await lookWithoutLinks(path, await realOf(path)))?.isWritable === false;
}

async function lookWithoutLinks(path: string, real: string) {
  try {
    return await inFolder(nodePath.dirname(real), async (at) => {
      const entry = at(nodePath.basename(real));
      const stats = await lstat(entry);
      if (stats.isSymbolicLink()) throw new LinkedPathError(real);
      // An administrator may write everything, so the permission bits are asked too: VS Code refuses to save by them.
      return { stats, isWritable: (stats.mode & 0o222) !== 0 && (await access(entry, constants.W_OK).then(() => true, () => false)) };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof LinkedPathError) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw AcpError.invalidParams(`Cannot access ${path}: ${code ?? 'unknown error'}`, { path });
  }
}

/**
 * What a file holds for a person who looks at it in VS Code: unsaved text where there is some, else the file, decoded as
 * VS Code does. A clean document is not asked: a hidden one may not have noticed yet that its file has changed.
 * @param real where the file was found when it was checked. @returns undefined where there is no such file.
 * @throws AcpError for a directory, a binary file, and one that is too large; LinkedPathError.
 */
export async function currentText(path: string, real?: string): Promise<string | undefined> {
  const opened = real ?? (await realOf(path));
  const document = await documentAt(path, opened);
  if (document?.isDirty) return document.getText();
  return diskText(path, document, opened);
}

/** The text of the file on disk, once nobody is writing it any more; see `currentText`. */
export async function diskText(path: string, document?: vscode.TextDocument, real?: string): Promise<string | undefined> {
  const opened = real ?? (await realOf(path));
  if ((await fileState(path, opened)) === 'missing') return undefined;
  const bytes = await readSettled(opened, systemClock);
  const text = await decodeText(path, bytes, document?.encoding);
  if (text.includes('\0')) throw AcpError.invalidParams(`${path} is a binary file`, { path });
  return text;
}
