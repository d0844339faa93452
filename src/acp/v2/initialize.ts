import type { Implementation } from '@agentclientprotocol/sdk';
import { type AgentFeatures, agentFeatures } from '../capabilities';
import type { ClientFeatures } from '../clientFeatures';
import { asObject, stringOf } from '../../base/decode';
import { isObject, type JsonObject } from '../../base/json';

/** The protocol version that Parley asks for. */
export const draftVersion = 2;

/**
 * Parameters of `initialize` (schema v2 `InitializeRequest`, item 191): `info` is required and capabilities are
 * objects. Features that v1 marked, such as boolean options and notices, are required of every v2 client.
 */
export function initializeParams(features: ClientFeatures, info: Implementation): JsonObject {
  const elicitation = {
    ...(features['elicitation.form'] ? { form: {} } : {}),
    ...(features['elicitation.url'] ? { url: {} } : {}),
  };
  return {
    protocolVersion: draftVersion,
    info,
    capabilities: {
      ...(features['auth.terminal'] ? { auth: { terminal: {} } } : {}),
      ...(Object.keys(elicitation).length > 0 ? { elicitation } : {}),
    },
  };
}

/** The features served to an agent of v2, which cannot use our files and terminals (item 198). */
export function servedFeatures(features: ClientFeatures): ClientFeatures {
  return { ...features, 'fs.readTextFile': false, 'fs.writeTextFile': false, terminal: false };
}

/**
 * Reads an `InitializeResponse` of v2. Never throws. It is respelled as one of v1, so that one reader handles both:
 * `sessions` implies new, list, resume, close and prompts, and `resume` replays as `load` did.
 */
export function featuresOf(raw: unknown): AgentFeatures {
  const response = asObject(raw);
  const capabilities = asObject(response['capabilities']);
  const session = capabilities['session'];
  const { prompt, mcp, delete: deletes, additionalDirectories, fork, archive, title } = asObject(session);
  const takes = asObject(prompt);
  const signsIn = Array.isArray(response['authMethods']) && response['authMethods'].length > 0;
  return agentFeatures({
    agentInfo: response['info'],
    authMethods: Array.isArray(response['authMethods']) ? response['authMethods'].map(authMethod) : [],
    agentCapabilities: {
      loadSession: isObject(session),
      promptCapabilities: {
        image: isObject(takes['image']),
        audio: isObject(takes['audio']),
        embeddedContext: isObject(takes['embeddedContext']),
      },
      mcpCapabilities: { stdio: isObject(asObject(mcp)['stdio']), http: isObject(asObject(mcp)['http']), sse: false },
      sessionCapabilities: isObject(session)
        ? { list: {}, resume: {}, close: {}, delete: deletes, additionalDirectories, fork, archive, title }
        : {},
      auth: signsIn ? { logout: {} } : {},
    },
  });
}

/** v2 has `methodId` for `id`, and variables as a list. */
function authMethod(raw: unknown): JsonObject {
  const { methodId, env, ...method } = asObject(raw);
  if (!Array.isArray(env)) return { ...method, id: methodId };
  const variables = env.map(asObject).flatMap((item) => {
    const name = stringOf(item['name']);
    const value = stringOf(item['value']);
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return { ...method, id: methodId, env: Object.fromEntries(variables) };
}
