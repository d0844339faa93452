import type { Implementation } from '@agentclientprotocol/sdk';
import { type AuthMethod, decodeAuthMethods } from './authMethods';
import { asObject, stringOf } from '../base/decode';
import { isObject } from '../base/json';

/** The agent's capabilities. Absent, null and malformed all mean "not supported" (item 29). */
export interface AgentFeatures {
  readonly info: Implementation | undefined;
  readonly prompt: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
  readonly loadSession: boolean;
  readonly resume: boolean;
  readonly close: boolean;
  readonly list: boolean;
  readonly delete: boolean;
  /** The next three are not stable in the schema yet (`session/fork`, `session/archive`, `session/set_title`). */
  readonly fork: boolean;
  readonly archive: boolean;
  readonly setTitle: boolean;
  /** Transports of MCP servers (item 65). In v1 every agent takes stdio. */
  readonly mcp: { readonly stdio: boolean; readonly http: boolean; readonly sse: boolean };
  /** Sessions may have more folders than their `cwd` (item 67). */
  readonly additionalDirectories: boolean;
  readonly logout: boolean;
  /** Messages may be sent into a running turn: an extension that agents share, advertised in `_meta.steering`. */
  readonly steering: boolean;
  readonly authMethods: readonly AuthMethod[];
}

/** Reads an `InitializeResponse` (v1). Never throws. */
export function agentFeatures(raw: unknown): AgentFeatures {
  const response = asObject(raw);
  const capabilities = asObject(response['agentCapabilities']);
  const prompt = asObject(capabilities['promptCapabilities']);
  const session = asObject(capabilities['sessionCapabilities']);
  const mcp = asObject(capabilities['mcpCapabilities']);
  const info = asObject(response['agentInfo']);
  const name = stringOf(info['name']);
  const title = stringOf(info['title']);
  return {
    info:
      name === undefined
        ? undefined
        : { name, version: stringOf(info['version']) ?? '', ...(title === undefined ? {} : { title }) },
    prompt: {
      image: prompt['image'] === true,
      audio: prompt['audio'] === true,
      embeddedContext: prompt['embeddedContext'] === true,
    },
    loadSession: capabilities['loadSession'] === true,
    resume: isObject(session['resume']),
    close: isObject(session['close']),
    list: isObject(session['list']),
    delete: isObject(session['delete']),
    fork: isObject(session['fork']),
    archive: isObject(session['archive']),
    setTitle: isObject(session['title']),
    mcp: { stdio: mcp['stdio'] !== false, http: mcp['http'] === true, sse: mcp['sse'] === true },
    additionalDirectories: isObject(session['additionalDirectories']),
    logout: isObject(asObject(capabilities['auth'])['logout']),
    steering: asObject(asObject(response['_meta'])['steering'])['supported'] === true,
    authMethods: decodeAuthMethods(response['authMethods']),
  };
}
