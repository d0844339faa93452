import { type DiffView, sideOf } from '../../src/protocol/diffView';

/** A question to the host about a diff: the position of its lines in the file. */
export interface SnippetQuestion {
  readonly queryId: number;
  readonly path: string;
  /** The new lines, and the old ones. */
  readonly texts: readonly string[];
}

/** Longer hunks are not looked up. */
const MOST_TEXT = 50_000;
/** Diffs that are in view for a shorter time are not looked up, ms. */
const SETTLED_MS = 100;

let ask: ((question: SnippetQuestion) => void) | undefined;
let queries = 0;
/** The offset of a diff's lines from its own numbers; undefined if unknown. */
const offsets = new WeakMap<DiffView, number | undefined>();
const waiting = new Map<number, { readonly diff: DiffView; readonly use: (offset: number | undefined) => void }>();
const watched = new WeakMap<Element, { readonly diff: DiffView; readonly use: (offset: number | undefined) => void }>();
const passing = new WeakMap<Element, ReturnType<typeof setTimeout>>();
let observer: IntersectionObserver | undefined;

/** Sets the function that asks the host. `answerSnippet` gets the answer. */
export function askForSnippetsWith(post: (question: SnippetQuestion) => void): void {
  ask = post;
}

/** True if a diff may cover only a part of the file: then it begins at line 1, wherever that part is. */
export function mayBeSnippet({ hunks, isNew, isFromInput, opens }: DiffView): boolean {
  const first = hunks[0];
  return (
    first !== undefined &&
    first.oldStart === 1 &&
    !isNew &&
    !isFromInput &&
    opens === undefined &&
    first.lines.reduce((size, line) => size + line.length, 0) <= MOST_TEXT
  );
}

/** Calls back with the offset of a diff's lines: at once if it is known, otherwise after the diff was in view. */
export function whenLocated(diff: DiffView, element: Element, use: (offset: number | undefined) => void): void {
  if (offsets.has(diff)) return use(offsets.get(diff));
  observer ??= new IntersectionObserver(handleVisible);
  watched.set(element, { diff, use });
  observer.observe(element);
}

/** @param line of the first line, from 1 */
export function answerSnippet(queryId: number, line: number | undefined): void {
  const question = waiting.get(queryId);
  waiting.delete(queryId);
  if (!question) return;
  const offset = line === undefined ? undefined : line - 1;
  offsets.set(question.diff, offset);
  question.use(offset);
}

function handleVisible(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    clearTimeout(passing.get(target));
    if (isIntersecting)
      passing.set(
        target,
        setTimeout(() => question(target), SETTLED_MS),
      );
  }
}

function question(target: Element): void {
  const item = watched.get(target);
  if (!item) return;
  observer?.unobserve(target);
  watched.delete(target);
  const queryId = ++queries;
  waiting.set(queryId, item);
  const hunk = item.diff.hunks[0]!;
  ask?.({ queryId, path: item.diff.path, texts: [sideOf(hunk, '-').join('\n'), sideOf(hunk, '+').join('\n')] });
}
