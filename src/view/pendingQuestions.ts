import { joinedLines } from '../base/oneLine';
import type { BriefView, PendingQuestionView } from '../protocol/questionView';
import { subjectText } from '../permission/subject';
import { smallerNo, smallerYes, suggestedYes } from '../protocol/permissionOptions';
import { elicitationTitle } from '../thread/elicitation';
import { nameOf } from '../thread/permissionRequests';
import { subagentOf, subagentOfCall } from '../thread/subagents';
import type { PendingPermission, Thread } from '../thread/thread';
import { labelOfPath, labelOfTitle } from './labels';
import { risksOf } from './projectPermission';

/** Characters of a command that can be read at a glance. */
const maxGlance = 100;
/** Characters of a line, which each update of the panel makes again. The card has all of the text. */
const maxText = 2_000;
/** Words, paths, options and quotes: nothing that chains, redirects or computes. */
const plainWords = /^[\w ./\\:=@,+"'*-]+$/;

/** Questions in the order in which they were asked. `cwd` is the session's folder. */
export function pendingQuestions(thread: Thread, cwd: string): PendingQuestionView[] {
  return [...ownQuestions(thread), ...agentQuestions(thread, cwd)].sort((a, b) => a.askedAt - b.askedAt);
}

/** Parley's own questions in the thread. Dialogs and the sign-in card are not among them. */
function ownQuestions({ asks }: Thread): PendingQuestionView[] {
  return asks.flatMap(({ requestId, entryId, title, at }) =>
    entryId === undefined ? [] : [{ requestId, entryId, kind: 'own', title, askedAt: at }],
  );
}

function agentQuestions(thread: Thread, cwd: string): PendingQuestionView[] {
  return thread.waiting.flatMap(({ requestId, index, at }): PendingQuestionView[] => {
    const entry = thread.entries.at(index);
    if (entry?.kind === 'elicitation') {
      const { id, toolCallId } = entry;
      return [
        {
          requestId,
          entryId: id,
          kind: 'elicitation',
          title: elicitationTitle(entry).slice(0, maxText),
          askedAt: at,
          ...asking(toolCallId === undefined ? undefined : subagentOfCall(thread, { toolCallId }), cwd),
        },
      ];
    }
    if (entry?.kind !== 'toolCall') return [];
    const permission = entry.permissions.find((item) => item.requestId === requestId);
    if (!permission) return [];
    return [
      {
        requestId: nameOf(permission),
        entryId: entry.id,
        kind: 'permission',
        title: titleOf(permission, cwd),
        askedAt: at,
        ...asking(subagentOf(thread, entry), cwd),
        brief: briefOf(permission, cwd),
      },
    ];
  });
}

/** The name of the subagent that asks; undefined if the agent itself does. */
function asking(subagent: string | undefined, cwd: string): Pick<PendingQuestionView, 'subagent'> {
  return subagent === undefined ? {} : { subagent: labelOfTitle(subagent.slice(0, maxText), cwd) };
}

/** The question for a list or a notification: the effect rather than the agent's name for it. */
function titleOf({ subject }: PendingPermission, cwd: string): string {
  return labelOfTitle(subjectText(subject, (path) => labelOfPath(path, cwd)).slice(0, maxText), cwd);
}

/** The part that fits on one line, and whether that is all. */
function briefOf(permission: PendingPermission, cwd: string): BriefView {
  const { subject, assessment } = permission;
  const command = subject.command?.text.trim();
  const allow = smallerYes(subject.options);
  const reject = smallerNo(subject.options);
  return {
    text: command === undefined ? titleOf(permission, cwd) : joinedLines(command.slice(0, maxText), ' '),
    isCode: command !== undefined,
    isWhole:
      command !== undefined &&
      command.length <= maxGlance &&
      plainWords.test(command) &&
      !isUnusual(permission) &&
      (assessment?.risks?.length ?? 0) === 0 &&
      assessment?.cwd === undefined,
    // It cannot be answered while it is assessed again.
    ...(allow && !permission.isChecking ? { allow } : {}),
    ...(suggestedYes(subject.options, risksOf(permission)) ? { suggestsYes: true } : {}),
    ...(reject && !permission.isChecking ? { reject } : {}),
  };
}

/** The request has more than a command. */
function isUnusual({ subject, changedFrom, isUnassessed }: PendingPermission): boolean {
  return (
    isUnassessed === true ||
    subject.description !== undefined ||
    subject.doubt !== undefined ||
    subject.contradictions.length > 0 ||
    changedFrom !== undefined ||
    subject.content.some(({ type }) => type === 'diff' || type === 'fileChange')
  );
}
