import type { LocationView, ToolContentView } from '../protocol/toolCallView';
import type { ToolCall } from '../thread/thread';
import { contentView } from './projectContent';
import { cachedDiffView } from './projectDiff';
import { cachedFileChangeView } from './fileChangeView';
import { labelOfPath, resolvePath } from './labels';

/** One item of a call's content; nothing for an empty text. */
export function toolContentView(item: ToolCall['content'][number], cwd: string): ToolContentView[] {
  switch (item.type) {
    case 'content':
      return item.content.type === 'text' && item.content.text === '' ? [] : [{ type: 'content', content: contentView(item.content) }];
    case 'diff':
      return [cachedDiffView(item, cwd)];
    case 'fileChange':
      return [cachedFileChangeView(item, cwd)];
    case 'terminal':
      return [{ type: 'terminal', terminalId: item.terminalId }];
  }
}

export function locationViews(locations: ToolCall['locations'], cwd: string): LocationView[] {
  return locations.map((location) => {
    const path = resolvePath(location.path, cwd);
    return { path, label: labelOfPath(path, cwd), ...(location.line ? { line: location.line } : {}) };
  });
}

/** Any JSON value as readable text, all of it. `undefined` for nothing worth a line. */
export function wholeJson(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
