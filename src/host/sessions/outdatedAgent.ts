import type { SessionAgents } from './sessionServices';

/**
 * Ends an agent whose settings have changed since it started, if all of its sessions are idle: the next start waits for
 * that and uses the new settings. Its sessions are joined again with their next prompts.
 */
export async function endOutdated(
  { configured, processes }: Pick<SessionAgents, 'configured' | 'processes'>,
  name: string,
  sessions: readonly { readonly agent: string; readonly isIdle: boolean }[],
): Promise<void> {
  const [running, now] = [processes.running(name), configured.named(name)];
  if (!running || !now || JSON.stringify(running.configuration) === JSON.stringify(now)) return;
  if (!sessions.some((session) => session.agent === name && !session.isIdle)) await processes.stop(name);
}
