import { decodePermissionOptions, type PermissionParams } from '../decodeRequest';
import { AcpError } from '../errors';
import { asObject, stringOf } from '../../base/decode';
import type { JsonObject } from '../../base/json';
import { decodeToolCallV2 } from './decodeToolCall';

/**
 * Reads `session/request_permission` of v2. The title and description belong to the request. Its subject is a separate
 * field and may be absent or unknown: then the words must do (item 200).
 * @throws AcpError -32602 that names the field.
 */
export function decodePermissionV2(raw: unknown, issue: (text: string) => void): PermissionParams {
  const params = asObject(raw);
  const sessionId = stringOf(params['sessionId']);
  const title = stringOf(params['title']);
  if (sessionId === undefined) throw AcpError.invalidParams('sessionId must be a string');
  if (title === undefined) throw AcpError.invalidParams('title must be a string');
  const description = stringOf(params['description']);
  const options = decodePermissionOptions(params, issue);
  return {
    sessionId,
    title,
    ...(description ? { description } : {}),
    options,
    ...subjectOf(asObject(params['subject']), issue),
  };
}

const commandFields: ReadonlySet<string> = new Set(['type', 'command', 'cwd', 'toolCallId', 'terminalId', '_meta']);

function subjectOf(subject: JsonObject, issue: (text: string) => void): Pick<PermissionParams, 'toolCall' | 'command'> {
  const type = stringOf(subject['type']);
  switch (type) {
    case undefined:
      return {};
    case 'tool_call': {
      const toolCall = decodeToolCallV2(subject['toolCall'], issue);
      if (!toolCall) throw AcpError.invalidParams('subject.toolCall.toolCallId must be a string');
      return { toolCall };
    }
    case 'command': {
      const command = stringOf(subject['command']);
      if (command === undefined) throw AcpError.invalidParams('subject.command must be a string');
      const cwd = stringOf(subject['cwd']);
      const toolCallId = stringOf(subject['toolCallId']);
      const terminalId = stringOf(subject['terminalId']);
      const further = Object.entries(subject).flatMap(([name, value]) =>
        commandFields.has(name) ? [] : [{ name, value }],
      );
      return {
        command: {
          text: command,
          ...(cwd === undefined ? {} : { cwd }),
          ...(terminalId === undefined ? {} : { terminalId }),
          ...(further.length > 0 ? { further } : {}),
        },
        ...(toolCallId === undefined ? {} : { toolCall: { toolCallId } }),
      };
    }
    default:
      issue(`the subject ${JSON.stringify(type)} is not known; the question is asked by its words`);
      return {};
  }
}
