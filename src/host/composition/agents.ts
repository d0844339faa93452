import * as vscode from 'vscode';
import type { AuthMethod } from '../../acp/authMethods';
import { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import { processTag } from '../../node/processTag';
import type { Watchdog } from '../../node/watchdog';
import type { AgentPrograms } from '../agents/agentPrograms';
import { AgentSecrets } from '../agents/agentSecrets';
import { AgentService } from '../agents/agentService';
import type { AgentConfiguration } from '../agents/agentSettings';
import { ConfiguredAgents } from '../agents/configuredAgents';
import { secretlessLog, secretValues } from '../platform/secretlessLog';
import { foldersOnDisk } from '../platform/workspaceFolders';
import type { SessionDirectory } from '../sessions/sessionDirectory';
import { ApiKeys } from '../signIn/apiKeys';
import type { Worktrees } from '../worktrees/worktrees';
import type { AgentRequests } from './agentRequests';
import type { Basis } from './basis';

export type Agents = ReturnType<typeof createAgents>;

/** Which agents there are, their programs and processes, and the secrets that they may learn. */
export function createAgents(
  { own, context, log, storage, watchdog }: Basis,
  directory: SessionDirectory,
  { router }: AgentRequests,
  worktrees: Worktrees,
) {
  const configured = new ConfiguredAgents(context.extensionUri, context.globalState);
  for (const { text } of configured.problems) log.warn(`parley.agents: ${text}`);
  const apiKeys = new ApiKeys(context.secrets);
  const usedAnswers = new Set<string>();
  const inputAnswers = own(
    new Later(
      async () =>
        new (await import('../mcp/inputAnswers')).InputAnswers(context.secrets, storage.state, usedAnswers, log),
    ),
  );
  const variables = new AgentSecrets(context.secrets);
  // Agents inherit the variables of the window.
  const inherited = secretValues(process.env);
  const used = () => [...apiKeys.used, ...usedAnswers, ...variables.used, ...inherited];
  const secretless = secretlessLog(log, used);
  const programs = loadPrograms(context, configured.all, variables, watchdog, log);
  const processes = own(
    new AgentService(
      (routeKey, name) => router.handlersFor(routeKey, () => directory.homeOf(name)),
      String(context.extension.packageJSON.version),
      secretless,
      programs,
      watchdog,
      (folder) => worktrees.at(folder)?.branch,
    ),
  );
  /** A key that worked before, for one of an agent's methods. */
  const keyFor = async (agent: string, methods: readonly AuthMethod[]) => {
    for (const { id, how } of methods) {
      const key = how.type === 'apiKey' ? await apiKeys.get(agent, id).catch(() => undefined) : undefined;
      if (key !== undefined) return { methodId: id, key };
    }
    return undefined;
  };
  return { configured, programs, processes, secrets: { apiKeys, inputAnswers, variables, used, keyFor }, secretless };
}

/** @returns a function that loads the code for agents' programs once, when the first agent starts. */
function loadPrograms(
  context: vscode.ExtensionContext,
  agents: () => readonly AgentConfiguration[],
  secrets: AgentSecrets,
  watchdog: Watchdog,
  log: Logger,
): () => Promise<AgentPrograms> {
  const root = vscode.Uri.joinPath(context.globalStorageUri, 'agents').fsPath;
  const programs = new Later(async () => {
    const { AgentPrograms } = await import('../agents/agentPrograms');
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
