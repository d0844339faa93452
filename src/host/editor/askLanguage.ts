import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import type { CancellationToken } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import { waitAtMost } from '../../base/scheduler';
import { ToolError } from '../../editor/toolInput';
import type { ToolSession } from './toolSession';

/** A language server reads a whole project before its first answer. */
const patienceMs = 30_000;

/**
 * Asks the language servers by one of VS Code's commands.
 * @returns undefined if no extension answers this for the language
 * @throws ToolError if the server fails, does not answer in time, or the call is withdrawn
 */
export async function askLanguage<T>(
  command: string,
  args: readonly unknown[],
  { clock }: Pick<ToolSession, 'clock'>,
  token: CancellationToken,
): Promise<T | undefined> {
  if (token.isCancellationRequested) throw withdrawn();
  const stopped = new Deferred<never>();
  stopped.promise.catch(() => undefined);
  const listener = token.onCancellationRequested(() => stopped.reject(withdrawn()));
  let answer: T | undefined;
  try {
    const work = Promise.resolve(vscode.commands.executeCommand<T | undefined>(command, ...args)).then(
      (found) => (answer = found),
      (error: unknown) => {
        throw new ToolError(`The language server failed: ${messageOf(error)}`);
      },
    );
    const isInTime = await waitAtMost(clock, patienceMs, Promise.race([work, stopped.promise]));
    if (!isInTime)
      throw new ToolError(
        `The language server did not answer within ${patienceMs / 1_000} seconds. It may still be reading the ` +
          'project. Try again, or go on without it.',
      );
    return answer;
  } finally {
    listener.dispose();
  }
}

function withdrawn(): ToolError {
  return new ToolError('The call was withdrawn.');
}
