import type { AuthMethod } from '../../acp/authMethods';
import { Later } from '../../base/later';
import { AgentSecrets } from '../agents/agentSecrets';
import { AgentService } from '../agents/agentService';
import { ConfiguredAgents } from '../agents/configuredAgents';
import { loadPrograms } from '../agents/loadPrograms';
import { secretlessLog, secretValues } from '../platform/secretlessLog';
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
      async () => new (await import('../mcp/inputAnswers')).InputAnswers(context.secrets, storage.state, usedAnswers),
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
