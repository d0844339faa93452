import { visibleLine } from '../../src/base/visibleText';

/** The most paths in one question to the host. */
const MOST_ASKED = 100;
/** The most cached answers. A missing file may be created later, so that answer is only cached for a while. */
const MOST_KNOWN = 2_000;
const MISSING_FOR_MS = 15_000;

const known = new Map<
  string,
  { readonly exists: boolean; readonly at: number; /** The host has said so. */ readonly isAnswered?: true }
>();
const asked = new Set<string>();
/** Readers to draw again once a path is known to exist. */
const waiting = new Map<string, Set<string>>();
/** Readers to draw again once a file is known to be missing. */
const trusting = new Map<string, Set<string>>();
let ask: ((paths: readonly string[]) => void) | undefined;
let timer = false;

/** Sets the function that asks the host which paths exist. `answerPaths` gets the answer. */
export function askForPathsWith(post: (paths: readonly string[]) => void): void {
  ask = post;
}

/**
 * Turns existing paths into links, wherever they are shown.
 * @returns the readers of `pathsIn` to be drawn again
 */
export function answerPaths(paths: readonly string[], existing: readonly string[]): ReadonlySet<string> {
  if (known.size > MOST_KNOWN) known.clear();
  if (waiting.size > MOST_KNOWN) waiting.clear();
  if (trusting.size > MOST_KNOWN) trusting.clear();
  for (const path of paths)
    known.set(path, { exists: existing.includes(path), at: performance.now(), isAnswered: true });
  for (const span of document.querySelectorAll<HTMLElement>('span[data-mentioned]')) {
    if (!existing.includes(span.dataset['mentioned']!)) continue;
    const link = linkTo({
      path: span.dataset['mentioned']!,
      line: Number(span.dataset['line'] ?? 0),
      column: Number(span.dataset['column'] ?? 0),
    });
    link.append(...span.childNodes);
    span.replaceWith(link);
  }
  const readers = new Set(existing.flatMap((path) => [...(waiting.get(path) ?? [])]));
  for (const path of paths) {
    waiting.delete(path);
    if (!existing.includes(path)) for (const reader of trusting.get(path) ?? []) readers.add(reader);
    trusting.delete(path);
  }
  return readers;
}

/**
 * The paths in a text that a template draws, with whether the files exist, if known.
 * @param reader is returned by `answerPaths` when more is known
 */
export function pathsIn(text: string, reader: string): (PathMention & { readonly exists: boolean })[] {
  return findPaths(text).map((mention) => {
    const exists = isKnown(mention.path);
    if (!exists) waiting.set(mention.path, (waiting.get(mention.path) ?? new Set()).add(reader));
    return { ...mention, exists };
  });
}

/** True if the host has reported that a file is missing. @param reader is returned by `answerPaths` when it does */
export function isMissing(path: string, reader: string): boolean {
  if (isKnown(path)) return false;
  if (known.get(path)?.isAnswered) return true;
  trusting.set(path, (trusting.get(path) ?? new Set()).add(reader));
  return false;
}

/** Adds a text in which paths are links. `show` adds a text unchanged. */
export function appendWithPaths(text: string, into: Node, show: (text: string, into: Node) => void): void {
  let at = 0;
  for (const mention of isInLink(into) ? [] : findPaths(text)) {
    if (mention.at > at) show(text.slice(at, mention.at), into);
    show(mention.text, into.appendChild(mentionElement(mention)));
    at = mention.at + mention.text.length;
  }
  if (at < text.length) show(text.slice(at), into);
}

/** The element for a code span's text: a link if the code is a path. */
export function codeHolder(code: string, into: Node): Node {
  const [mention] = isInLink(into) ? [] : findPaths(code);
  return mention && mention.text === code.trim() ? into.appendChild(mentionElement(mention)) : into;
}

function mentionElement(mention: PathMention): HTMLElement {
  if (isKnown(mention.path)) return linkTo(mention);
  const span = document.createElement('span');
  span.dataset['mentioned'] = mention.path;
  if (mention.line) span.dataset['line'] = String(mention.line);
  if (mention.column) span.dataset['column'] = String(mention.column);
  return span;
}

/** True if a path exists. Asks if that is unknown, or was not checked lately. */
function isKnown(path: string): boolean {
  const answer = known.get(path);
  if (!answer || (!answer.exists && performance.now() - answer.at > MISSING_FOR_MS)) askSoon(path);
  return answer?.exists ?? false;
}

function linkTo({
  path,
  line,
  column,
}: {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = '#';
  link.className = 'path-link';
  link.dataset['path'] = path;
  if (line) link.dataset['line'] = String(line);
  if (column) link.dataset['column'] = String(column);
  link.title = visibleLine(line ? `${path}:${line}` : path);
  return link;
}

/** Collects the paths of one moment in one question. */
function askSoon(path: string): void {
  if (!ask || asked.size >= MOST_ASKED) return;
  asked.add(path);
  if (timer) return;
  timer = true;
  setTimeout(() => {
    timer = false;
    const paths = [...asked];
    asked.clear();
    // Do not ask again before the answer arrives.
    for (const one of paths) known.set(one, { exists: false, at: performance.now() });
    ask?.(paths);
  }, 200);
}

function isInLink(into: Node): boolean {
  return into instanceof Element && into.closest('a, .inert-link') !== null;
}

/** A path in a text, and the named position in the file. */
interface PathMention {
  readonly at: number;
  readonly text: string;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

const MOST_IN_ONE_TEXT = 40;
const SEGMENT = String.raw`[\w.@+-]{1,100}`;
/**
 * Frameworks name folders in brackets: `app/[id]/(group)/page.tsx`. A path does not begin with one, because text in
 * brackets may precede it.
 */
const INNER = String.raw`(?:[\w.@+-]|\[[\w.-]{1,40}\]|\([\w.-]{1,40}\)){1,60}`;
/** `:12`, `:12:3`, `:12-20`, `(12,3)` as compilers write it, `#L12-L20`. */
const PLACE = String.raw`:L?(\d{1,7})(?::(\d{1,6}))?(?:-L?\d{1,7}(?::\d{1,6})?(?![\w:]))?|\((\d{1,7})(?:, ?(\d{1,6}))?\)|#L(\d{1,7})(?:-L?\d{1,7})?`;
const PATH = new RegExp(
  String.raw`(?<![\w/\\@:.$~+-]|[\p{L}\])](?=[\\/]))((?:~[\\/]|\.{0,2}[\\/]|[A-Za-z]:[\\/])?(?:${SEGMENT}[\\/](?:${INNER}[\\/]){0,29})?[\w.@+-]{0,100}\w\.[A-Za-z]\w{0,9})(?:${PLACE})?(?![\w/\\])`,
  'gu',
);

/**
 * Finds texts that look like a path: with a folder, or with a line after it. Only the host knows whether the file
 * exists.
 */
export function findPaths(text: string): PathMention[] {
  if (!/\w\.[A-Za-z]/.test(text) || !/[\\/]|[:(#]L?\d/.test(text)) return [];
  const found: PathMention[] = [];
  for (const match of text.matchAll(PATH)) {
    const [whole, path, ...place] = match;
    const line = place[0] ?? place[2] ?? place[4];
    const column = place[1] ?? place[3];
    if (line === undefined && !/[\\/]/.test(path!)) continue;
    found.push({
      at: match.index,
      text: whole,
      path: path!,
      ...(Number(line) > 0 ? { line: Number(line) } : {}),
      ...(Number(column) > 0 ? { column: Number(column) } : {}),
    });
    if (found.length >= MOST_IN_ONE_TEXT) break;
  }
  return found;
}
