import { access, constants, lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { AcpError } from '../../acp/errors';
import { inFolder, LinkedPathError } from '../../node/openWithoutLinks';
import { readSettled } from '../../node/settledFiles';
import { systemClock } from '../platform/clock';
import { documentAt } from './documentEdits';
import { type FileText, fileText } from './fileText';
import { realOf } from './realPath';

/** Larger files are refused: no agent can use them, and the whole text would be one line of JSON. Bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export type FileState = 'missing' | 'file' | 'readOnly';

/** @throws AcpError for a path that is not a regular file, or is too large; LinkedPathError. */
export async function fileState(path: string, real?: string): Promise<FileState> {
  const found = await lookWithoutLinks(path, real ?? (await realOf(path)));
  if (!found) return 'missing';
  const { stats, isWritable } = found;
  if (stats.isDirectory()) throw AcpError.invalidParams(`${path} is a directory`, { path });
  if (!stats.isFile()) throw AcpError.invalidParams(`${path} is not a regular file`, { path });
  if (stats.size > MAX_FILE_BYTES)
    throw AcpError.invalidParams(`${path} is too large (${stats.size} bytes, at most ${MAX_FILE_BYTES})`, { path });
  return isWritable ? 'file' : 'readOnly';
}

/** Whether the file exists and may not be written. */
export async function isReadOnly(path: string): Promise<boolean> {
  return (await lookWithoutLinks(path, await realOf(path)))?.isWritable === false;
}

/** Its document could be edited, but not saved: the editor and the file would differ. */
export function readOnly(): Error {
  return new Error(l10n.t('the file is read-only, so Parley left it unchanged'));
}

async function lookWithoutLinks(path: string, real: string) {
  try {
    return await inFolder(nodePath.dirname(real), async (at) => {
      const entry = at(nodePath.basename(real));
      const stats = await lstat(entry);
      if (stats.isSymbolicLink()) throw new LinkedPathError(real);
      // An administrator may write everything, so check the permission bits, too: VS Code uses them to refuse a save.
      return {
        stats,
        isWritable:
          (stats.mode & 0o222) !== 0 &&
          (await access(entry, constants.W_OK).then(
            () => true,
            () => false,
          )),
      };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof LinkedPathError) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw AcpError.invalidParams(`Cannot access ${path}: ${code ?? 'unknown error'}`, { path });
  }
}

/**
 * The text of a file as VS Code shows it: unsaved text if there is any, else the file, decoded as VS Code does, with
 * U+FFFD for invalid bytes. The text of a clean document is not used: a hidden one may not have noticed yet that its
 * file has changed.
 * @param real the file's path when it was checked. @returns undefined if there is no such file.
 * @throws AcpError for a directory, a binary file, and one that is too large; LinkedPathError.
 */
export async function shownText(path: string, real: string): Promise<string | undefined> {
  return (await shown(path, real))?.text;
}

/**
 * The same, if the file's bytes can be restored from its text.
 * @throws Error if they cannot: then the file is reviewed as a binary one.
 */
export async function currentText(path: string): Promise<string | undefined> {
  return exactly(path, await shown(path, await realOf(path)));
}

/** Whether a file only exists as unsaved text in its editor: the file is gone, and returns when the text is saved. */
export async function isOnlyUnsaved(path: string): Promise<boolean> {
  const real = await realOf(path);
  return (await documentAt(path, real))?.isDirty === true && (await fileState(path, real)) === 'missing';
}

/** The text of the file on disk, once no program is writing it; see `currentText`. */
export async function diskText(path: string, document: vscode.TextDocument, real: string): Promise<string | undefined> {
  return exactly(path, await onDisk(path, document, real));
}

type Found = Pick<FileText, 'text'> & { readonly isExact: boolean };

async function shown(path: string, real: string): Promise<Found | undefined> {
  const document = await documentAt(path, real);
  return document?.isDirty ? { text: document.getText(), isExact: true } : onDisk(path, document, real);
}

async function onDisk(
  path: string,
  document: vscode.TextDocument | undefined,
  real: string,
): Promise<Found | undefined> {
  if ((await fileState(path, real)) === 'missing') return undefined;
  const found = await fileText(path, await readSettled(real, systemClock), document?.encoding);
  if (!found) throw AcpError.invalidParams(`${path} is a binary file`, { path });
  return { text: found.text, isExact: found.encoding !== undefined };
}

function exactly(path: string, found: Found | undefined): string | undefined {
  if (found?.isExact === false) throw AcpError.invalidParams(`${path} is not valid text in its encoding`, { path });
  return found?.text;
}
