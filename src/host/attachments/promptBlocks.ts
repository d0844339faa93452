import type { ContentBlock } from '@agentclientprotocol/sdk';
import { findToken, linesAfter, type MentionedLines } from '../../base/mentionToken';
import { deliveryOf, type PromptCapabilitiesView } from '../../protocol/attachments';
import type { MentionView } from '../../protocol/viewModel';
import { type Attachment, isPdf, pdfType } from './attachment';

/** Key of our own name for an attachment on the thread's blocks; never sent. */
export const attachmentMeta = 'parley/attachment';

/** Splits a text after each mention with its lines, in their order; mentions that it does not contain come last. */
export function cutAtMentions(
  text: string,
  mentions: readonly MentionView[],
): { readonly text: string; readonly mention?: MentionView; readonly lines?: MentionedLines }[] {
  const placed = mentions.map((mention) => ({ mention, at: findToken(text, mention.token) }));
  const pieces: { text: string; mention?: MentionView; lines?: MentionedLines }[] = [];
  let from = 0;
  for (const { mention, at } of placed.filter((item) => item.at >= 0).sort((a, b) => a.at - b.at)) {
    const tokenEnd = at + mention.token.length;
    const lines = linesAfter(text, tokenEnd);
    const end = tokenEnd + (lines?.length ?? 0);
    pieces.push({ text: text.slice(from, end), mention, ...(lines && { lines }) });
    from = end;
  }
  if (text.slice(from).trim() !== '') pieces.push({ text: text.slice(from) });
  return [...pieces, ...placed.filter((item) => item.at < 0).map(({ mention }) => ({ text: '', mention }))];
}

/** A file as a link. `name` is for showing; `uri` may contain lines. */
export function linkBlock(
  uri: string,
  name: string,
  more: { readonly mimeType?: string | undefined; readonly size?: number | undefined } = {},
): ContentBlock {
  return {
    type: 'resource_link',
    uri,
    name,
    ...(more.mimeType === undefined ? {} : { mimeType: more.mimeType }),
    ...(more.size === undefined ? {} : { size: more.size }),
  };
}

/**
 * The prompt blocks of an attachment: only kinds that the agent accepts (item 75), embedded if allowed (item 77).
 * @param content the text, or the base64 of an image, a sound or a PDF; `undefined` if it could not be read.
 * @returns no blocks if it has to be left out.
 */
export function attachmentBlocks(
  attachment: Attachment,
  content: string | undefined,
  takes: PromptCapabilitiesView,
): ContentBlock[] {
  const { kind, uri, label, linkable, mimeType } = attachment;
  const link = linkable ? [linkBlock(uri, label, attachment)] : [];
  const delivery = deliveryOf(attachment, takes);
  if (delivery === 'leftOut') return [];
  if (delivery === 'link' || kind === 'folder' || content === undefined) return link;
  if (delivery === 'text') return [...link, { type: 'text', text: `\n\n${label}:\n${fenced(content)}\n` }];
  if (kind === 'image')
    return [{ type: 'image', data: content, mimeType: mimeType ?? 'image/png', ...(linkable ? { uri } : {}) }];
  if (kind === 'audio') return [{ type: 'audio', data: content, mimeType: mimeType ?? 'audio/mpeg' }];
  if (isPdf(attachment)) return pdfBlocks(uri, label, content);
  return [{ type: 'resource', resource: { uri, text: content, mimeType: mimeType ?? 'text/plain' } }];
}

/**
 * A PDF file, and a link to it: some agents that take embedded context leave out what is not text.
 * @param blob base64
 */
export function pdfBlocks(uri: string, label: string, blob: string): ContentBlock[] {
  return [
    { type: 'resource', resource: { uri, blob, mimeType: pdfType } },
    linkBlock(uri, label, { mimeType: pdfType }),
  ];
}

/** A Markdown code block whose fence the text cannot close. */
export function fenced(text: string, language = ''): string {
  let length = 3;
  // One by one: a text may have more runs than a call may have arguments.
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  const fence = '`'.repeat(length);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/**
 * The thread's block for an attachment: a small picture of an image, a link to anything else. Its whole content would
 * be part of each snapshot.
 * @param file URI of the stored content, for opening it.
 */
export function shownBlock(attachment: Attachment, file: string | undefined): ContentBlock {
  const { id, kind, uri, label, linkable, preview } = attachment;
  const _meta = { [attachmentMeta]: id };
  if (kind === 'image' && preview) return { type: 'image', ...preview, uri: file ?? uri, _meta };
  return { type: 'resource_link', uri: linkable ? uri : (file ?? uri), name: label, _meta };
}
