import type { DecodedBlock } from '../acp/decodeContent';
import type { ContentView } from '../protocol/contentView';
import type { Part } from '../thread/thread';
import { labelOfUri } from './labels';

/** Characters of an embedded resource's text that the panel shows. */
const maxResourceText = 20_000;

/** Message parts as the panel shows them: text that was cut for cheap appending is one text again. */
export function contentViews(parts: Iterable<Part>): ContentView[] {
  const views: ContentView[] = [];
  for (const part of parts) {
    const last = views.at(-1);
    if (part.type === 'text' && part.continues && last?.type === 'text')
      views[views.length - 1] = { type: 'text', text: last.text + part.text };
    else views.push(part.type === 'text' ? { type: 'text', text: part.text } : contentView(part));
  }
  return views;
}

/** One block of an agent's or a prompt's content. */
export function contentView(block: DecodedBlock): ContentView {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', mimeType: block.mimeType, data: block.data, ...(block.uri ? { uri: block.uri } : {}) };
    case 'audio':
      return { type: 'audio', mimeType: block.mimeType, data: block.data };
    case 'resource_link':
      return {
        type: 'resourceLink',
        uri: block.uri,
        label: block.title ?? block.name,
        ...(block.description ? { description: block.description } : {}),
        ...(typeof block.size === 'number' ? { size: block.size } : {}),
      };
    case 'resource': {
      const { resource } = block;
      const text = 'text' in resource ? resource.text : undefined;
      return {
        type: 'resource',
        uri: resource.uri,
        label: labelOfUri(resource.uri),
        ...(resource.mimeType ? { mimeType: resource.mimeType } : {}),
        ...(text === undefined
          ? {}
          : { text: text.length > maxResourceText ? `${text.slice(0, maxResourceText)}\n…` : text }),
      };
    }
    case 'unknown':
      return { type: 'unknown', kind: block.kind };
  }
}
