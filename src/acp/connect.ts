import * as l10n from '@vscode/l10n';
import { type AgentConnection, type ConnectionOptions, type ProtocolVersion, VersionMismatch } from './agentConnection';
import type { AgentReader, AgentWriter } from './agentLink';
import { AcpConnection } from './connection';
import { AcpError, ConnectionEnded } from './errors';
import type { ClientHandlers } from './handlers';

/** Speaks one version of ACP over a link. */
export type ConnectionClass = new (
  reader: AgentReader,
  writer: AgentWriter,
  handlers: ClientHandlers,
  options: ConnectionOptions,
) => AgentConnection;

/** The only place that knows all versions of ACP. The draft is loaded only for an agent that is set to it. */
export async function connectionClass(version: ProtocolVersion): Promise<ConnectionClass> {
  return version === 2 ? (await import('./v2/connectionV2')).AcpConnectionV2 : AcpConnection;
}

/**
 * Tells from a failed `initialize` whether another protocol version may work. The agent answered with another version,
 * or with an error, as agents do that miss a field of the version they know (protocol §8).
 * @returns the agent's answer, in words; undefined for any other failure.
 */
export function refusedVersion(error: unknown): string | undefined {
  if (error instanceof VersionMismatch)
    return l10n.t('the agent answered with version {0}', JSON.stringify(error.answered) ?? 'none');
  if (error instanceof AcpError && !(error instanceof ConnectionEnded))
    return l10n.t('the agent answered with the error {0}: {1}', error.code, error.message);
  return undefined;
}
