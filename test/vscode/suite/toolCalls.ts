import * as assert from 'node:assert/strict';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { callTool } from '../../../src/host/editor/callTool';
import type { ToolSession } from '../../../src/host/editor/toolSession';
import { sessionId } from './desk';

/** Calls tools of the editor as an agent does. @returns the text of the answer, which must be the expected kind */
export const toolCaller =
  (session: () => ToolSession) =>
  async (name: string, args: object, isError = false): Promise<string> => {
    const answer = await callTool(
      { id: sessionId, name, args },
      { sessionOf: session, works: () => undefined, log: silentLogger },
      neverCancelled,
    );
    assert.equal(answer.isError === true, isError, answer.text);
    return answer.text;
  };
