import * as l10n from '@vscode/l10n';
import { AcpError } from '../../acp/errors';
import type { AgentExit } from '../../node/agentProcess';
import type { NoticeAction } from '../../protocol/entryView';
import type { ConnectionView } from '../../protocol/viewModel';
import { describeError } from '../../thread/errorWords';
import { systemClock } from '../platform/clock';
import { exitWords, StartFailure, usual } from './startFailure';

/* /* The panel's messages about the link to an agent: what happened, why, and what helps. */

/** @param problem of the setting's entry with that name, if there is one. */
export function unknownAgent(name: string, problem?: string): ConnectionView {
  if (problem)
    return {
      state: 'failed',
      title: l10n.t('{0} is not configured correctly', name),
      detail: `${problem} ${l10n.t('Correct it in the parley.agents setting.')}`,
      actions: ['editSettings', 'selectAgent'],
    };
  return {
    state: 'failed',
    title: l10n.t('There is no agent named {0}', name),
    detail: l10n.t('Select another agent, or add this one to the parley.agents setting.'),
    actions: ['selectAgent', 'editSettings'],
  };
}

/** The process did not start, or it started and opened no session. */
export function failedToStart(name: string, error: unknown): ConnectionView {
  if (error instanceof StartFailure) {
    const { title, detail, actions, stderr } = error;
    return { state: 'failed', title, detail, actions: withCheck(actions), ...(stderr ? { stderr } : {}) };
  }
  const words = describeError(error, systemClock.now());
  const title =
    error instanceof AcpError ? l10n.t('{0} could not open a session', name) : l10n.t('{0} could not be started', name);
  return {
    state: 'failed',
    title,
    detail: [words.title, words.detail].filter(Boolean).join('\n'),
    actions: withCheck(usual),
  };
}

/** At most four buttons: the log also has a command. */
function withCheck(actions: readonly NoticeAction[]): readonly NoticeAction[] {
  const all: readonly NoticeAction[] = [...actions, 'checkAgent', 'copyDetails'];
  return all.length > 4 ? all.filter((action) => action !== 'showLog') : all;
}

/** A failure in the panel as text for a report. Undefined if nothing failed. */
export function failureText(connection: ConnectionView): string | undefined {
  if (connection.state !== 'failed') return undefined;
  const { title, detail, stderr } = connection;
  return [title, detail, ...(stderr ? [`${l10n.t('Error output:')}\n${stderr}`] : [])].join('\n\n');
}

/** A running agent has ended unexpectedly. */
export function endedUnexpectedly(name: string, exit: AgentExit, linkProblem?: string): ConnectionView {
  const why = linkProblem ? l10n.t('{0}, so Parley closed the connection.', linkProblem) : exitWords(exit);
  return {
    state: 'failed',
    title: l10n.t('{0} ended unexpectedly', name),
    detail: `${why} ${l10n.t('Parley keeps the conversation. Restart the agent to continue.')}`,
    ...(exit.stderr ? { stderr: exit.stderr } : {}),
    actions: withCheck(['restart', 'showLog']),
  };
}

/** Agents are programs that work on files; a virtual workspace has none on this machine. */
export function noFolderOnDisk(): ConnectionView {
  return {
    state: 'failed',
    title: l10n.t('This workspace has no folder on disk'),
    detail: l10n.t(
      'Agents work on files on disk. Open a folder on this machine, or on the machine that VS Code is connected to.',
    ),
    actions: [],
  };
}
