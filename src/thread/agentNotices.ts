import type { ThreadAction } from './actions';
import type { AgentNotice, Thread } from './thread';

/** Limits the panel's notices, in case an agent sends one every second. */
const maxNotices = 20;
/** Characters; a strip has no room for more. */
const maxTitle = 500;
const maxDescription = 4_000;

/**
 * Shows an agent's live notice to the user. It is not part of the conversation (schema `Notice`); a notice with the
 * same words replaces the earlier one.
 */
export function showNotice(thread: Thread, action: Extract<ThreadAction, { type: 'agentNotice/shown' }>): Thread {
  const { severity } = action;
  const title = action.title.slice(0, maxTitle);
  const description = action.description?.slice(0, maxDescription);
  const others = thread.notices.filter(
    (known) => known.severity !== severity || known.title !== title || known.description !== description,
  );
  const noticeCount = thread.noticeCount + 1;
  const notice: AgentNotice = {
    id: `n${noticeCount}`,
    severity,
    title,
    ...(description === undefined ? {} : { description }),
  };
  return { ...thread, notices: [...others, notice].slice(-maxNotices), noticeCount };
}

/** The user dismissed a notice. */
export function dismissNotice(thread: Thread, id: string): Thread {
  const notices = thread.notices.filter((notice) => notice.id !== id);
  return notices.length === thread.notices.length ? thread : { ...thread, notices };
}

/** Removes informational notices with the next prompt; warnings and errors stay until dismissed. */
export function withoutOldNotices(thread: Thread): Thread {
  const notices = thread.notices.filter(({ severity }) => severity === 'warning' || severity === 'error');
  return notices.length === thread.notices.length ? thread : { ...thread, notices };
}
