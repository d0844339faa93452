import * as l10n from '@vscode/l10n';
import { askerName } from '../../protocol/askerName';
import type { AttentionItem } from '../../view/attention';
import { activityOf } from '../../view/panelView';
import { pendingQuestions } from '../../view/pendingQuestions';
import type { LiveSession } from '../sessions/liveSession';

/** A stream changes a session thousands of times in a second; what is told of it is looked at this often. Milliseconds. */
export const ATTENTION_MS = 50;

/** A session as the status bar, the badge and notifications see it. */
export function attentionItem(item: LiveSession): AttentionItem {
  const { thread } = item.session;
  const questions = pendingQuestions(thread, item.cwd);
  const waiting = [...(item.signIn.view ? [l10n.t('Sign in')] : []), ...questions.map(({ title }) => title)];
  const subagent = item.signIn.view ? undefined : questions[0]?.subagent;
  const activity = activityOf(thread);
  const { title } = item;
  return { agent: item.agent, ...(title === undefined ? {} : { title }), waiting, ...(subagent === undefined ? {} : { asker: askerName(item.agent, subagent) }), running: item.session.isRunning, ...(activity === undefined ? {} : { activity }), unread: item.unread, failed: item.unread && item.hasFailed };
}
