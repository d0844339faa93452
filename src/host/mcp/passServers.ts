import * as l10n from '@vscode/l10n';
import type { McpServer } from '@agentclientprotocol/sdk';
import type { AgentFeatures } from '../../acp/capabilities';
import type { KnownServer, ServerSource } from './knownServer';
import type { RemoteDefinition } from './serverDefinition';
import type { InputDefinition } from './serverInputs';
import { expandDefinition, VariableProblem, type VariableValues } from './variables';

/** The result for a server when a session was opened. Contains no value of a variable. */
export interface ServerOutcome {
  readonly key: string;
  readonly name: string;
  readonly fingerprint: string;
  /** `undecided`: the user has not agreed to it. */
  readonly state: 'passed' | 'left' | 'undecided';
  /** Why it was not passed on, as the rest of a sentence; absent if it was. */
  readonly why?: string;
}

export interface PassedServers {
  /** For `session/new`, load and resume. Contains secrets: never show or log it. */
  readonly mcpServers: McpServer[];
  readonly outcomes: readonly ServerOutcome[];
}

export interface PassRequest {
  /** In the order of precedence. */
  readonly known: readonly KnownServer[];
  readonly agent: string;
  /** The only servers that this agent gets, by name; all if absent. */
  readonly only?: readonly string[] | undefined;
  readonly takes: AgentFeatures['mcp'];
  readonly valuesFor: (source: ServerSource) => Omit<VariableValues, 'input'>;
  /** The user's answer; `undefined` if they gave none. */
  readonly answer: (server: KnownServer, input: InputDefinition) => Promise<string | undefined>;
  /** The absolute path of a program, `undefined` if there is none. */
  readonly findProgram: (command: string, folder: string) => Promise<string | undefined>;
}

/** A server is left out, and the session opens without it. */
class LeftOut extends Error {
  constructor(
    message: string,
    readonly state: 'left' | 'undecided' = 'left',
  ) {
    super(message);
  }
}

/**
 * The servers for an agent in the schema's form, and why others are left out (items 65, 66): only those that the user
 * has agreed to, only with the agent's transports, each name once. Asks for missing inputs, one question after the
 * other.
 */
export async function passServers(request: PassRequest): Promise<PassedServers> {
  const mcpServers: McpServer[] = [];
  const outcomes: ServerOutcome[] = [];
  const taken = new Set<string>();
  for (const server of request.known) {
    const { key, name, fingerprint } = server;
    try {
      // A workspace's definition must not replace the user's own with the same name.
      if (taken.has(name)) throw new LeftOut(l10n.t('a server with the same name takes precedence'));
      if (server.adoption === 'own' || server.adoption === 'adopted') taken.add(name);
      mcpServers.push(await pass(server, request));
      outcomes.push({ key, name, fingerprint, state: 'passed' });
    } catch (error) {
      if (!(error instanceof LeftOut || error instanceof VariableProblem)) throw error;
      outcomes.push({
        key,
        name,
        fingerprint,
        state: error instanceof LeftOut ? error.state : 'left',
        why: error.message,
      });
    }
  }
  return { mcpServers, outcomes };
}

async function pass(
  server: KnownServer,
  { agent, only, takes, valuesFor, answer, findProgram }: PassRequest,
): Promise<McpServer> {
  const { name, definition, inputs, adoption } = server;
  if (!definition) throw new LeftOut(server.problem ?? l10n.t('it cannot be used'));
  if (adoption === 'declined') throw new LeftOut(l10n.t('you did not allow it'), 'undecided');
  if (adoption !== 'own' && adoption !== 'adopted')
    throw new LeftOut(
      adoption === 'changed'
        ? l10n.t('its definition has changed and needs your review')
        : l10n.t('it needs your review'),
      'undecided',
    );
  if (only && !only.includes(name))
    throw new LeftOut(l10n.t('the mcpServers setting of {0} does not include it', agent));
  if (!takes[definition.transport])
    throw new LeftOut(l10n.t('{0} does not support {1} servers', agent, transportNames[definition.transport]));
  const refused = inputs.find((input) => input.type === 'refused');
  if (refused)
    throw new LeftOut(
      l10n.t(
        'Parley does not support its input “{0}” of type “{1}”',
        refused.id,
        refused.type === 'refused' ? refused.kind : '',
      ),
    );
  const answers = new Map<string, string>();
  for (const input of inputs) {
    const given = await answer(server, input);
    if (given === undefined) throw new LeftOut(l10n.t('“{0}” was not answered', input.id));
    answers.set(input.id, given);
  }
  const values = valuesFor(server.source);
  const expanded = expandDefinition(definition, { ...values, input: (id) => answers.get(id) });
  if (expanded.transport !== 'stdio') return remoteServer(name, expanded);
  const command = await findProgram(expanded.command, values.folder);
  // In the words of the definition: the replaced text may contain a secret.
  if (command === undefined)
    throw new LeftOut(
      l10n.t('its program “{0}” was not found', definition.transport === 'stdio' ? definition.command : ''),
    );
  return { name, command, args: [...expanded.args], env: pairs(expanded.env) };
}

const transportNames = { stdio: 'stdio', http: 'HTTP', sse: 'SSE' } as const;

function remoteServer(name: string, { transport: type, url, headers }: RemoteDefinition): McpServer {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new LeftOut(l10n.t('its url is not an http or https address'));
  // A line break in a value would begin another header.
  if (Object.entries(headers).some(([key, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(key) || /[\r\n\0]/.test(value)))
    throw new LeftOut(l10n.t('one of its headers is not valid'));
  return { type, name, url, headers: pairs(headers) };
}

function pairs(texts: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(texts).map(([name, value]) => ({ name, value }));
}
