/** A path in a text, and the named position in the file. */
export interface PathMention {
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
