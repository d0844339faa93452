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
  /** The document: the real file, or the text of before that a diff shows on its left. */
  readonly uri: string;
  /** 0-based, both included. */
  readonly first: number;
  readonly last: number;
  /** The first line as it was when last seen: the thread is found again by it. */
  readonly anchor: string;
  /** The hunk that it was about when it was made; "" for lines that the agent did not change. */
  readonly diff: string;
  readonly comments: readonly LineComment[];
}

/** An edit of a document, 0-based; `added` counts the line feeds that came. */
export interface TextEdit {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly added: number;
}

/** Where lines are after an edit. Those that were changed stay together; of those that are gone the place is left. */
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

/** Lines further up or down in which a thread's own line is looked for. */
const MAX_SEARCH = 400;

/** Where a thread is in a text that may have changed while nobody looked: at the nearest line that reads the same. */
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

/** A thread as it was saved; undefined for anything else. */
export function decodeThread(raw: unknown): CommentThread | undefined {
  const thread = decoded(savedThread, raw);
  return thread && thread.last >= thread.first && thread.comments.length > 0 ? thread : undefined;
}
