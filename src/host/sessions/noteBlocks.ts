import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptCapabilitiesView } from '../../protocol/attachments';
import { notePieces, placeOf, type ReviewNote } from '../../changes/notes';
import { lineFragment } from '../attachments/attachment';
import { fenced, linkBlock } from '../attachments/promptBlocks';

/** What was said of the review, as Markdown: what the thread shows, and what an agent reads that takes text alone. */
export function notesText(notes: readonly ReviewNote[]): string {
  return notePieces(notes)
    .map((piece) => (piece.type === 'words' ? piece.text : fenced(piece.diff, 'diff')))
    .join('\n\n');
}

/**
 * The same as the agent gets it: lines as embedded resources where it takes them (item 77), else in the text, with a
 * link to each place, which every agent takes (item 75).
 * @param isAlone nothing stands before it in the prompt.
 */
export function noteBlocks(
  notes: readonly ReviewNote[],
  takes: PromptCapabilitiesView,
  isAlone: boolean,
): ContentBlock[] {
  if (notes.length === 0) return [];
  const gap = isAlone ? '' : '\n\n';
  if (!takes.embeddedContext) {
    const links = new Map(
      notes.filter(({ isBefore }) => !isBefore).map((note) => [uriOf(note), linkBlock(uriOf(note), placeOf(note))]),
    );
    return [{ type: 'text', text: gap + notesText(notes) }, ...links.values()];
  }
  const blocks: ContentBlock[] = [];
  let words = gap;
  const flush = () => {
    if (words !== '') blocks.push({ type: 'text', text: words });
    words = '';
  };
  for (const piece of notePieces(notes)) {
    if (piece.type === 'words') {
      words += `${piece.text}\n\n`;
    } else {
      flush();
      blocks.push({
        type: 'resource',
        resource: { uri: uriOf(piece.note), mimeType: 'text/x-diff', text: piece.diff },
      });
    }
  }
  flush();
  return blocks;
}

function uriOf({ path, first, last }: ReviewNote): string {
  return `${pathToFileURL(path).href}#${lineFragment(first, last)}`;
}
