import type { ToolCallFields } from './decodeUpdate';

/** For agents that give a tool call no title at all, as for a bare failed update (item 98). */
export const defaultTitles: Readonly<Record<NonNullable<ToolCallFields['kind']>, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run a command',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Switch mode',
  other: 'Tool call',
};
