import { AcpError } from '../../acp/errors';
import type { AgentExit } from '../../node/agentProcess';
import type { NoticeAction } from '../../protocol/entryView';
import type { ConnectionView } from '../../protocol/viewModel';
import { describeError } from '../../thread/errorWords';
import { systemClock } from '../platform/clock';
import type { AgentConfiguration } from './agentSettings';
import { StartFailure, usual } from './startFailure';

/*
 * What the panel says of the link to an agent when there is something to say: what happened, why, and what helps.
 */

/** While an agent starts, until more is known. */
export function describeStart({ name, command, args, isDemo, source }: AgentConfiguration): string {
  return `Starting ${isDemo ? name : [command, ...(source ? [] : args)].join(' ')}`;
}

/** @param problem why the entry of that name in the setting cannot be used, if there is one. */
export function unknownAgent(name: string, problem?: string): ConnectionView {
  if (problem) return { state: 'failed', title: `${name} is not configured correctly`, detail: `${problem}. Correct it in the setting parley.agents.`, actions: ['editSettings', 'selectAgent'] };
  return { state: 'failed', title: `There is no agent named ${name}`, detail: 'Choose another one, or add it to the setting parley.agents.', actions: ['selectAgent', 'editSettings'] };
}

/** The process did not start, or it started and opened no session. */
export function failedToStart(name: string, error: unknown): ConnectionView {
  if (error instanceof StartFailure) {
    const { title, detail, actions, stderr } = error;
    return { state: 'failed', title, detail, actions: withCheck(actions), ...(stderr ? { stderr } : {}) };
  }
  const words = describeError(error, systemClock.now());
  const title = error instanceof AcpError ? `${name} could not open a session` : `${name} could not be started`;
  return { state: 'failed', title, detail: [words.title, words.detail].filter(Boolean).join('\n'), actions: withCheck(usual) };
}

/** Four buttons at most: the log can also be had by its command. */
function withCheck(actions: readonly NoticeAction[]): readonly NoticeAction[] {
  const all: readonly NoticeAction[] = [...actions, 'checkAgent', 'copyDetails'];
  return all.length > 4 ? all.filter((action) => action !== 'showLog') : all;
}

/** A failure as the panel shows it, as text for a report. Undefined if nothing failed. */
export function failureText(connection: ConnectionView): string | undefined {
  if (connection.state !== 'failed') return undefined;
  const { title, detail, stderr } = connection;
  return [title, detail, ...(stderr ? [`Error output:\n${stderr}`] : [])].join('\n\n');
}

/** An agent that ran has gone by itself. */
export function endedUnexpectedly(name: string, exit: AgentExit, linkProblem?: string): ConnectionView {
  const how = exit.signal ? `by the signal ${exit.signal}` : `with exit code ${exit.code ?? 'unknown'}`;
  return {
    state: 'failed',
    title: `${name} ended unexpectedly`,
    detail: `${linkProblem ? `${linkProblem}, so the connection was ended.` : `The process ended ${how}.`} The conversation is kept; restart the agent to go on.`,
    ...(exit.stderr ? { stderr: exit.stderr } : {}),
    actions: withCheck(['restart', 'showLog']),
  };
}

/** Agents are programs that work on files; a virtual workspace has none on this machine. */
export const noFolderOnDisk: ConnectionView = {
  state: 'failed',
  title: 'This workspace has no folder on disk',
  detail: 'Agents work on files on disk. Open a folder of this machine, or of the one that VS Code is connected to.',
  actions: [],
};
