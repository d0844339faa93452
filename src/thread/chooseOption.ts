import * as l10n from '@vscode/l10n';
import { messageOf } from '../base/errorText';
import type { ConfigOption } from '../acp/decodeOptions';
import { AcpError } from '../acp/errors';
import { joinedLines } from '../base/oneLine';
import type { ThreadAction } from './actions';
import { reasonOf } from './errorCause';
import { choiceOf, type SessionOption, type SessionOptions } from './sessionOptions';

/** The calls of `AcpConnection` that set an option of a session. */
export interface OptionLink {
  setMode(sessionId: string, modeId: string): Promise<void>;
  setModel(sessionId: string, modelId: string): Promise<void>;
  /** @returns the whole list after the change; undefined if the agent did not send it. */
  setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[] | undefined>;
}

/** An action without its time, which the session adds. */
type Untimed = ThreadAction extends infer A ? (A extends ThreadAction ? Omit<A, 'at'> : never) : never;

/**
 * Asks the agent to change an option. The new value is shown as chosen at once, and as in force after the agent's
 * answer, since many agents send no notification. If the agent refuses, the old value is shown again with the reason
 * (item 160).
 * @param dispatch ignores actions after the session has lost this agent.
 * @throws AcpError from the agent, or for a value that was not offered (item 159).
 */
export async function chooseOption(
  options: SessionOptions,
  key: string,
  value: string | boolean,
  link: OptionLink,
  sessionId: string,
  dispatch: (action: Untimed) => void,
): Promise<void> {
  const option = options.shown.find((item) => item.key === key);
  if (!option || !offers(option, value)) throw AcpError.invalidParams(l10n.t('The agent no longer offers this'));
  if (value === (option.requested ?? option.current)) return;
  dispatch({ type: 'option/requested', key, value });
  try {
    const inForce = await send(option, value, link, sessionId);
    dispatch(inForce);
    dispatch({ type: 'option/settled', key, value });
  } catch (error) {
    dispatch({ type: 'option/settled', key, value, problem: problemOf(option, value, reasonInLine(error)) });
    throw error;
  }
}

/** @returns the answer's effect on the thread. */
async function send(
  option: SessionOption,
  value: string | boolean,
  link: OptionLink,
  sessionId: string,
): Promise<Untimed> {
  switch (option.source) {
    case 'config': {
      const list = await link.setConfigOption(sessionId, option.configId, value);
      return list
        ? { type: 'configOptions/replaced', configOptions: list }
        : { type: 'configOption/changed', configId: option.configId, value };
    }
    case 'modes':
      await link.setMode(sessionId, String(value));
      return { type: 'mode/changed', modeId: String(value) };
    case 'models':
      await link.setModel(sessionId, String(value));
      return { type: 'model/changed', modelId: String(value) };
  }
}

function problemOf(option: SessionOption, value: string | boolean, reason: string): string {
  if (option.type === 'select')
    return l10n.t('{0} was not changed to {1}: {2}', option.name, choiceOf(option, String(value)).name, reason);
  return value
    ? l10n.t('{0} was not turned on: {1}', option.name, reason)
    : l10n.t('{0} was not turned off: {1}', option.name, reason);
}

/** The agent's error texts on one line. */
function reasonInLine(error: unknown): string {
  const message = messageOf(error);
  return joinedLines((error instanceof AcpError && reasonOf(error)) || message, '; ');
}

function offers(option: SessionOption, value: string | boolean): boolean {
  return option.type === 'boolean'
    ? typeof value === 'boolean'
    : option.choices.some((choice) => choice.value === value);
}
