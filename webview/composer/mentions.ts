import { findToken, mentionTokens } from '../../src/base/mentionToken';
import type { FoundFile } from '../../src/protocol/messages';
import type { MentionView } from '../../src/protocol/viewModel';

/** The word at the caret: a command at the start of the text, or a file's name after an @. */
export type Trigger =
  | { readonly kind: 'command'; readonly query: string; readonly from: number; readonly to: number }
  | { readonly kind: 'file'; readonly query: string; readonly from: number; readonly to: number };

/** Finds the word to complete at the caret, if any. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1]!, from: 0, to: caret };
  const file = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before);
  if (file) return { kind: 'file', query: file[1]!, from: caret - file[1]!.length - 1, to: caret };
  return undefined;
}

/** The token for a file in the text: its name, or its path if another file already has that name. */
export function tokenFor(file: FoundFile, mentions: readonly MentionView[]): string {
  const tokens = mentionTokens(file.folder ? `${file.folder}/${file.name}` : file.name);
  for (;;) {
    const token = tokens.next().value;
    if (!mentions.some((m) => m.token === token && m.path !== file.path)) return token;
  }
}

/** The mentions whose token is still in the text. The same list if nothing changed. */
export function keepMentioned(text: string, mentions: readonly MentionView[]): readonly MentionView[] {
  const kept = mentions.filter((m) => findToken(text, m.token) >= 0);
  return kept.length === mentions.length ? mentions : kept;
}

/** The text without a mention's tokens. */
export function withoutToken(text: string, token: string): string {
  let result = text;
  for (let at = findToken(result, token); at >= 0; at = findToken(result, token)) {
    const end = at + token.length;
    result = result.slice(0, at) + result.slice(result[end] === ' ' ? end + 1 : end);
  }
  return result;
}
