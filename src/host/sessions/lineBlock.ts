import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { MentionedLines } from '../../base/mentionToken';
import type { MentionView } from '../../protocol/viewModel';
import { lineFragment, lineLabel, maxTextLength } from '../attachments/attachment';
import { linkBlock } from '../attachments/promptBlocks';
import { shownText } from '../files/fileContent';

/**
 * Lines of a mentioned file as the editor has it, also of one that is too large to embed as a whole. A link to them if
 * they cannot be read, or are too long.
 * @param file `real`: its path with links resolved, if its content may be embedded
 */
export async function lineBlock(
  { path, label }: MentionView,
  { first, last }: MentionedLines,
  { uri, real }: { readonly uri: string; readonly real: string | undefined },
): Promise<ContentBlock> {
  const named = `${uri}#${lineFragment(first, last)}`;
  const whole = real === undefined ? undefined : await shownText(path, real).catch(() => undefined);
  const text = whole === undefined ? '' : linesOf(whole, first, last);
  if (text === '' || text.length > maxTextLength) return linkBlock(named, lineLabel(label, first, last));
  return { type: 'resource', resource: { uri: named, text } };
}

function linesOf(text: string, first: number, last: number): string {
  return text
    .split(/(?<=\n)/)
    .slice(first - 1, last)
    .join('');
}
