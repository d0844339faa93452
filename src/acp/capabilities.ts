import type { ClientCapabilities, Implementation } from '@agentclientprotocol/sdk';
import { asObject, isObject, stringOf } from './json';

/** The parts of a client that can be switched off; what is off is answered with -32601. */
export interface ClientFeatures {
  readonly readTextFile: boolean;
  readonly writeTextFile: boolean;
  readonly terminal: boolean;
  /** De-facto: output of commands that the agent runs itself, in `_meta` of tool calls. */
  readonly terminalOutputMeta: boolean;
}

export const allFeatures: ClientFeatures = { readTextFile: true, writeTextFile: true, terminal: true, terminalOutputMeta: true };

/** What `initialize` says of us. Nothing is advertised that is not served. */
export function clientCapabilities(features: ClientFeatures): ClientCapabilities {
  return {
    fs: { readTextFile: features.readTextFile, writeTextFile: features.writeTextFile },
    terminal: features.terminal,
    ...(features.terminalOutputMeta ? { _meta: { terminal_output: true } } : {}),
  };
}

/** What the agent said of itself. Absent, null and malformed all mean "not supported" (item 29). */
export interface AgentFeatures {
  readonly info: Implementation | undefined;
  readonly prompt: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
  readonly loadSession: boolean;
  readonly resume: boolean;
  readonly close: boolean;
  readonly authMethods: readonly { readonly id: string; readonly name: string; readonly description?: string }[];
}

/** Reads an `InitializeResponse` (v1). Never throws. */
export function agentFeatures(raw: unknown): AgentFeatures {
  const response = asObject(raw);
  const capabilities = asObject(response['agentCapabilities']);
  const prompt = asObject(capabilities['promptCapabilities']);
  const session = asObject(capabilities['sessionCapabilities']);
  const info = asObject(response['agentInfo']);
  const name = stringOf(info['name']);
  const title = stringOf(info['title']);
  return {
    info: name === undefined ? undefined : { name, version: stringOf(info['version']) ?? '', ...(title === undefined ? {} : { title }) },
    prompt: { image: prompt['image'] === true, audio: prompt['audio'] === true, embeddedContext: prompt['embeddedContext'] === true },
    loadSession: capabilities['loadSession'] === true,
    resume: isObject(session['resume']),
    close: isObject(session['close']),
    authMethods: (Array.isArray(response['authMethods']) ? response['authMethods'] : []).flatMap((item: unknown) => {
      const method = asObject(item);
      const id = stringOf(method['id']);
      const description = stringOf(method['description']);
      return id === undefined ? [] : [{ id, name: stringOf(method['name']) ?? id, ...(description === undefined ? {} : { description }) }];
    }),
  };
}
