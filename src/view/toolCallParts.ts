import type { Work } from '../changes/lineDiff';
import type { ContentView } from '../protocol/contentView';
import type { LocationView, ToolContentView } from '../protocol/toolCallView';
import type { ToolCall } from '../thread/thread';
import { contentView } from './projectContent';
import { cachedDiffView, cachedFileChangeView } from './projectDiff';
import { labelOfPath } from './labels';
import { placesOf } from './places';

/** One item of a call's content; nothing for an empty text. @param work for all diffs of the card, see `cardWork` */
export function toolContentView(
  item: ToolCall['content'][number],
  kind: ToolCall['toolKind'],
  cwd: string,
  work: Work,
): ToolContentView[] {
  switch (item.type) {
    case 'content':
      return item.content.type === 'text' && item.content.text === ''
        ? []
        : [{ type: 'content', content: readable(contentView(item.content), kind) }];
    case 'diff':
      return [cachedDiffView(item, cwd, work)];
    case 'fileChange':
      return [cachedFileChangeView(item, cwd)];
    case 'terminal':
      return [{ type: 'terminal', terminalId: item.terminalId }];
  }
}

/** Calls whose text is the words of a model: a subagent's report, a plan. */
const prose: ReadonlySet<ToolCall['toolKind']> = new Set(['think', 'switch_mode']);

/**
 * Draws files and search results as plain text, because they only look like Markdown, and JSON with one value a line.
 */
export function readable(view: ContentView, kind: ToolCall['toolKind']): ContentView {
  if (view.type !== 'text') return view;
  const json = prettyJson(view.text);
  if (json !== undefined) return { type: 'text', text: `\`\`\`json\n${json}\n\`\`\`` };
  return isMarkdownResult(view.text, kind) ? view : { ...view, isPlain: true };
}

/** True if a tool's text is Markdown: a model's words, or one block of code. */
export function isMarkdownResult(text: string, kind: ToolCall['toolKind']): boolean {
  return prose.has(kind) || isFenced(text);
}

/** True if all of a text is one block of code, which is how agents say that it is Markdown. */
function isFenced(text: string): boolean {
  const [, fence, inner] = /^\s*(`{3,20}|~{3,20})[^\n`]*\n([^]*)$/.exec(text.trimEnd()) ?? [];
  if (fence === undefined || !inner!.endsWith(fence)) return false;
  const lines = inner!.split('\n');
  return lines.findIndex((line) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())) === lines.length - 1;
}

export function locationViews(locations: ToolCall['locations'], cwd: string): LocationView[] {
  return locations.flatMap((location) =>
    placesOf(location, cwd).map((place) => ({ ...place, label: labelOfPath(place.path, cwd) })),
  );
}

/** Any JSON value as readable text, all of it. `undefined` for nothing worth a line. */
export function wholeJson(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

/** Longer texts are not formatted. */
const maxJson = 200_000;

/**
 * Puts the values of one-line JSON on lines of their own. `undefined` for any other text, and for JSON that would lose
 * something.
 */
export function prettyJson(text: string): string | undefined {
  const line = text.trim();
  if (!/^[[{]/.test(line) || line.length > maxJson || line.includes('\n')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    // A repeated name or a very long number would be lost.
    if (JSON.stringify(value) !== line.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')) return undefined;
    const whole = JSON.stringify(value, undefined, 2);
    return whole.includes('\n') ? whole : undefined;
  } catch {
    return undefined;
  }
}
