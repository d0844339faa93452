import type { ThreadAction } from './actions';
import type { AgentNotice, Thread } from './thread';

/** An agent that says something new every second must not fill the panel. */
const maxNotices = 20;
/** Characters; nobody reads more in a strip. */
const maxTitle = 500;
const maxDescription = 4_000;

/**
 * Shows what the agent wants the user to know now. It is no part of the conversation and has no place in it
 * (schema `Notice`); the same words again replace the earlier ones.
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

/** The user has seen it. */
export function dismissNotice(thread: Thread, id: string): Thread {
  const notices = thread.notices.filter((notice) => notice.id !== id);
  return notices.length === thread.notices.length ? thread : { ...thread, notices };
}

/**
 * With the next prompt, what was only told for information has had its time; warnings and errors stay until dismissed.
 */
export function withoutOldNotices(thread: Thread): Thread {
  const notices = thread.notices.filter(({ severity }) => severity === 'warning' || severity === 'error');
  return notices.length === thread.notices.length ? thread : { ...thread, notices };
}
