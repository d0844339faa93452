import type { AgentConnection, ProtocolVersion } from '../../acp/agentConnection';
import { featuresWith } from '../../acp/clientFeatures';
import { type ConnectionClass, connectionClass, refusedVersion } from '../../acp/connect';
import type { ClientHandlers } from '../../acp/handlers';
import { AgentProcess } from '../../node/agentProcess';
import { LinkFailure, NdjsonMessageReader, NdjsonMessageWriter } from '../../node/ndjson';
import { programSpawner } from '../../node/programSpawner';
import type { Watchdog } from '../../node/watchdog';
import { redactedTraffic } from '../platform/redact';
import type { SecretlessLog } from '../platform/secretlessLog';
import { type AgentConfiguration, traceTraffic } from './agentSettings';
import type { Launch } from './agentPrograms';

/* /* Processes of agents and the protocol with them: large code, loaded with the first agent. */

export type Spawn = Awaited<ReturnType<typeof programSpawner>>;

/** @param spawn from `spawner` @throws Error for arguments that Node refuses at once, such as one with a NUL. */
export function spawnAgent(
  { configuration: { command, args, cwd }, env }: Launch,
  folder: string,
  watchdog: Watchdog | undefined,
  spawn: Spawn,
): AgentProcess {
  return new AgentProcess({ command, args, cwd: cwd ?? folder, env, spawn, watchdog });
}

export interface LinkOptions {
  readonly configuration: AgentConfiguration;
  /** The version of the protocol, from `connectionClass`. */
  readonly speaks: ConnectionClass;
  readonly handlers: ClientHandlers;
  /** Of Parley. */
  readonly clientVersion: string;
  readonly log: SecretlessLog;
}

/** Whoever owns the process hears what comes over its pipes. */
export interface LinkListener {
  /** The agent sends unreadable data, or reads nothing. @param isOurs Parley ended the link for it */
  readonly failed: (message: string, isOurs: boolean) => void;
  /** The agent wrote a line to stdout that is not a message. */
  readonly skipped?: (line: string) => void;
  /** It wrote a message. */
  readonly read?: () => void;
}

/** Speaks the protocol over the pipes of a process. */
export function linkAgent(
  { stdin, stdout }: AgentProcess,
  { configuration: { name, capabilities }, speaks: Speaks, handlers, clientVersion, log }: LinkOptions,
  { failed, skipped, read }: LinkListener,
): AgentConnection {
  const observer = {
    skipped: (reason: string, line: string) => {
      log.warn(`${name}: skipped ${reason} on stdout: ${log.conceal(line.slice(0, 8_192)).slice(0, 200)}`);
      skipped?.(line);
    },
    read: () => read?.(),
    traffic: traceTraffic()
      ? (direction: 'in' | 'out', message: object) =>
          log.trace(`${name} ${direction === 'in' ? '←' : '→'} ${redactedTraffic(message, log.conceal)}`)
      : undefined,
  };
  const reader = new NdjsonMessageReader(stdout, observer);
  reader.onError((error) => failed(error.message, false));
  const writer = new NdjsonMessageWriter(stdin, observer);
  writer.onError(([error]) => {
    if (error instanceof LinkFailure) failed(error.message, true);
  });
  return new Speaks(reader, writer, handlers, {
    name,
    features: featuresWith(capabilities),
    clientInfo: { name: 'parley', title: 'Parley', version: clientVersion },
    log,
  });
}

/** The function that starts the process of an agent. */
export function spawner(): Promise<Spawn> {
  return programSpawner();
}

/** The connection class for this version of the protocol. */
export function connectionFor(version: ProtocolVersion): Promise<ConnectionClass> {
  return connectionClass(version);
}

/** The answer of an agent that does not speak the version of the protocol; undefined for another error. */
export function versionRefusal(error: unknown): string | undefined {
  return refusedVersion(error);
}
