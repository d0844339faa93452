import * as l10n from '@vscode/l10n';
/** What a user can add to a message beside its text and the files that the text mentions. */
export type AttachmentKind = 'image' | 'audio' | 'file' | 'folder' | 'selection' | 'problems' | 'terminal' | 'changes';

/** One attachment of the message that is being written, as the panel shows it. The host keeps what is behind it. */
export interface AttachmentView {
  /** The host's; opaque. */
  readonly id: string;
  readonly kind: AttachmentKind;
  /** "tokenizer.ts:10-24" */
  readonly label: string;
  /** Where it comes from, how large it is and what was done to it, for the tooltip. */
  readonly detail: string;
  /** Whether there is a file that the agent can be pointed to. */
  readonly linkable: boolean;
  /** A small picture of an image. */
  readonly preview?: PreviewView;
}

/** `data` is base64. */
export interface PreviewView {
  readonly mimeType: string;
  readonly data: string;
}

/** What an agent takes in a prompt besides text and links (`promptCapabilities` of the schema). */
export interface PromptCapabilitiesView {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
}

/** The file that the user looks at, or the lines that are selected in it. `detail` has its path in the workspace. */
export interface CurrentFileView {
  readonly label: string;
  readonly detail: string;
  readonly isSelection?: true;
}

/** What a user can ask the host to add. `menu` lets them choose; `current` is what `CurrentFileView` shows. */
export const contextSources = ['menu', 'current', 'selection', 'problems', 'terminal', 'changes'] as const;
export type ContextSource = (typeof contextSources)[number];

/** Characters of base64: 5 MB, which is what the strictest model service takes of one image. */
export const maxMediaLength = 5 * 1024 * 1024;
/** Pixels of an image's longer side; the strictest model service takes no more. */
export const maxImageSide = 8_000;
/** Bytes of an image file before it is scaled down. */
export const maxImageSource = 30 * 1024 * 1024;
/** Characters of base64. */
export const maxPreviewLength = 64 * 1024;
export const maxAttachments = 30;
/**
 * URIs of one drop that the panel hands over. It is more than a message takes, so the host still says how many that is.
 */
export const maxUris = 200;
/** Characters of base64 that the images and sounds of one message may have together. */
export const maxMediaTogether = 20 * 1024 * 1024;

/** How an attachment reaches the agent: as it is, as a link to its file, as words in the prompt, or not at all. */
export type Delivery = 'whole' | 'link' | 'text' | 'leftOut';

/** Items 75 and 77: only what the agent takes is sent as it is, and the rest degrades to what every agent takes. */
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
    // A folder is a link for every agent: nothing is lost.
    case 'folder':
      return 'whole';
    case 'file':
      if (takes.embeddedContext) return 'whole';
      return linkable ? 'link' : 'text';
    default:
      return takes.embeddedContext ? 'whole' : 'text';
  }
}

/** Why an agent gets nothing of an image or a sound, and what to do about it. */
export function notSupported(kind: 'image' | 'audio', agent: string): string {
  return kind === 'image'
    ? l10n.t('{0} does not support images. Save the image as a file and add the file: it is sent as a link.', agent)
    : l10n.t('{0} does not support audio. Use Add Context to send the file as a link.', agent);
}

/** How an attachment reaches the agent, in words for the user; `undefined` where nothing is lost. */
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
