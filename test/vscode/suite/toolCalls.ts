import * as assert from 'node:assert/strict';
import { type CancellationToken, neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import type { Clock } from '../../../src/base/scheduler';
import { callTool } from '../../../src/host/editor/callTool';
import type { ToolSession } from '../../../src/host/editor/toolSession';
import { systemClock } from '../../../src/host/platform/clock';
import type { ToolAnswer } from '../../../src/node/editorPipe';
import { sessionId } from './desk';

/** A tool gives a language server or a debugger this long at least, in ms. */
const LONG_MS = 20_000;

/** Real time on a slow machine: a tool gives a language server or a debugger five times as long. */
export const patientClock: Clock = {
  now: () => systemClock.now() / 5,
  setTimeout: (callback, delayMs) => systemClock.setTimeout(callback, delayMs < LONG_MS ? delayMs : 5 * delayMs),
};

/** Calls a tool of the editor as an agent does. */
export const answerOf = (
  session: () => ToolSession,
  { name, args }: { readonly name: string; readonly args: object },
  token: CancellationToken = neverCancelled,
): Promise<ToolAnswer> =>
  callTool({ id: sessionId, name, args }, { sessionOf: session, works: () => undefined, log: silentLogger }, token);

/** The same, for one session. @returns the text of the answer, which must be the expected kind */
export const toolCaller =
  (session: () => ToolSession) =>
  async (name: string, args: object, isError = false): Promise<string> => {
    const answer = await answerOf(session, { name, args });
    assert.equal(answer.isError === true, isError, answer.text);
    return answer.text;
  };
