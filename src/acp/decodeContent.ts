import type { ContentBlock } from '@agentclientprotocol/sdk';
import { asObject, defined, integerOf, stringOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';

/** A content block of an unknown kind. It is shown by name, so that it does not vanish unnoticed. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly kind: string;
}

/** `ContentBlock` of the schema plus the unknown one; all blocks from agents have this type. */
export type DecodedBlock =
  | (ContentBlock & { readonly type: 'text' | 'image' | 'audio' | 'resource_link' | 'resource' })
  | UnknownBlock;

/**
 * Reads one content block, also in the spelling of model APIs. `undefined` if it is not a block or lacks what its kind
 * requires. An image or a sound without its data becomes an unknown block of that kind.
 */
export function decodeContentBlock(raw: unknown): DecodedBlock | undefined {
  if (typeof raw === 'string') return { type: 'text', text: raw };
  const block = asObject(raw);
  const type = stringOf(block['type']);
  switch (type) {
    case 'text': {
      const text = stringOf(block['text']) ?? stringOf(block['content']);
      return text === undefined ? undefined : { type, text };
    }
    case 'image':
    case 'audio':
    case 'image_url':
    case 'input_image':
    case 'image-data':
      return mediaOf(type === 'audio' ? type : 'image', block) ?? { type: 'unknown', kind: type };
    case 'media':
    case 'file': {
      const media = mediaOf('image', block);
      return media?.type === 'image' && media.mimeType.startsWith('image/') ? media : { type: 'unknown', kind: type };
    }
    case 'resource_link': {
      const uri = stringOf(block['uri']);
      if (uri === undefined) return undefined;
      const image = imageInAddress(uri);
      if (image) return image;
      const optional = {
        title: stringOf(block['title']),
        description: stringOf(block['description']),
        mimeType: stringOf(block['mimeType']),
        size: integerOf(block['size']),
      };
      return { type, uri, name: stringOf(block['name']) ?? uri, ...defined(optional) };
    }
    case 'resource': {
      const resource = isObject(block['resource']) ? block['resource'] : block;
      const uri = stringOf(resource['uri']);
      if (uri === undefined) return undefined;
      const mimeType = stringOf(resource['mimeType']);
      const text = stringOf(resource['text']);
      const image = text === undefined && /^image\//i.test(mimeType ?? '') ? mediaOf('image', resource) : undefined;
      if (image?.type === 'image') return { ...image, uri };
      const base = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
      return {
        type,
        resource: text === undefined ? { ...base, blob: stringOf(resource['blob']) ?? '' } : { ...base, text },
      };
    }
    default: {
      const text = stringOf(block['text']);
      if (text !== undefined) return { type: 'text', text };
      return type === undefined ? undefined : { type: 'unknown', kind: type };
    }
  }
}

/** Base64 prefixes of images, for agents that send no type. */
const beginnings: readonly (readonly [beginning: string, mimeType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** The image in a text that consists only of a `data:` address. */
export function imageInAddress(text: string): DecodedBlock | undefined {
  return /^\s*data:image\/[\w.+-]{1,40};base64,[\w+/=\s-]+$/i.test(text)
    ? mediaOf('image', { data: text.trim() })
    : undefined;
}

/** An image or a sound: its data and type in the block, in a part of it, or in a `data:` address. */
function mediaOf(type: 'image' | 'audio', block: JsonObject): DecodedBlock | undefined {
  const url = block['image_url'];
  const parts = [
    block,
    ...['source', 'image_url', 'image', 'inlineData', 'inline_data', 'file'].map((name) => asObject(block[name])),
  ];
  const found = (...names: string[]) =>
    parts.flatMap((part) => names.flatMap((name) => stringOf(part[name]) ?? [])).find((text) => text !== '');
  const said = found('data', 'base64', 'b64_json', 'bytes', 'blob', 'image') ?? stringOf(url) ?? found('url', 'uri');
  if (said === undefined) return undefined;
  const [typeInAddress, dataInAddress] = dataAddress(said) ?? [];
  // The data is at another address: Parley fetches nothing that an agent names.
  if (dataInAddress === undefined && /^[a-z][a-z\d+.-]*:/i.test(said)) return undefined;
  const written = dataInAddress ?? said;
  const data = /\s/.test(written) ? written.replace(/\s+/g, '') : written;
  const named =
    found('mimeType', 'mime_type', 'media_type', 'mediaType', 'mime') ??
    parts.map((part) => stringOf(part['type'])).find((name) => name?.includes('/'));
  const short = named ?? found('format');
  const mimeType =
    (short !== undefined && /^(?:png|jpe?g|gif|webp)$/i.test(short)
      ? `image/${short.toLowerCase().replace('jpg', 'jpeg')}`
      : named) ??
    (typeInAddress || beginnings.find(([beginning]) => data.startsWith(beginning))?.[1]);
  if (mimeType === undefined) return undefined;
  const uri =
    type === 'image' && said === block['data'] && dataInAddress === undefined ? stringOf(block['uri']) : undefined;
  return uri === undefined ? { type, data, mimeType } : { type, data, mimeType, uri };
}

/** The type and the data in base64 of a `data:` address (RFC 2397). */
function dataAddress(text: string): readonly [type: string, data: string] | undefined {
  const comma = text.indexOf(',');
  if (comma < 0 || !/^data:$/i.test(text.slice(0, 5)) || !/^;base64$/i.test(text.slice(0, comma).slice(-7)))
    return undefined;
  return [text.slice(5, comma).split(';', 1)[0]!, text.slice(comma + 1)];
}

const typeFields = ['mimeType', 'mime_type', 'media_type', 'mediaType', 'mime'];

/** Reads an image from a value of any shape: a content block, a model API's image part, or an address with data. */
export function imageOf(value: unknown): DecodedBlock | undefined {
  if (typeof value === 'string') return imageInAddress(value);
  const block = asObject(value);
  const isImage =
    /image/.test(stringOf(block['type']) ?? '') ||
    isObject(block['inlineData']) ||
    isObject(block['inline_data']) ||
    typeFields.some((name) => stringOf(block[name])?.startsWith('image/'));
  const image = isImage ? mediaOf('image', block) : undefined;
  return image?.type === 'image' && image.mimeType.startsWith('image/') ? image : undefined;
}
