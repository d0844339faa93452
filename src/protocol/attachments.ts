import * as l10n from '@vscode/l10n';
/** Kinds of context that a user can add to a message, besides its text and the files that it mentions. */
export type AttachmentKind = 'image' | 'audio' | 'file' | 'folder' | 'selection' | 'problems' | 'terminal' | 'changes';

/** One attachment of the message being written, as the panel shows it. The host keeps its content. */
export interface AttachmentView {
  /** Given by the host; opaque. */
  readonly id: string;
  readonly kind: AttachmentKind;
  /** "tokenizer.ts:10-24" */
  readonly label: string;
  /** Its source, size and any conversion, for the tooltip. */
  readonly detail: string;
  /** True if there is a file that Parley can link to. */
  readonly linkable: boolean;
  /** A small picture of an image. */
  readonly preview?: PreviewView;
}

/** `data` is base64. */
export interface PreviewView {
  readonly mimeType: string;
  readonly data: string;
}

/** Content that an agent accepts in a prompt besides text and links (`promptCapabilities` of the schema). */
export interface PromptCapabilitiesView {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
}

/** The file in the active editor, or the lines selected in it. Never a protected file. */
export interface CurrentFileView {
  readonly label: string;
  /** Its path in the workspace, with the selected lines. */
  readonly detail: string;
  readonly isSelection?: true;
  /** Each message brings it along, until the user removes it. */
  readonly isFollowed?: true;
}

/**
 * Sources of context that a user can ask the host to add. `menu` offers a choice; `current` is the file of
 * `CurrentFileView`.
 */
export const contextSources = [
  'menu',
  'current',
  'selection',
  'symbol',
  'file',
  'folder',
  'open',
  'problems',
  'search',
  'terminal',
  'changes',
  'commit',
  'branch',
  'session',
] as const;
export type ContextSource = (typeof contextSources)[number];

/** True if the host asks the user for more, who may leave its question open. */
export function asksFirst(source: ContextSource): boolean {
  return ['menu', 'symbol', 'file', 'folder', 'search', 'commit', 'session'].includes(source);
}

/** Characters of base64: 5 MB, the strictest model service's limit for one image. For sounds and PDF files, too. */
export const maxMediaLength = 5 * 1024 * 1024;
/** Pixels of an image's longer side: the strictest model service's limit. */
export const maxImageSide = 8_000;
/** Bytes of an image file before it is scaled down. */
export const maxImageSource = 30 * 1024 * 1024;
/** Characters of base64. */
export const maxPreviewLength = 64 * 1024;
export const maxAttachments = 30;
/** The most URIs that the panel passes on from one drop. A message takes fewer, so the host still reports the limit. */
export const maxUris = 200;
/** Characters of base64 that the images, sounds and PDF files of one message may have together. */
export const maxMediaTogether = 20 * 1024 * 1024;

/** How an attachment reaches the agent: unchanged, as a link to its file, as text in the prompt, or not at all. */
export type Delivery = 'whole' | 'link' | 'text' | 'leftOut';

/** Items 75 and 77: a kind of content that the agent does not accept is sent in a form that every agent accepts. */
export function deliveryOf(
  { kind, linkable }: Pick<AttachmentView, 'kind' | 'linkable'>,
  takes: PromptCapabilitiesView,
): Delivery {
  const link = linkable ? 'link' : 'leftOut';
  switch (kind) {
    case 'image':
      return takes.image ? 'whole' : link;
    case 'audio':
      return takes.audio ? 'whole' : link;
    // Every agent gets a folder as a link, so nothing is lost.
    case 'folder':
      return 'whole';
    case 'file':
      if (takes.embeddedContext) return 'whole';
      return linkable ? 'link' : 'text';
    default:
      return takes.embeddedContext ? 'whole' : 'text';
  }
}

/** Explains why the agent does not get an image or a sound, and what to do about it. */
export function notSupported(kind: 'image' | 'audio', agent: string): string {
  return kind === 'image'
    ? l10n.t('{0} does not support images. Save the image as a file and add the file: it is sent as a link.', agent)
    : l10n.t('{0} does not support audio. Use Add Context to send the file as a link.', agent);
}

/** Tells the user how an attachment reaches the agent; `undefined` if nothing is lost. */
export function deliveryRemark(
  attachment: Pick<AttachmentView, 'kind' | 'linkable'>,
  takes: PromptCapabilitiesView,
  agent: string,
): string | undefined {
  const delivery = deliveryOf(attachment, takes);
  if (delivery === 'whole') return undefined;
  const isLink = delivery === 'link';
  switch (attachment.kind) {
    case 'image':
      return isLink
        ? l10n.t('Sent as a link to the file, because {0} does not support images', agent)
        : l10n.t('Not sent, because {0} does not support images', agent);
    case 'audio':
      return isLink
        ? l10n.t('Sent as a link to the file, because {0} does not support audio', agent)
        : l10n.t('Not sent, because {0} does not support audio', agent);
    default:
      return isLink
        ? l10n.t('Sent as a link to the file, because {0} does not support embedded files', agent)
        : l10n.t('Sent as part of the text, because {0} does not support embedded files', agent);
  }
}
