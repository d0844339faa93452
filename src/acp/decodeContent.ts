import type { ContentBlock } from '@agentclientprotocol/sdk';
import { asObject, defined, integerOf, isObject, stringOf } from './json';

/** A content block of a kind that this version does not know; shown by name, never dropped in silence. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly kind: string;
}

/** `ContentBlock` of the schema plus the unknown one; agents' blocks always come as this. */
export type DecodedBlock = (ContentBlock & { readonly type: 'text' | 'image' | 'audio' | 'resource_link' | 'resource' }) | UnknownBlock;

/** Reads one content block. `undefined` when it is no block at all or lacks what its kind requires. */
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
    case 'audio': {
      const data = stringOf(block['data']);
      const mimeType = stringOf(block['mimeType']);
      if (data === undefined || mimeType === undefined) return undefined;
      const uri = stringOf(block['uri']);
      return type === 'image' && uri !== undefined ? { type, data, mimeType, uri } : { type, data, mimeType };
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
