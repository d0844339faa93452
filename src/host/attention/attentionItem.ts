import { askerOf } from '../../protocol/questionView';
import type { AttentionItem } from '../../view/attention';
import { activityOf } from '../../view/panelView';
import { pendingQuestions } from '../../view/pendingQuestions';
import type { LiveSession } from '../sessions/liveSession';

/**
 * A stream changes a session thousands of times in a second; notifications are updated at this interval. Milliseconds.
 */
export const ATTENTION_MS = 50;

/** The state of a session for the status bar, the badge and notifications. */
type Seen = Pick<LiveSession, 'agent' | 'cwd' | 'session' | 'title' | 'unread' | 'hasFailed'>;

/** A session in the form of the status bar, the badge and notifications. */
export function attentionItem(item: Seen): AttentionItem {
  const { thread } = item.session;
  const questions = pendingQuestions(thread, item.cwd);
  // A dialog or a card that blocks the session comes first.
  const inTheWay = thread.asks.filter(({ entryId }) => entryId === undefined);
  const waiting = [...inTheWay, ...questions].map(({ title }) => title);
  const asker = inTheWay.length > 0 || questions.length === 0 ? undefined : askerOf(item.agent, questions[0]);
  const activity = activityOf(thread);
  const { title } = item;
  return {
    agent: item.agent,
    ...(title === undefined ? {} : { title }),
    waiting,
    ...(asker === undefined || asker === item.agent ? {} : { asker }),
    running: item.session.isRunning,
    ...(activity === undefined ? {} : { activity }),
    unread: item.unread,
    failed: item.unread && item.hasFailed,
  };
}
