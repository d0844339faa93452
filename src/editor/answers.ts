import type { Page } from './toolInput';
import { clip } from '../base/oneLine';

/** A line in a file. */
export interface FoundLine {
  /** Relative to the session's folder, with `/`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Further lines of which the same is said. */
  readonly also?: readonly number[];
  /** The source line, or a few words about it. */
  readonly text: string;
}

/** Characters of one source line in an answer. */
const maxLine = 200;
/** Characters of an answer. Models' contexts are small, and language servers may say anything. */
export const maxAnswer = 60_000;

/**
 * Lines, grouped by file in their order: the path, then each line as `  12: text`.
 * @param title "7 references of parse"
 * @param outside how many were left out because they are outside of the session's folders
 */
export function linesAnswer(title: string, found: readonly FoundLine[], page: Page, outside = 0): string {
  const shown = found.slice(page.offset, page.offset + page.limit);
  const lines = shown.flatMap(({ path, line, also = [], text }, at) => [
    ...(at === 0 || shown[at - 1]!.path !== path ? [path] : []),
    `  ${[line, ...also].join(', ')}: ${shortLine(text)}`,
  ]);
  return joined([title, ...lines, ...remarks(found.length, page, outside)]);
}

/** One line for each item, with the remarks of a page. */
export function listAnswer(title: string, items: readonly string[], page: Page, outside = 0): string {
  const shown = items.slice(page.offset, page.offset + page.limit);
  return joined([title, ...shown, ...remarks(items.length, page, outside)]);
}

/** `1 reference`, `7 references`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** A source line without its indent, cut if it is long. */
export function shortLine(text: string): string {
  return clip(text.replaceAll(/\s+/g, ' ').trim(), maxLine);
}

/** An answer within its limit. What is cut off is said at the end. */
export function bounded(answer: string): string {
  if (answer.length <= maxAnswer) return answer;
  const cut = answer.lastIndexOf('\n', maxAnswer);
  return `${answer.slice(0, cut > maxAnswer / 2 ? cut : maxAnswer)}\n… cut: ${answer.length} characters. Ask for less.`;
}

function remarks(count: number, { offset, limit }: Page, outside: number): readonly string[] {
  const left = count - offset - limit;
  return [
    ...(left > 0 ? [`… ${left} more: cursor "${offset + limit}"`] : []),
    ...(outside > 0 ? [`(${outside} outside the session’s folders left out)`] : []),
  ];
}

function joined(lines: readonly string[]): string {
  return bounded(lines.join('\n'));
}
