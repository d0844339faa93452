import type { NewSessionRequest } from '@agentclientprotocol/sdk';
import { asObject, stringOf } from '../../base/decode';
import type { JsonObject } from '../../base/json';

/* /* Respells v2 fields that mean the same as in v1, so that one reader handles both. */

/** Config options: `configId` and `groupId` are `id` and `group` in v1. Anything but a list stays as it is. */
export function configOptionsAsV1(raw: unknown): unknown {
  if (!Array.isArray(raw)) return raw;
  return raw.map((item) => {
    const { configId, options, ...option } = asObject(item);
    return { ...option, id: configId, ...(Array.isArray(options) ? { options: options.map(groupAsV1) } : { options }) };
  });
}

function groupAsV1(raw: unknown): unknown {
  const { groupId, ...group } = asObject(raw);
  return groupId === undefined ? raw : { ...group, group: groupId };
}

/** Commands: skips kinds that do not begin a prompt, since the user cannot type them. */
export function commandsAsV1(raw: unknown, issue: (text: string) => void): unknown {
  if (!Array.isArray(raw)) return raw;
  return raw.filter((item) => {
    const type = asObject(item)['type'];
    const isCommand = type === undefined || type === 'command';
    if (!isCommand) issue(`a command of the kind ${JSON.stringify(type)} is not shown`);
    return isCommand;
  });
}

/**
 * MCP servers of a session request: v2 names each transport, and has no SSE.
 * @param can `capabilities.session.mcp` of the agent: servers with other transports are left out.
 */
export function mcpServersAsV2(
  servers: NewSessionRequest['mcpServers'],
  can: JsonObject,
  issue: (text: string) => void,
): readonly JsonObject[] {
  return servers.flatMap((server) => {
    const named: JsonObject = { type: 'stdio', ...server };
    const type = stringOf(named['type'])!;
    if (type !== 'sse' && can[type] !== undefined && can[type] !== null) return [named];
    issue(`the MCP server ${JSON.stringify(server.name)} was not passed: the agent takes none by ${type}`);
    return [];
  });
}
