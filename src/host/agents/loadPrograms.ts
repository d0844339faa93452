import * as vscode from 'vscode';
import { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import { processTag } from '../../node/processTag';
import type { Watchdog } from '../../node/watchdog';
import type { AgentSecrets } from './agentSecrets';
import type { AgentConfiguration } from './agentSettings';
import type { AgentPrograms } from './agentPrograms';
import { foldersOnDisk } from '../platform/workspaceFolders';

/** @returns a function that loads the code for agents' programs once, when the first agent starts. */
export function loadPrograms(
  context: vscode.ExtensionContext,
  agents: () => readonly AgentConfiguration[],
  secrets: AgentSecrets,
  watchdog: Watchdog,
  log: Logger,
): () => Promise<AgentPrograms> {
  const root = vscode.Uri.joinPath(context.globalStorageUri, 'agents').fsPath;
  const programs = new Later(async () => {
    const { AgentPrograms } = await import('./agentPrograms');
    return new AgentPrograms({
      installation: {
        root,
        tree: { mark: processTag, watchdog },
        bunzip: context.asAbsolutePath('dist/bunzip.js'),
        runtime: {
          root: vscode.Uri.joinPath(context.globalStorageUri, 'runtime').fsPath,
          pins: context.asAbsolutePath('media/runtime.json'),
          address: () => vscode.workspace.getConfiguration('parley').get<string>('runtime.url', ''),
        },
        proxy: () => vscode.workspace.getConfiguration('http').get<string>('proxy', ''),
        log,
      },
      agents,
      secrets,
      folders: foldersOnDisk,
      state: context.globalState,
    });
  });
  return () => programs.get();
}
