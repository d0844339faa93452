import { realpath, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { sniffLength, sniffMediaType } from '../../base/mediaType';
import { maxImageSource, maxMediaLength } from '../../protocol/attachments';
import { openedFile } from '../../node/settledFiles';
import { type NewAttachment, pdfType } from './attachment';

/** The handling of a file that the user attached. */
export type FileIntake =
  /** Only the webview can decode an image, so it prepares it. */
  | { readonly as: 'image'; readonly mimeType: string; readonly bytes: Buffer; readonly link: NewAttachment }
  /** `remark` mentions anything unexpected. */
  | { readonly as: 'attachment'; readonly attachment: NewAttachment; readonly remark?: string }
  | { readonly as: 'nothing'; readonly reason: string };

/**
 * Classifies a file on disk by its bytes, not by its name. @param file absolute. @param label its name for the user.
 */
export async function intakeOf(file: string, label: string): Promise<FileIntake> {
  const name = nodePath.basename(file);
  const common = { label: name, detail: label, linkable: true, uri: pathToFileURL(file).href };
  try {
    const found = await stat(file);
    if (found.isDirectory()) return { as: 'attachment', attachment: { kind: 'folder', ...common, label: `${name}/` } };
    // Opening a pipe would wait for its other end.
    if (!found.isFile()) return { as: 'nothing', reason: l10n.t('{0} is neither a file nor a folder.', name) };
    const real = await realpath(file);
    return await openedFile(real, async ({ handle, stat, read }): Promise<FileIntake> => {
      const { size } = await stat();
      const link: NewAttachment = { kind: 'file', ...common, real, size };
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffLength), 0, sniffLength, 0);
      const mimeType = sniffMediaType(buffer.subarray(0, bytesRead));
      if (mimeType?.startsWith('image/')) {
        if (size > maxImageSource)
          return {
            as: 'attachment',
            attachment: link,
            remark: l10n.t(
              '{0} is too large to send as an image (at most {1} MB). Parley sends a link.',
              name,
              maxImageSource / 1024 / 1024,
            ),
          };
        return { as: 'image', mimeType, bytes: await read(), link };
      }
      if (mimeType?.startsWith('audio/')) {
        if (size > (maxMediaLength / 4) * 3)
          return {
            as: 'attachment',
            attachment: link,
            remark: l10n.t(
              '{0} is too large to send as audio (at most {1} MB encoded). Parley sends a link.',
              name,
              maxMediaLength / 1024 / 1024,
            ),
          };
        return { as: 'attachment', attachment: { ...link, kind: 'audio', mimeType } };
      }
      if (mimeType !== pdfType) return { as: 'attachment', attachment: link };
      if (size > (maxMediaLength / 4) * 3)
        return {
          as: 'attachment',
          attachment: link,
          remark: l10n.t(
            '{0} is too large to send as a PDF (at most {1} MB encoded). Parley sends a link.',
            name,
            maxMediaLength / 1024 / 1024,
          ),
        };
      return { as: 'attachment', attachment: { ...link, mimeType } };
    });
  } catch {
    return { as: 'nothing', reason: l10n.t('{0} could not be read.', name) };
  }
}
