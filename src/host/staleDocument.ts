import * as vscode from 'vscode';
import { Deferred } from '../base/deferred';
import { withLineFeeds } from '../review/lineEdits';
import { diskText } from './fileContent';

/** A clean document follows its file by itself; longer than this it is not waited for. Milliseconds. */
const FOLLOW_MS = 1_500;

/** Whether a clean document holds what is on disk; waits a moment for VS Code to notice that the file has changed. */
export async function followsDisk(document: vscode.TextDocument, path: string): Promise<boolean> {
  const deadline = Date.now() + FOLLOW_MS;
  for (;;) {
    const disk = await diskText(path, document);
    if (document.isDirty || (disk !== undefined && withLineFeeds(disk) === withLineFeeds(document.getText()))) return true;
    if (Date.now() > deadline) return false;
    const changed = new Deferred<void>();
    const registration = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) changed.resolve();
    });
    const timer = setTimeout(() => changed.resolve(), 100);
    await changed.promise;
    clearTimeout(timer);
    registration.dispose();
  }
}

/** For a clean document that does not follow its file: it has nothing to lose and will read the file again. @returns the text as written, with `\n`. */
export async function replaceOnDisk(document: vscode.TextDocument, path: string, content: string): Promise<string> {
  const text = withLineFeeds(content.startsWith('\uFEFF') ? content.slice(1) : content);
  const withEol = document.eol === vscode.EndOfLine.CRLF ? text.replaceAll('\n', '\r\n') : text;
  await vscode.workspace.fs.writeFile(vscode.Uri.file(path), await vscode.workspace.encode(withEol, { encoding: document.encoding }));
  return text;
}
