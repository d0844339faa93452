import type { AttachmentView } from '../../protocol/attachments';

/** The host's record of an attachment. Small: its content is in the store, or is read from its file when it is sent. */
export interface Attachment extends AttachmentView {
  /**
   * The attachment's address for the agent: a file, with the lines as the fragment (`#L10-L24`), or a `parley:` name.
   */
  readonly uri: string;
  readonly mimeType?: string;
  /** The target of `uri` when the file was attached, links resolved; it is read only while the target is the same. */
  readonly real?: string;
  /** Name of the content's file in the store; without it the content is that of the file at `uri`. */
  readonly stored?: string;
  /** Bytes. */
  readonly size?: number;
}

/** An attachment that the store does not have yet. */
export interface NewAttachment extends Omit<Attachment, 'id' | 'stored'> {
  /** Text, or the bytes of an image, a sound or a PDF. Absent: read from the file when it is sent. */
  readonly content?: string | Uint8Array;
  /** File name of the content, for the tab of an editor. */
  readonly fileName?: string;
}

/** Longer text of an attachment is cut, or sent as a link if it has a file. Characters. */
export const maxTextLength = 512 * 1024;

export const pdfType = 'application/pdf';

/** Its content is sent as base64. */
export function isMedia({ kind, mimeType }: Pick<Attachment, 'kind' | 'mimeType'>): boolean {
  return kind === 'image' || kind === 'audio' || isPdf({ kind, mimeType });
}

/** A PDF file that is small enough to send. */
export function isPdf({ kind, mimeType }: { readonly kind: string; readonly mimeType?: string | undefined }): boolean {
  return kind === 'file' && mimeType === pdfType;
}

/** `a.ts:10`, `a.ts:10-24`. Lines are 1-based. */
export function lineLabel(name: string, first: number, last: number): string {
  return first === last ? `${name}:${first}` : `${name}:${first}-${last}`;
}

/** `#L10`, `#L10-L24`: the fragment that names lines of a file, as most tools write it. Lines are 1-based. */
export function lineFragment(first: number, last: number): string {
  return first === last ? `L${first}` : `L${first}-L${last}`;
}
