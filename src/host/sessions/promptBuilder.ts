import { realpath } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import * as vscode from 'vscode';
import { sniffMediaType } from '../../base/mediaType';
import { type MentionedLines, tokenIn } from '../../base/mentionToken';
import {
  deliveryOf,
  maxMediaLength,
  maxMediaTogether,
  notSupported,
  type PromptCapabilitiesView,
} from '../../protocol/attachments';
import type { MentionView } from '../../protocol/viewModel';
import type { Session } from '../../thread/session';
import type { Thread, UserMessage } from '../../thread/thread';
import { type Attachment, isMedia, isPdf, maxTextLength, pdfType } from '../attachments/attachment';
import type { AttachmentStore } from '../attachments/attachmentStore';
import {
  attachmentBlocks,
  attachmentMeta,
  cutAtMentions,
  linkBlock,
  pdfBlocks,
  shownBlock,
} from '../attachments/promptBlocks';
import { openedFile } from '../../node/settledFiles';
import { NotSent } from '../../thread/sessionLink';
import { promptsFrom } from '../../thread/threadTurns';
import { shownText } from '../files/fileContent';
import { checkPath } from '../files/pathPolicy';
import type { Draft } from './draft';
import { foldersOnDisk } from '../platform/workspaceFolders';

/** Whom a prompt is for. */
export interface PromptTarget {
  /** Name for messages to the user. */
  readonly agent: string;
  readonly takes: PromptCapabilitiesView;
  /** The session's folders: content of files in them may go along. */
  readonly roots: readonly string[];
  /** Told in the thread what had to be left out. */
  readonly session: Pick<Session, 'notify'>;
}

/** Turns drafts into what the thread shows, and into what an agent gets. */
export class PromptBuilder {
  constructor(private readonly store: AttachmentStore) {}

  /** What the thread shows of a prompt: its text, then what it mentions and what is attached. Needs no agent. */
  shown({ text, mentions, attachments, notes }: Draft): ContentBlock[] {
    const told = [...(text.trim() === '' ? [] : [text]), ...(notes ? [notes.text] : [])];
    const said = told.length === 0 ? [] : [{ type: 'text' as const, text: told.join('\n\n') }];
    return [
      ...said,
      ...mentions.map((mention) => linkTo(mention)),
      ...attachments.map((item) => shownBlock(item, this.store.uriOf(item))),
    ];
  }

  /**
   * What is sent: the text as it was typed, after each piece that ends in a mention the mentioned file (embedded with
   * its unsaved text where the agent takes embedded context, item 77, else as a link, item 75), then what is attached,
   * then what is told of the review. Text comes first, because a command has to stand at the beginning of the prompt
   * (item 86).
   * @returns never nothing.
   * @throws NotSent when all of it had to be left out; why is in the thread by then.
   */
  async build(
    { text, mentions, attachments, notes }: Draft,
    { agent, takes, session, roots }: PromptTarget,
  ): Promise<ContentBlock[]> {
    const blocks: ContentBlock[] = [];
    const leftOut = new Map<string, string>();
    const folders = [...foldersOnDisk(), ...roots];
    let room = maxMediaTogether - attachments.filter(isMedia).reduce((sum, { size = 0 }) => sum + (size / 3) * 4, 0);
    for (const piece of cutAtMentions(text, mentions)) {
      if (piece.text !== '') blocks.push({ type: 'text', text: piece.text });
      if (!piece.mention) continue;
      const made = await mentionBlocks(piece.mention, piece.lines, takes, { folders, room });
      room -= made.reduce((sum, block) => sum + blobLength(block), 0);
      blocks.push(...made);
    }
    for (const attachment of attachments) {
      const made = attachmentBlocks(attachment, await this.#contentOf(attachment), takes);
      blocks.push(...made);
      if (made.length === 0) leftOut.set(attachment.label, whyLeftOut(attachment, takes, agent));
    }
    if (notes) blocks.push(...(await import('./noteBlocks')).noteBlocks(notes.notes, takes, blocks.length === 0));
    if (leftOut.size > 0)
      session.notify({
        severity: 'warning',
        title: l10n.t('Not sent: {0}', [...leftOut.keys()].join(', ')),
        detail: [...new Set(leftOut.values())].join('\n'),
      });
    if (blocks.length === 0) throw new NotSent();
    return blocks;
  }

  /** The last prompt of a thread as it was composed, so that it can be sent again after the window was closed. */
  lastOf(thread: Thread): Draft | undefined {
    const { value } = promptsFrom(thread).next();
    return value && this.draftOf(value);
  }

  /** A prompt of a thread as it was composed. */
  draftOf(prompt: UserMessage): Draft {
    const parts = [...prompt.parts];
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const ids = parts.flatMap((part) =>
      '_meta' in part && typeof part._meta?.[attachmentMeta] === 'string' ? [part._meta[attachmentMeta]] : [],
    );
    const mentions: MentionView[] = [];
    const taken = new Set<string>();
    for (const part of parts) {
      if (part.type !== 'resource_link' || !part.uri.startsWith('file:') || part._meta?.[attachmentMeta] !== undefined)
        continue;
      const token = tokenIn(text, part.name, taken) ?? `@${part.name}`;
      taken.add(token);
      mentions.push({ token, path: vscode.Uri.parse(part.uri).fsPath, label: part.name });
    }
    return { text, mentions, attachments: this.store.load(ids) };
  }

  async #contentOf(attachment: Attachment): Promise<string | undefined> {
    if (attachment.stored !== undefined) return this.store.content(attachment);
    if (attachment.kind !== 'file' && attachment.kind !== 'audio') return undefined;
    const { fsPath } = vscode.Uri.parse(attachment.uri);
    const real = await realpath(fsPath).catch(() => undefined);
    // Another file than the one that was attached goes as a link, which shows no content.
    if (real === undefined || (attachment.real ?? real) !== real) return undefined;
    return isMedia(attachment) ? mediaOf(real, isPdf(attachment) ? pdfType : undefined) : textOf(fsPath, real);
  }
}

/** VS Code writes `file:///c%3A/…` on Windows, which not every agent can read. */
function addressOf(path: string): string {
  return pathToFileURL(path).href;
}

function linkTo({ path, label }: MentionView): ContentBlock {
  return linkBlock(addressOf(path), label);
}

/**
 * @param limits content goes along only from these folders, because a link may lead out of them; `room`: characters of
 *   base64 that the message may still have
 */
async function mentionBlocks(
  mention: MentionView,
  lines: MentionedLines | undefined,
  takes: PromptCapabilitiesView,
  limits: { readonly folders: readonly string[]; readonly room: number },
): Promise<readonly ContentBlock[]> {
  const { folders, room } = limits;
  const { real, inside } = await checkPath(mention.path, folders);
  const uri = addressOf(mention.path);
  const mayEmbed = takes.embeddedContext && inside;
  if (lines && !mention.label.endsWith('/'))
    return [await (await import('./lineBlock')).lineBlock(mention, lines, { uri, real: mayEmbed ? real : undefined })];
  const text = mayEmbed ? await textOf(mention.path, real) : undefined;
  if (text !== undefined) return [{ type: 'resource', resource: { uri, text } }];
  const pdf = mayEmbed && /\.pdf$/i.test(mention.path) ? await mediaOf(real, pdfType) : undefined;
  return pdf === undefined || pdf.length > room ? [linkTo(mention)] : pdfBlocks(uri, mention.label, pdf);
}

function blobLength(block: ContentBlock): number {
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob.length : 0;
}

/**
 * Text of a file as the editor has it (item 78). `undefined` for folders, binary files and what is too large to embed.
 */
async function textOf(path: string, real: string): Promise<string | undefined> {
  const text = await shownText(path, real).catch(() => undefined);
  return text === undefined || text.length > maxTextLength ? undefined : text;
}

/** @param type that the bytes must be of @returns base64; undefined if it is too large, or of another type */
async function mediaOf(real: string, type?: string): Promise<string | undefined> {
  try {
    return await openedFile(real, async ({ stat, read }) => {
      if ((await stat()).size > (maxMediaLength / 4) * 3) return undefined;
      const bytes = await read();
      return type === undefined || sniffMediaType(bytes) === type ? bytes.toString('base64') : undefined;
    });
  } catch {
    return undefined;
  }
}

function whyLeftOut(
  attachment: Pick<Attachment, 'kind' | 'linkable'>,
  takes: PromptCapabilitiesView,
  agent: string,
): string {
  const isMedia = attachment.kind === 'image' || attachment.kind === 'audio';
  return isMedia && deliveryOf(attachment, takes) === 'leftOut'
    ? notSupported(attachment.kind, agent)
    : l10n.t('Its content is no longer available.');
}
