import type { ContentBlock } from '@agentclientprotocol/sdk';
import { asObject, defined, integerOf, isObject, type JsonObject, stringOf } from './json';

/** A content block of a kind that this version does not know; shown by name, never dropped in silence. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly kind: string;
}

/** `ContentBlock` of the schema plus the unknown one; agents' blocks always come as this. */
export type DecodedBlock = (ContentBlock & { readonly type: 'text' | 'image' | 'audio' | 'resource_link' | 'resource' }) | UnknownBlock;

/**
 * Reads one content block, also as the interfaces of models spell it. `undefined` when it is no block at all or lacks what
 * its kind requires; an image that is not in it is named.
 */
export function decodeContentBlock(raw: unknown): DecodedBlock | undefined {
  const block = asObject(raw);
  const type = stringOf(block['type']);
  switch (type) {
    case undefined:
      return undefined;
    case 'text': {
      const text = stringOf(block['text']);
      return text === undefined ? undefined : { type, text };
    }
    case 'image':
    case 'audio':
    case 'image_url':
    case 'input_image':
    case 'image-data':
      return mediaOf(type === 'audio' ? type : 'image', block) ?? { type: 'unknown', kind: type };
    case 'media': {
      const media = mediaOf('image', block);
      return media?.type === 'image' && media.mimeType.startsWith('image/') ? media : { type: 'unknown', kind: type };
    }
    case 'resource_link': {
      const uri = stringOf(block['uri']);
      if (uri === undefined) return undefined;
      const optional = { title: stringOf(block['title']), description: stringOf(block['description']), mimeType: stringOf(block['mimeType']), size: integerOf(block['size']) };
      return { type, uri, name: stringOf(block['name']) ?? uri, ...defined(optional) };
    }
    case 'resource': {
      if (!isObject(block['resource'])) return undefined;
      const resource = block['resource'];
      const uri = stringOf(resource['uri']);
      if (uri === undefined) return undefined;
      const mimeType = stringOf(resource['mimeType']);
      const text = stringOf(resource['text']);
      const base = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
      return { type, resource: text === undefined ? { ...base, blob: stringOf(resource['blob']) ?? '' } : { ...base, text } };
    }
    default:
      return { type: 'unknown', kind: type };
  }
}

/** How the base64 of images begins that agents send without a type. */
const beginnings: readonly (readonly [beginning: string, mimeType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** An image or a sound: its data and type in the block, in a `source` of it, or in a `data:` address. */
function mediaOf(type: 'image' | 'audio', block: JsonObject): DecodedBlock | undefined {
  const [plainData, plainType, uri] = [stringOf(block['data']), stringOf(block['mimeType']), stringOf(block['uri'])];
  if (plainData !== undefined && plainType !== undefined && !plainData.startsWith('data:')) return type === 'image' && uri !== undefined ? { type, data: plainData, mimeType: plainType, uri } : { type, data: plainData, mimeType: plainType };
  const url = block['image_url'];
  const parts = [block, asObject(block['source']), asObject(url), asObject(block['image']), asObject(block['inlineData'])];
  const found = (...names: string[]) => parts.flatMap((part) => names.flatMap((name) => stringOf(part[name]) ?? [])).find((text) => text !== '');
  const said = found('data', 'base64', 'b64_json', 'bytes', 'image') ?? stringOf(url) ?? found('url', 'uri');
  if (said === undefined) return undefined;
  const [, typeInAddress, dataInAddress] = /^data:([^;,]*)[^,]*;base64,([^]*)$/i.exec(said) ?? [];
  const data = dataInAddress ?? said;
  // The address of something elsewhere: Parley fetches nothing that an agent names.
  if (dataInAddress === undefined && /^[a-z][a-z\d+.-]*:/i.test(said)) return undefined;
  const mimeType = found('mimeType', 'mime_type', 'media_type', 'mediaType') ?? (typeInAddress || beginnings.find(([beginning]) => data.startsWith(beginning))?.[1]);
  return mimeType === undefined ? undefined : { type, data, mimeType };
}
