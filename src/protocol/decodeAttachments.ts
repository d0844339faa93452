import { contextSources, maxAttachments, maxMediaLength, maxPreviewLength, maxUris, type PreviewView } from './attachments';
import type { FromWebview } from './messages';

const maxName = 255;
const maxRemark = 300;
const maxUri = 4_096;

type AttachmentMessage = Extract<FromWebview, { type: `attachment/${string}` | `image/${string}` | 'context/add' }>;

/** Messages of the webview about attachments. @returns undefined for any that is not of the contract. */
export function decodeAttachmentMessage(raw: Record<string, unknown>): AttachmentMessage | undefined {
  const type = raw['type'];
  const id = bounded(raw['id'], maxName);
  switch (type) {
    case 'attachment/add': {
      const name = bounded(raw['name'], maxName);
      const data = base64(raw['data'], maxMediaLength);
      const preview = raw['preview'] === undefined ? undefined : decodePreview(raw['preview']);
      const remark = bounded(raw['remark'], maxRemark);
      const requestId = raw['requestId'];
      if (!name || !data || (requestId !== undefined && !Number.isSafeInteger(requestId))) return undefined;
      return { type, name, data, ...(preview ? { preview } : {}), ...(remark ? { remark } : {}), ...(requestId === undefined ? {} : { requestId: requestId as number }) };
    }
    case 'attachment/addUris': {
      const uris = raw['uris'];
      if (!Array.isArray(uris) || uris.length > maxUris) return undefined;
      return { type, uris: uris.filter((uri): uri is string => bounded(uri, maxUri) !== undefined) };
    }
    case 'attachment/remove':
    case 'attachment/open':
      return id === undefined ? undefined : { type, id };
    case 'attachment/removeSent':
      return { type };
    case 'image/refused': {
      const { requestId } = raw;
      const reason = bounded(raw['reason'], maxRemark);
      return Number.isSafeInteger(requestId) && reason !== undefined ? { type, requestId: requestId as number, reason } : undefined;
    }
    case 'context/add': {
      const source = contextSources.find((known) => known === raw['source']);
      return source && { type, source };
    }
    default:
      return undefined;
  }
}

/** The attachments that a prompt is sent with. */
export function decodeAttachmentIds(raw: unknown): readonly string[] | undefined {
  if (!Array.isArray(raw) || raw.length > maxAttachments) return undefined;
  return raw.every((id): id is string => bounded(id, maxName) !== undefined) ? raw : undefined;
}

function decodePreview(raw: unknown): PreviewView | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { mimeType, data } = raw as Record<string, unknown>;
  const text = base64(data, maxPreviewLength);
  return text !== undefined && typeof mimeType === 'string' && /^image\/(?:png|jpeg|webp)$/.test(mimeType) ? { mimeType, data: text } : undefined;
}

function base64(value: unknown, limit: number): string | undefined {
  const text = bounded(value, limit);
  return text !== undefined && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? text : undefined;
}

function bounded(value: unknown, limit: number): string | undefined {
  return typeof value === 'string' && value.length <= limit ? value : undefined;
}
