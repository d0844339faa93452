import { sessionTitle } from '../base/oneLine';
import type { PanelView } from '../protocol/viewModel';
import { ancestors, subagentOf } from '../thread/subagents';
import { type EntryId, entryIdAt, indexOfEntry, type Thread } from '../thread/thread';

/** True if an entry is the call of a subagent, or belongs to that subagent or one below it. */
export function isInSubagent(thread: Thread, index: number, call: EntryId): boolean {
  const entry = thread.entries.at(index);
  if (!entry) return false;
  if (entry.kind === 'elicitation') {
    const asking = entry.toolCallId === undefined ? undefined : thread.toolCalls.get(entry.toolCallId);
    return asking !== undefined && ancestors(thread, entryIdAt(asking)).has(call);
  }
  const own = 'parentId' in entry && entry.kind !== 'toolCall' ? entry.parentId : entryIdAt(index);
  return own !== undefined && ancestors(thread, own).has(call);
}

/**
 * The panel of a session, as a view of one subagent has it: nothing that concerns the session as a whole.
 * @param panel of the session that the subagent works in
 */
export function subagentPanel(panel: PanelView, thread: Thread, call: EntryId): PanelView {
  const { agent, agentIcon, agentTitle, fileStates, checkpoints, sendWith } = panel;
  return {
    agent,
    ...(agentIcon === undefined ? {} : { agentIcon }),
    ...(agentTitle === undefined ? {} : { agentTitle }),
    title: subagentTitle(thread, call),
    subagent: call,
    connection: { state: 'ready' },
    turn: { running: false, stopping: false, canForceStop: false },
    fileStates,
    ...(checkpoints === undefined ? {} : { checkpoints }),
    pendingQuestions: panel.pendingQuestions.filter(({ entryId }) => isInSubagent(thread, indexOfEntry(entryId), call)),
    sendWith,
    options: [],
    commands: [],
    plan: [],
    notices: [],
    changes: [],
    queue: [],
    waitingElsewhere: [],
    attachments: [],
    history: [],
  };
}

/** The title of its call, in one line. */
export function subagentTitle(thread: Thread, call: EntryId): string {
  return sessionTitle(subagentOf(thread, { parentId: call }) ?? '');
}
