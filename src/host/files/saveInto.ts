import { lstat, realpath } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { LinkedPathError } from '../../node/openWithoutLinks';
import { readSettled } from '../../node/settledFiles';
import { withLineFeeds } from '../../changes/lineFeeds';
import { systemClock } from '../platform/clock';
import { samePath, saveDocument } from './documentEdits';
import { fileText } from './fileText';

/** VS Code has saved a document, but the checked file does not have its text. The message is for users. */
export class SavedElsewhereError extends Error {
  override readonly name = 'SavedElsewhereError';

  constructor(real: string) {
    super(
      l10n.t(
        'VS Code saved the file, but the saved text is not in {0}: the path pointed to a different file at that time. Check which file changed.',
        real,
      ),
    );
  }
}

/**
 * Saves a document. VS Code opens files by their path and follows links, so this checks before that the path leads to
 * the file, and afterwards that the file has the text.
 * @param real the checked file, links resolved.
 * @throws LinkedPathError if the path leads elsewhere and nothing was saved; SavedElsewhereError; as `saveDocument`.
 */
export async function saveInto(document: vscode.TextDocument, real: string): Promise<void> {
  await refuseElsewhere(document, real);
  // Save participants change the text, and the user may type on.
  const texts = new Set([document.getText()]);
  const registration = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document) texts.add(document.getText());
  });
  try {
    await saveDocument(document);
    const bytes = await readSettled(real, systemClock).catch((error: unknown) => {
      if (error instanceof LinkedPathError) throw new SavedElsewhereError(real);
      throw error;
    });
    texts.add(document.getText());
    if (!(await holds(document, bytes, texts))) throw new SavedElsewhereError(real);
  } finally {
    registration.dispose();
  }
}

/** @throws LinkedPathError if the document's path no longer leads to the file. */
export async function refuseElsewhere(document: vscode.TextDocument, real: string): Promise<void> {
  const { fsPath } = document.uri;
  const now = await realpath(fsPath).catch((error: NodeJS.ErrnoException) => {
    // The file is gone, but its document can still be saved.
    if (error.code !== 'ENOENT') throw error;
    return real;
  });
  if (now !== real && !(samePath(now, real) && (await isOneFile(now, real)))) throw new LinkedPathError(fsPath);
}

/** Two spellings may name two files: on macOS and Windows that depends on the volume or the folder. */
async function isOneFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => lstat(path, { bigint: true })));
  return one!.ino === other!.ino && one!.dev === other!.dev;
}

async function holds(document: vscode.TextDocument, bytes: Buffer, texts: ReadonlySet<string>): Promise<boolean> {
  const decode = async (content: Buffer) =>
    withLineFeeds((await fileText(document.uri.fsPath, content, document.encoding))?.text ?? '\0');
  const disk = await decode(bytes);
  if ([...texts].some((text) => withLineFeeds(text) === disk)) return true;
  // A save replaces characters that the encoding lacks.
  for (const text of texts)
    if ((await decode(Buffer.from(await vscode.workspace.encode(text, { encoding: document.encoding })))) === disk)
      return true;
  return false;
}
