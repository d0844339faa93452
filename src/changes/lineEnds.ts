import { editsOfLines } from './lineDiff';
import { withLineFeeds } from './lineFeeds';

/** How the lines of a text end: all alike, or `mixed`, which a lone CR is too; '' where there is one line. */
export type LineEnds = '' | '\n' | '\r\n' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  const plain = withLineFeeds(text);
  if (!plain.includes('\n')) return '';
  if (plain === text) return '\n';
  return plain.replaceAll('\n', '\r\n') === text ? '\r\n' : 'mixed';
}

/**
 * A text of which each line ends as it does in the sources: as they are in files, the one that counts most first. A
 * line that takes the place of another ends as that one did, a new one as those above it.
 * @param text with any line ends, which do not count.
 */
export function withLineEndsOf(text: string, sources: readonly string[]): string {
  const plain = withLineFeeds(text);
  const known = sources.find((source) => withLineFeeds(source) === plain);
  if (known !== undefined) return known;
  const lines = plain.split('\n');
  const found: (string | undefined)[] = [];
  const replaced: (string | undefined)[] = [];
  for (const source of sources) {
    const old = withLineFeeds(source).split('\n');
    const ends = source.match(/\r\n?|\n/g) ?? [];
    let from = 0;
    let to = 0;
    const copy = (before: number) => {
      for (; from < before; from++, to++) found[to] ??= ends[from];
    };
    for (const { start, end, lines: fresh } of editsOfLines(old, lines)) {
      copy(start);
      for (let i = 0; i < fresh.length; i++) if (start + i < end) replaced[to + i] ??= ends[start + i];
      from = end;
      to += fresh.length;
    }
    copy(old.length);
  }
  const usual = usualEnd(sources);
  let above: string | undefined;
  let result = '';
  for (const [i, line] of lines.slice(0, -1).entries()) {
    let end = found[i] ?? replaced[i] ?? above ?? usual;
    // Both would be one line end.
    if (line === '' && end === '\n' && result.endsWith('\r')) end = '\r\n';
    // Only a line that was there ends with a lone CR.
    above = end === '\r' ? above : end;
    result += line + end;
  }
  return result + lines.at(-1)!;
}

/** As VS Code counts them. */
function usualEnd(sources: readonly string[]): string {
  const source = sources.find((text) => /[\r\n]/.test(text)) ?? '';
  const all = source.match(/\r\n?|\n/g) ?? [];
  return all.filter((end) => end !== '\n').length > all.length / 2 ? '\r\n' : '\n';
}
