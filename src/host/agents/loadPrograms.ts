import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import { treeMark } from '../../node/treeMark';
import type { Watchdog } from '../../node/watchdog';
import type { AgentConfiguration } from '../configuration';
import type { AgentPrograms } from '../lazy/agentPrograms';
import { foldersOnDisk } from '../sessions/sessionFolders';

/** @returns what loads the code for agents' programs when the first agent starts, once. */
export function loadPrograms(context: vscode.ExtensionContext, agents: () => readonly AgentConfiguration[], watchdog: Watchdog, log: Logger): () => Promise<AgentPrograms> {
  const root = vscode.Uri.joinPath(context.globalStorageUri, 'agents').fsPath;
  let loaded: Promise<AgentPrograms> | undefined;
  return () => (loaded ??= import('../lazy/agentPrograms').then((lazy) => new lazy.AgentPrograms({ root, agents, folders: foldersOnDisk, state: context.globalState, tree: { mark: treeMark, watchdog }, log })));
}
