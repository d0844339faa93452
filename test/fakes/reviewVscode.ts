import { plainSettings } from './plainSettings';

const event = () => ({ dispose: () => undefined });
const events = [
  'onDidChangeTextDocument',
  'onDidOpenTextDocument',
  'onDidSaveTextDocument',
  'onDidCloseTextDocument',
  'onDidRenameFiles',
  'onDidCreateFiles',
  'onDidDeleteFiles',
];

/** As much of VS Code as the review of files needs that no editor has open. */
export function reviewVscode() {
  return {
    workspace: {
      ...plainSettings,
      textDocuments: [],
      notebookDocuments: [],
      workspaceFolders: [],
      ...Object.fromEntries(events.map((name) => [name, event])),
    },
    window: {
      tabGroups: { all: [], activeTabGroup: {}, onDidChangeTabs: event, onDidChangeTabGroups: event },
      onDidChangeWindowState: event,
      onDidEndTerminalShellExecution: event,
      // Only a slow machine takes long enough to show it.
      withProgress: (_options: unknown, work: (...shown: unknown[]) => Promise<unknown>) =>
        work({ report: () => undefined }, { onCancellationRequested: event }),
    },
    ProgressLocation: { Notification: 15 },
    commands: { executeCommand: async () => undefined },
    tasks: { onDidEndTask: event },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    TabInputNotebookDiff: Array,
    TabInputTextDiff: Array,
  };
}
