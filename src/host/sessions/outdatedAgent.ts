import type { AgentConfiguration } from '../agents/agentSettings';
import type { AgentService } from '../agents/agentService';

interface Agents {
  readonly agents: Pick<AgentService, 'running' | 'stop'>;
  /** What the settings say now; undefined for an agent that is not there any more. */
  agentNamed(name: string): AgentConfiguration | undefined;
}

/**
 * Ends an agent whose settings have changed since it started, if all of its sessions are idle: the next start waits for
 * that and uses the new settings. Its sessions are joined again with their next prompts.
 */
export async function endOutdated(
  { agents, agentNamed }: Agents,
  name: string,
  sessions: readonly { readonly agent: string; readonly isIdle: boolean }[],
): Promise<void> {
  const [running, now] = [agents.running(name), agentNamed(name)];
  if (!running || !now || JSON.stringify(running.configuration) === JSON.stringify(now)) return;
  if (!sessions.some((session) => session.agent === name && !session.isIdle)) await agents.stop(name);
}
