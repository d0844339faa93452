import { count, decoded, flag, objectOf, rightOf, text } from '../base/decode';

/** One comment. A sent one is not changed any more. */
export interface LineComment {
  readonly id: string;
  readonly text: string;
  readonly isSent: boolean;
}

/** The comments on some lines of a document. A plain value, saved for the next window. */
export interface CommentThread {
  readonly id: string;
  /** The document: the real file, or the original text on the left side of a diff. */
  readonly uri: string;
  /** 0-based, both included. */
  readonly first: number;
  readonly last: number;
  /** The text of the first line when it was last seen. It is used to find the thread again. */
  readonly anchor: string;
  /** The hunk that the comment was made on; "" for lines that the agent did not change. */
  readonly diff: string;
  readonly comments: readonly LineComment[];
}

/** An edit of a document, 0-based; `added` counts the line feeds of the new text. */
export interface TextEdit {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly added: number;
}

/**
 * Moves a range of lines along with an edit. Changed lines stay in the range; a deleted range shrinks to its position.
 */
export function shiftedLines(
  { first, last }: { readonly first: number; readonly last: number },
  edit: TextEdit,
): { first: number; last: number } {
  const delta = edit.added - (edit.endLine - edit.startLine);
  const isAtEnd = edit.startLine === last && edit.endLine === last && edit.startCharacter > 0;
  if (delta === 0 || edit.startLine > last || isAtEnd) return { first, last };
  const isAbove = edit.endLine < first || (edit.endLine === first && edit.endCharacter === 0);
  if (isAbove) return { first: first + delta, last: last + delta };
  const from = Math.min(first, edit.startLine);
  return { first: from, last: Math.max(from, last + delta) };
}

/** The anchor is searched this many lines up and down. */
const MAX_SEARCH = 400;

/** Finds a thread in a text that changed while it was closed: at the nearest line that equals its anchor. */
export function relocated(thread: CommentThread, lineCount: number, lineAt: (line: number) => string): CommentThread {
  const { first, last, anchor } = thread;
  const moveTo = (line: number) => (line === first ? thread : { ...thread, first: line, last: line + last - first });
  const isHere = (line: number) => line >= 0 && line < lineCount && lineAt(line) === anchor;
  for (let distance = 0; anchor.trim() !== '' && distance <= MAX_SEARCH; distance++) {
    if (isHere(first - distance)) return moveTo(first - distance);
    if (isHere(first + distance)) return moveTo(first + distance);
  }
  return moveTo(Math.max(0, Math.min(first, lineCount - 1)));
}

const savedThread = objectOf<CommentThread>({
  id: text,
  uri: text,
  first: count,
  last: count,
  anchor: text,
  diff: text,
  comments: rightOf(objectOf<LineComment>({ id: text, text, isSent: flag })),
});

/** Decodes a saved thread; undefined for anything else. */
export function decodeThread(raw: unknown): CommentThread | undefined {
  const thread = decoded(savedThread, raw);
  return thread && thread.last >= thread.first && thread.comments.length > 0 ? thread : undefined;
}
