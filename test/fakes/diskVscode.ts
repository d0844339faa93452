/* What following the files of a folder needs of VS Code's API, without an editor: `vi.mock('vscode', () => import('…/diskVscode'))`. Nothing is told by a watcher. */
import { plainSettings } from './plainSettings';
import { Emitter } from '../../src/base/event';
import * as fake from './fakeVscode';

export * from './fakeVscode';

interface FileUri {
  readonly scheme: string;
  readonly fsPath: string;
}

export const Uri = { ...fake.Uri, file: (fsPath: string): FileUri => ({ scheme: 'file', fsPath }) };

export class RelativePattern {
  constructor(
    readonly base: FileUri,
    readonly pattern: string,
  ) {}
}

/** No editor is open: nothing is one of these. */
export class TabInputCustom {
  readonly uri = Uri.file('');
}
export class TabInputNotebook extends TabInputCustom {}

const saved = new Emitter<unknown>();
const silent = () => ({ dispose: () => undefined });

/** The user saves a file in the editor, which is on disk already. */
export function saves(path: string, text: string): void {
  saved.fire({ uri: Uri.file(path), getText: () => text, isDirty: false });
}

fake.resetVscode();
export const workspace = {
  ...fake.workspace,
  workspaceFolders: undefined,
  textDocuments: [],
  notebookDocuments: [],
  createFileSystemWatcher: () => ({ onDidCreate: silent, onDidChange: silent, onDidDelete: silent, dispose: () => undefined }),
  ...plainSettings,
  onDidSaveTextDocument: saved.event,
  onWillSaveTextDocument: silent,
  onDidOpenTextDocument: silent,
  onDidSaveNotebookDocument: silent,
  onDidCreateFiles: silent,
  onDidDeleteFiles: silent,
  onDidRenameFiles: silent,
};
