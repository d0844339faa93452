import type { DecodedBlock } from '../acp/decodeContent';
import type { ToolContent } from '../acp/decodeUpdate';
import type { ThreadAction } from './actions';
import { shownEntries } from './rewind';
import type { EntryId, Part, Thread } from './thread';

/** The texts that a user sees of an action. Terminals are stored apart from actions, so their output is left out. */
export function actionTexts(action: ThreadAction): readonly string[] {
  switch (action.type) {
    case 'turn/started':
    case 'prompt/steered':
      return blockTexts(action.prompt);
    case 'message/chunkAppended':
    case 'message/appended':
      return blockTexts([action.content]);
    case 'message/upserted':
      return blockTexts(action.content ?? []);
    case 'toolCall/patched':
      return [...(action.fields.title ? [action.fields.title] : []), ...contentTexts(action.fields.content ?? [])];
    case 'toolCall/contentAppended':
      return contentTexts(action.content);
    default:
      return [];
  }
}

/** The first entry of the current conversation that shows a line. @returns undefined if there is none */
export function findEntry(thread: Thread, line: string): EntryId | undefined {
  for (const entry of shownEntries(thread)) {
    if (
      entry.kind === 'toolCall'
        ? [entry.title, ...contentTexts(entry.content)].some((text) => text.includes(line))
        : 'parts' in entry && partsText(entry.parts).includes(line)
    )
      return entry.id;
  }
  return undefined;
}

function blockTexts(blocks: readonly DecodedBlock[]): string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

function contentTexts(content: readonly ToolContent[]): string[] {
  return content.flatMap((item) =>
    item.type === 'content' ? blockTexts([item.content]) : item.type === 'diff' ? [item.newText] : [],
  );
}

function partsText(parts: Iterable<Part>): string {
  let text = '';
  for (const part of parts)
    if (part.type === 'text') text += part.continues || text === '' ? part.text : `\n${part.text}`;
  return text;
}
