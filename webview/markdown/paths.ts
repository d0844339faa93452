/** A path in a text, and the place in the file that it names. */
export interface PathMention {
  readonly at: number;
  readonly text: string;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

const MOST_IN_ONE_TEXT = 40;
const SEGMENT = String.raw`[\w.@+-]{1,100}`;
const PATH = new RegExp(String.raw`(?<![\w/\\@:.$~+-])((?:\.{0,2}[\\/]|[A-Za-z]:[\\/])?(?:${SEGMENT}[\\/]){0,30}[\w.@+-]{0,100}\w\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?::(\d{1,6}))?)?(?![\w/\\])`, 'g');

/** Finds what reads as a path: with a folder, or with a line after it. Whether there is such a file only the host knows. */
export function findPaths(text: string): PathMention[] {
  if (!/\w\.[A-Za-z]/.test(text) || !/[\\/]|:\d/.test(text)) return [];
  const found: PathMention[] = [];
  for (const match of text.matchAll(PATH)) {
    const [whole, path, line, column] = match;
    if (line === undefined && !/[\\/]/.test(path!)) continue;
    found.push({ at: match.index, text: whole, path: path!, ...(Number(line) > 0 ? { line: Number(line) } : {}), ...(Number(column) > 0 ? { column: Number(column) } : {}) });
    if (found.length >= MOST_IN_ONE_TEXT) break;
  }
  return found;
}
