import * as l10n from '@vscode/l10n';
import { maxTextLength, type NewAttachment } from './attachment';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/** Earlier sessions, for a message in another one. */
export interface Conversations {
  /** Newest first, without the one that is shown. `about` has the agent and the time. */
  readonly list: () => readonly { readonly id: string; readonly title: string; readonly about: string }[];
  /** Both as Markdown: the user's messages with the last answer, and everything. Undefined if it cannot be read. */
  readonly read: (id: string) => Promise<{ readonly summary: string; readonly whole: string } | undefined>;
}

/**
 * An earlier session that the user chooses, short or whole.
 * @returns a string if there is none, with the reason; undefined if the user cancels
 */
export async function conversationContext({ list, read }: Conversations): Promise<NewAttachment | string | undefined> {
  const sessions = list();
  if (sessions.length === 0) return l10n.t('There is no other session in this workspace.');
  const title = l10n.t('Add a Session to the Message');
  const chosen = await markedWindow.showQuickPick(
    sessions.map((session) => ({
      label: `$(comment-discussion) ${plainText(session.title)}`,
      description: session.about,
      session,
    })),
    { title, placeHolder: l10n.t('Select a session'), matchOnDescription: true },
  );
  if (!chosen) return undefined;
  const texts = await read(chosen.session.id);
  if (!texts) return l10n.t('{0} could not be read.', chosen.session.title);
  const extent = await markedWindow.showQuickPick(
    [
      {
        label: l10n.t('Summary'),
        description: sizeOf(texts.summary),
        detail: l10n.t('Your messages and the last answer'),
        text: texts.summary,
        name: l10n.t('summary'),
      },
      {
        label: l10n.t('Whole Conversation'),
        description: sizeOf(texts.whole),
        detail: l10n.t('With thoughts, tool calls and their results'),
        text: texts.whole,
        name: l10n.t('whole conversation'),
      },
    ],
    { title, placeHolder: l10n.t('Select how much of it') },
  );
  if (!extent) return undefined;
  return conversationAttachment(chosen.session, extent.name, extent.text);
}

/** A conversation as an attachment. @param extent how much of it, in words */
export function conversationAttachment(
  { id, title }: { readonly id: string; readonly title: string },
  extent: string,
  text: string,
): NewAttachment {
  const isCut = text.length > maxTextLength;
  return {
    kind: 'file',
    label: l10n.t('Session: {0}', title),
    detail: [extent, sizeOf(text.slice(0, maxTextLength)), ...(isCut ? [l10n.t('shortened')] : [])].join(' · '),
    linkable: false,
    uri: `parley:/session/${encodeURIComponent(id)}`,
    mimeType: 'text/markdown',
    content: text.slice(0, maxTextLength),
    fileName: 'session.md',
  };
}

/** "4 KB, at most 512 KB are sent" */
export function sizeOf(text: string): string {
  const size = l10n.t('{0} KB', Math.max(1, Math.round(Buffer.byteLength(text) / 1024)));
  return text.length > maxTextLength ? l10n.t('{0}, sent up to {1} KB', size, maxTextLength / 1024) : size;
}
