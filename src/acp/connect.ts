import * as l10n from '@vscode/l10n';
import { type AgentConnection, type ConnectionOptions, type ProtocolVersion, VersionMismatch } from './agentConnection';
import type { AgentReader, AgentWriter } from './agentLink';
import { AcpConnection } from './connection';
import { AcpError, ConnectionEnded } from './errors';
import type { ClientHandlers } from './handlers';
import { AcpConnectionV2 } from './v2/connectionV2';

/** The one place that knows which versions of ACP there are: a link that speaks the given one. */
export function connect(version: ProtocolVersion, reader: AgentReader, writer: AgentWriter, handlers: ClientHandlers, options: ConnectionOptions): AgentConnection {
  return version === 2 ? new AcpConnectionV2(reader, writer, handlers, options) : new AcpConnection(reader, writer, handlers, options);
}

/**
 * Whether a failed `initialize` means that the agent does not speak the version, so that another may do: it answered
 * with another version, or with an error, as agents do that miss a field of the version they know (protocol §8).
 * @returns what it said, in words; undefined for any other failure.
 */
export function refusedVersion(error: unknown): string | undefined {
  if (error instanceof VersionMismatch) return l10n.t('it answered with version {0}', JSON.stringify(error.answered) ?? 'none');
  if (error instanceof AcpError && !(error instanceof ConnectionEnded)) return l10n.t('it answered with the error {0}: {1}', error.code, error.message);
  return undefined;
}
