import { editsOfLines } from './lineDiff';
import { withLineFeeds } from './lineFeeds';

/** The line ends of a text: all alike, or `mixed`, which includes a lone CR; '' for a single line. */
export type LineEnds = '' | '\n' | '\r\n' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  const plain = withLineFeeds(text);
  if (!plain.includes('\n')) return '';
  if (plain === text) return '\n';
  return plain.replaceAll('\n', '\r\n') === text ? '\r\n' : 'mixed';
}

/**
 * Gives each line of a text the line end that it has in the sources. A line that replaces another takes the end of that
 * line; a new line takes the end of the line above.
 * @param text with any line ends, which are ignored.
 * @param sources texts with the line ends of files, the most important first.
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
    // A CR followed by this LF would become one line end.
    if (line === '' && end === '\n' && result.endsWith('\r')) end = '\r\n';
    // New lines never end with a lone CR.
    above = end === '\r' ? above : end;
    result += line + end;
  }
  return result + lines.at(-1)!;
}

/** The more frequent line end, counted as VS Code does. */
function usualEnd(sources: readonly string[]): string {
  const source = sources.find((text) => /[\r\n]/.test(text)) ?? '';
  const all = source.match(/\r\n?|\n/g) ?? [];
  return all.filter((end) => end !== '\n').length > all.length / 2 ? '\r\n' : '\n';
}
