/*
 * What following the files of a folder needs of VS Code's API, without an editor: `vi.mock('vscode', () =>
 * import('…/diskVscode'))`. Nothing is told by a watcher.
 */
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
/** A document is about to be saved. */
export const willSave = new Emitter<{
  readonly document: { readonly uri: FileUri; getText(): string };
  waitUntil(work: PromiseLike<unknown>): void;
}>();
const windowState = new Emitter<{ readonly focused: boolean }>();
const endedCommand = new Emitter<void>();
const silent = () => ({ dispose: () => undefined });

/** The user saves a file in the editor, which is on disk already. */
export function saves(path: string, text: string): void {
  saved.fire({ uri: Uri.file(path), getText: () => text, isDirty: false });
}

/** The user comes back to the window. */
export function focusWindow(): void {
  windowState.fire({ focused: true });
}

/** A command ends in a terminal of the user. */
export function endCommand(): void {
  endedCommand.fire();
}

/** How many watchers there are now. */
export let watchers = 0;

fake.resetVscode();
export const tasks = { onDidEndTask: silent };
export const commands = { executeCommand: async () => undefined };
export const window = {
  ...fake.window,
  onDidChangeWindowState: windowState.event,
  onDidEndTerminalShellExecution: endedCommand.event,
};
export const workspace = {
  ...fake.workspace,
  workspaceFolders: undefined,
  textDocuments: [],
  notebookDocuments: [],
  createFileSystemWatcher: () => {
    watchers++;
    return { onDidCreate: silent, onDidChange: silent, onDidDelete: silent, dispose: () => void watchers-- };
  },
  ...plainSettings,
  onDidSaveTextDocument: saved.event,
  onWillSaveTextDocument: willSave.event,
  onDidOpenTextDocument: silent,
  onDidCloseTextDocument: silent,
  onDidSaveNotebookDocument: silent,
  onDidCreateFiles: silent,
  onDidDeleteFiles: silent,
  onDidRenameFiles: silent,
};
