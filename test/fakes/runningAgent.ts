import type { AgentConnection } from '../../src/acp/agentConnection';
import { agentFeatures, type AgentFeatures } from '../../src/acp/capabilities';
import { noQuirks, type Quirks } from '../../src/acp/quirks';
import type { RunningAgent } from '../../src/host/agents/agentService';
import type { AgentConfiguration } from '../../src/host/agents/agentSettings';

/** An entry of `parley.agents`. */
export function agentConfiguration(name: string): AgentConfiguration {
  return { name, command: name, args: [], env: {}, capabilities: {} };
}

/** A connection on which only the given calls are expected; all others are refused. */
export function connectionWith(expected: Partial<AgentConnection>): AgentConnection {
  const refuse = () => Promise.reject(new Error('unused'));
  return {
    workOutlivesTurn: false,
    onDidClose: () => ({ dispose: () => undefined }),
    whenClosed: new Promise(() => undefined),
    caughtUp: async () => undefined,
    initialize: refuse,
    authenticate: refuse,
    logout: refuse,
    newSession: refuse,
    resumeSession: refuse,
    loadSession: refuse,
    forkSession: refuse,
    listSessions: refuse,
    archiveSession: refuse,
    unarchiveSession: refuse,
    setTitle: refuse,
    deleteSession: refuse,
    closeSession: refuse,
    prompt: refuse,
    cancel: refuse,
    setMode: refuse,
    setConfigOption: refuse,
    setModel: refuse,
    dispose: () => undefined,
    ...expected,
  };
}

interface RunningOptions {
  readonly name?: string;
  readonly features?: Partial<AgentFeatures>;
  readonly quirks?: Quirks;
  readonly routeKey?: string;
}

/** A process that has answered `initialize`. */
export function runningAgent(
  connection: AgentConnection = connectionWith({}),
  { name = 'A', features = {}, quirks = noQuirks, routeKey = `${name}#1` }: RunningOptions = {},
): RunningAgent {
  const configuration = agentConfiguration(name);
  return {
    configuration,
    started: configuration,
    features: { ...agentFeatures({}), ...features },
    quirks,
    connection,
    routeKey,
  };
}
