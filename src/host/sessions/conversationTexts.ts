import { sessionTitle } from '../../base/oneLine';
import { toLocal } from '../../base/localTime';
import * as l10n from '@vscode/l10n';
import { exportSession } from '../../thread/exportedSession';
import type { Thread } from '../../thread/thread';
import { answerText, promptsFrom } from '../../thread/threadTurns';
import { terminalLookup } from '../../view/exportedTerminals';
import { sessionMarkdown } from '../../view/sessionMarkdown';
import type { Conversations } from '../attachments/conversationContext';
import type { SessionStorage } from './sessionServices';

/** A session's thread, and its texts as Markdown; see `Conversations`. */
export interface ConversationTexts {
  readonly thread: Thread;
  readonly summary: string;
  readonly whole: string;
}

/** The earlier sessions of this workspace as texts. @param shown the id of the session that gets the message */
export function conversationTexts(
  { index, transcripts }: Pick<SessionStorage, 'index' | 'transcripts'>,
  shown: () => string,
): Conversations {
  return {
    list: () =>
      index
        .list()
        .filter(({ id }) => id !== shown() && !index.isHidden(id))
        .map(({ id, title, ownTitle, agent, updatedAt }) => ({
          id,
          title: sessionTitle(ownTitle ?? title ?? '') || l10n.t('Untitled'),
          about: `${agent} · ${toLocal(new Date(updatedAt).toISOString()).slice(0, 16).replace('T', ' ')}`,
        })),
    read: (id) => conversationOf({ index, transcripts }, id),
  };
}

/** One session of this workspace as texts. Undefined if it cannot be read. */
export async function conversationOf(
  { index, transcripts }: Pick<SessionStorage, 'index' | 'transcripts'>,
  id: string,
): Promise<ConversationTexts | undefined> {
  const record = index.get(id);
  const stored = record && (await transcripts.read(id, record.updatedAt).catch(() => undefined));
  if (!record || !stored) return undefined;
  const { thread, terminals } = stored;
  const title = record.ownTitle ?? record.title;
  const whole = exportSession(
    thread,
    { exportedAt: record.updatedAt, title, agent: record.agent, folder: record.cwd },
    terminalLookup(terminals),
  );
  return { thread, summary: summaryOf(thread), whole: sessionMarkdown(whole) };
}

/** The user's messages in their order, and the agent's last answer. */
export function summaryOf(thread: Thread): string {
  const prompts = [...promptsFrom(thread)].reverse().map(({ parts }) =>
    [...parts]
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
      .trim(),
  );
  const answer = answerText(thread);
  return [
    ...prompts.filter(Boolean).map((text) => `## ${l10n.t('You')}\n\n${text}`),
    ...(answer === '' ? [] : [`## ${l10n.t('Last answer')}\n\n${answer}`]),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}
