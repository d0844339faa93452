import { joinedLines } from '../base/joinedLines';
import { smallerNo, smallerYes } from '../protocol/permissionChoice';
import type { BriefView, PendingQuestionView } from '../protocol/questionView';
import { commandLineOf } from '../permission/subject';
import { elicitationTitle } from '../thread/elicitation';
import type { PendingPermission, Thread, ToolCall } from '../thread/thread';
import { labelOfTitle } from './labels';

/** Characters of a command that can be read at a glance. */
const maxGlance = 100;
/** Words, paths, options and quotes: nothing that chains, redirects or computes. */
const plainWords = /^[\w ./\\:=@,+"'*-]+$/;

/** Questions in the order in which they were asked. `cwd` is the session's folder. */
export function pendingQuestions(thread: Thread, cwd: string): PendingQuestionView[] {
  return thread.waiting.flatMap(({ requestId, index, at }): PendingQuestionView[] => {
    const entry = thread.entries.at(index);
    if (entry?.kind === 'elicitation') return [{ requestId, entryId: entry.id, kind: 'elicitation', title: elicitationTitle(entry), askedAt: at }];
    if (entry?.kind !== 'toolCall') return [];
    const permission = entry.permissions.find((item) => item.requestId === requestId);
    return permission ? [{ requestId, entryId: entry.id, kind: 'permission', title: labelOfTitle(permission.title, cwd), askedAt: at, brief: briefOf(entry, permission, cwd) }] : [];
  });
}

/** What a line has room for, and whether that is all. */
function briefOf(call: ToolCall, permission: PendingPermission, cwd: string): BriefView {
  const command = (permission.command?.text ?? commandLineOf(call.rawInput)?.text)?.trim();
  const allow = smallerYes(permission.options);
  const reject = smallerNo(permission.options);
  return {
    text: command === undefined ? labelOfTitle(permission.title, cwd) : joinedLines(command, ' '),
    isCode: command !== undefined,
    isWhole: command !== undefined && command.length <= maxGlance && plainWords.test(command) && permission.description === undefined && (permission.assessment?.risks?.length ?? 0) === 0 && !call.content.some(({ type }) => type === 'diff' || type === 'fileChange'),
    ...(allow ? { allow } : {}),
    ...(reject ? { reject } : {}),
  };
}
