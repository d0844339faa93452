import { isAbsolute } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020';
import type { ProtocolVersion } from '../../src/acp/agentConnection';
import { messagesOf, readWireLog, runsOf, type WireEntry, type WireMessage } from './wireLog';
import { type Side, wireSchema } from './wireSchema';

/**
 * Asserts that everything a client sent, as a fake agent or the recorder wrote it down, obeys ACP: framing, the
 * schema, one answer per request, and the order of the handshake (items 1 to 4, 11 to 15, 22, 24, 36, 40, 44, 48, 54,
 * 56, 57, 75, 183).
 * @throws with all problems, one per line.
 */
export function assertClientWire(logFile: string): void {
  assertNone(wireProblems(readWireLog(logFile), 'client'), logFile);
}

/** The same for what an agent sent; the fake agent breaks rules on purpose, other agents must not. */
export function assertAgentWire(logFile: string): void {
  assertNone(wireProblems(readWireLog(logFile), 'agent'), logFile);
}

/** What is wrong with one side's lines; empty when nothing is. */
export function wireProblems(entries: readonly WireEntry[], side: Side): string[] {
  return runsOf(entries).flatMap((run) => new Checker(side, askedVersion(run)).check(run));
}

function assertNone(problems: readonly string[], logFile: string): void {
  if (problems.length > 0)
    throw new Error(`${problems.length} breaches of the protocol in ${logFile}:\n${problems.slice(0, 20).join('\n')}`);
}

/** The version that the client asked for first; an agent that answers with another one is left at once. */
function askedVersion(run: readonly WireEntry[]): ProtocolVersion {
  const initialize = messagesOf(run, '>').find((message) => message['method'] === 'initialize');
  return initialize?.['params']?.protocolVersion === 2 ? 2 : 1;
}

type Gates = Record<string, (agent: WireMessage) => unknown>;

/** In v2 every agent that has sessions has the methods of a baseline. */
const hasSessions = (agent: WireMessage) => agent['session'];

/** Capabilities of the agent that a method needs, by version. */
const gates: Readonly<Record<ProtocolVersion, Gates>> = {
  1: {
    'session/load': (agent) => agent['loadSession'] === true,
    'session/resume': (agent) => agent['sessionCapabilities']?.resume,
    'session/list': (agent) => agent['sessionCapabilities']?.list,
    'session/delete': (agent) => agent['sessionCapabilities']?.delete,
    'session/close': (agent) => agent['sessionCapabilities']?.close,
    'session/fork': (agent) => agent['sessionCapabilities']?.fork,
    'session/archive': (agent) => agent['sessionCapabilities']?.archive,
    'session/unarchive': (agent) => agent['sessionCapabilities']?.archive,
    'session/set_title': (agent) => agent['sessionCapabilities']?.title,
    logout: (agent) => agent['auth']?.logout,
  },
  2: {
    'session/new': hasSessions,
    'session/resume': hasSessions,
    'session/list': hasSessions,
    'session/close': hasSessions,
    'session/prompt': hasSessions,
    'session/delete': (agent) => agent['session']?.delete,
    'session/fork': (agent) => agent['session']?.fork,
    'session/archive': (agent) => agent['session']?.archive,
    'session/unarchive': (agent) => agent['session']?.archive,
    'session/set_title': (agent) => agent['session']?.title,
  },
};

/** Not in the schema any more, but how some agents let a model be chosen. */
const deFacto: readonly string[] = ['session/set_model'];

class Checker {
  private readonly schema;
  private readonly gates;
  private readonly problems: string[] = [];
  /** Requests by who made them; the two directions have ids of their own. */
  private readonly asked: Record<Side, Map<string, string>> = { client: new Map(), agent: new Map() };
  private readonly everAsked = new Set<string>();
  private readonly sessions = new Set<string>();
  private first = true;
  private initialized = false;
  /** The agent speaks another version than it was asked for: nothing more is said to it (item 199). */
  private refused = false;
  private agentCapabilities: WireMessage = {};
  private authMethods: readonly WireMessage[] = [];
  private current = '';

  constructor(
    private readonly side: Side,
    private readonly version: ProtocolVersion,
  ) {
    this.schema = wireSchema(version);
    this.gates = gates[version];
  }

  check(entries: readonly WireEntry[]): string[] {
    for (const entry of entries) {
      if (entry.dir === 'note' || entry.line === undefined) continue;
      const sender: Side = entry.dir === '>' ? 'client' : 'agent';
      this.current = entry.line;
      const message = this.frame(entry, sender);
      if (message) this.message(message, sender);
    }
    return this.problems;
  }

  private frame(entry: WireEntry, sender: Side): WireMessage | undefined {
    const line = entry.line ?? '';
    if (entry.fault) this.report(sender, `the line is ${entry.fault}`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.report(sender, 'the line is no JSON');
      return undefined;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.report(sender, 'the line is no JSON object');
      return undefined;
    }
    if (!line.startsWith('{')) this.report(sender, 'something stands before the object');
    const message = value as WireMessage;
    if (message['jsonrpc'] !== '2.0') this.report(sender, 'not "jsonrpc":"2.0"');
    return message;
  }

  private message(message: WireMessage, sender: Side): void {
    if (typeof message['method'] === 'string') {
      this.noOthers(message, ['jsonrpc', 'id', 'method', 'params'], sender);
      if (sender === 'client') this.order(message, message['method']);
      this.call(message, message['method'], sender);
    } else {
      this.noOthers(message, ['jsonrpc', 'id', 'result', 'error'], sender);
      this.response(message, sender);
    }
  }

  private call(message: WireMessage, method: string, sender: Side): void {
    const isRequest = 'id' in message;
    const key = JSON.stringify(message['id']);
    if (isRequest) {
      this.valid(this.schema.requestId, message['id'], 'id', sender);
      if (this.asked[sender].has(key)) this.report(sender, `id ${key} is already used by a pending request`);
      this.asked[sender].set(key, method);
      if (sender === this.side) this.everAsked.add(key);
    }
    const validate = this.schema.params(sender, method);
    if (validate) this.valid(validate, message['params'], 'params', sender);
    else if (!method.startsWith('_') && !(this.version === 1 && deFacto.includes(method)))
      this.report(sender, `the schema has no method ${method} in this direction`);
    if (validate && isRequest !== this.isRequestMethod(method, sender))
      this.report(sender, `${method} must ${isRequest ? 'not ' : ''}have an id`);
    if (
      method === '$/cancel_request' &&
      sender === this.side &&
      !this.everAsked.has(JSON.stringify(message['params']?.requestId))
    ) {
      this.report(sender, 'cancels a request that was never made');
    }
  }

  private isRequestMethod(method: string, sender: Side): boolean {
    return this.schema.result(sender === 'client' ? 'agent' : 'client', method) !== undefined;
  }

  private response(message: WireMessage, sender: Side): void {
    const asker: Side = sender === 'client' ? 'agent' : 'client';
    const key = JSON.stringify(message['id']);
    const method = this.asked[asker].get(key);
    if (method === undefined) return this.report(sender, `answers ${key}, which is not pending`);
    this.asked[asker].delete(key);
    if ('result' in message === 'error' in message)
      return this.report(sender, 'has not exactly one of result and error');
    if ('error' in message) {
      this.valid(this.schema.error, message['error'], 'error', sender);
      if (/\n\s+at /.test(JSON.stringify(message['error']))) this.report(sender, 'an error carries a stack trace');
      return;
    }
    const validate = this.schema.result(sender, method);
    if (validate) this.valid(validate, message['result'], `result of ${method}`, sender);
    if (sender === 'agent') this.learn(method, message['result']);
  }

  /** What later messages of the client have to respect. */
  private learn(method: string, result: WireMessage): void {
    if (method === 'initialize') {
      this.initialized = true;
      this.agentCapabilities = result?.[this.version === 1 ? 'agentCapabilities' : 'capabilities'] ?? {};
      this.refused = this.version === 2 && result?.['protocolVersion'] !== 2;
      this.authMethods = Array.isArray(result?.['authMethods']) ? result['authMethods'] : [];
    }
    if (typeof result?.['sessionId'] === 'string') this.sessions.add(result['sessionId']);
  }

  private order(message: WireMessage, method: string): void {
    if (this.first !== (method === 'initialize'))
      this.report('client', this.first ? 'the first message is not initialize' : 'initialize comes again');
    // A cancel of initialize itself is the one thing that may be said before its answer.
    else if (!this.first && !this.initialized && method !== '$/cancel_request')
      this.report('client', 'sent before initialize was answered');
    if (this.refused) this.report('client', 'sent to an agent that answered with another version');
    this.first = false;
    const gate = this.gates[method];
    if (gate && !gate(this.agentCapabilities)) this.report('client', `${method} is not among the agent's capabilities`);
    const sessionId = message['params']?.sessionId;
    if (/^session\/(?:load|resume|fork|archive|unarchive|set_title)$/.test(method)) this.sessions.add(sessionId);
    if (sessionId !== undefined && !this.sessions.has(sessionId))
      this.report('client', `no session ${sessionId} was ever opened`);
    if (/^session\/(new|load|resume|fork)$/.test(method)) this.setup(message['params'] ?? {});
    if (method === 'authenticate' || method === 'auth/login') this.signIn(message['params']?.methodId);
    if (method === 'session/prompt') this.promptBlocks(message['params']?.prompt);
  }

  /** Items 65 to 67: servers over offered transports, more directories where they are taken; all paths absolute. */
  private setup({ cwd, mcpServers = [], additionalDirectories }: WireMessage): void {
    const { mcpCapabilities, sessionCapabilities, session } = this.agentCapabilities;
    const transports = this.version === 1 ? mcpCapabilities : session?.mcp;
    for (const server of mcpServers) {
      if (server.type !== undefined && !transports?.[server.type])
        this.report('client', `a server of type ${server.type} without the capability`);
      if (server.command !== undefined && !isAbsolute(server.command))
        this.report('client', `the command ${server.command} is not absolute`);
    }
    if (additionalDirectories === undefined) return;
    if (!(this.version === 1 ? sessionCapabilities : session)?.additionalDirectories)
      this.report('client', 'additionalDirectories without the capability');
    const folders = [cwd, ...additionalDirectories];
    if (!folders.every((folder) => isAbsolute(folder)) || new Set(folders).size !== folders.length)
      this.report('client', 'additionalDirectories are not absolute, or not each once');
  }

  private signIn(methodId: unknown): void {
    const method = this.authMethods.find((item) => item?.[this.version === 1 ? 'id' : 'methodId'] === methodId);
    if (!method) this.report('client', `authenticate with ${String(methodId)}, which the agent did not offer`);
    else if (method['type'] === 'terminal')
      this.report('client', `authenticate with ${String(methodId)}, which is for a terminal`);
  }

  private promptBlocks(prompt: unknown): void {
    const can =
      (this.version === 1 ? this.agentCapabilities['promptCapabilities'] : this.agentCapabilities['session']?.prompt) ??
      {};
    const needs: Record<string, unknown> = { image: can.image, audio: can.audio, resource: can.embeddedContext };
    for (const block of Array.isArray(prompt) ? prompt : []) {
      if (block.type in needs && !needs[block.type])
        this.report('client', `a block of type ${block.type} without the prompt capability`);
    }
  }

  private noOthers(message: WireMessage, allowed: readonly string[], sender: Side): void {
    for (const key of Object.keys(message))
      if (!allowed.includes(key)) this.report(sender, `the envelope has a field ${key}`);
  }

  private valid(validate: ValidateFunction, value: unknown, what: string, sender: Side): void {
    if (validate(value)) return;
    const reasons = (validate.errors ?? [])
      .slice(0, 4)
      .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`);
    this.report(sender, `${what} does not match the schema: ${reasons.join('; ')}`);
  }

  private report(sender: Side, problem: string): void {
    if (sender === this.side) this.problems.push(`${sender}: ${problem}\n    ${this.current.slice(0, 400)}`);
  }
}
