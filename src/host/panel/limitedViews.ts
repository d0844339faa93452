import type { FromWebview } from '../../protocol/fromWebview';

type Kind = FromWebview['type'];

/** They show, copy or open something of the conversation. */
const reads: readonly Kind[] = [
  'ui/changed',
  'answer/copy',
  'code/copy',
  'link/open',
  'location/open',
  'symbol/open',
  'paths/query',
  'snippet/query',
  'list/open',
  'diff/open',
  'subagent/open',
];

/** They leave the conversation for another one, or for a page. */
const leaves: readonly Kind[] = [
  'focus/leave',
  'prompt/pick',
  'question/show',
  'session/new',
  'sessions/toggle',
  'gallery/open',
  'gallery/close',
];

/** Pages that cover a conversation are about other things. */
const ofList: readonly Kind[] = [
  'sessions/more',
  'sessions/undoDelete',
  'sessions/show',
  'sessions/search',
  'sessions/showHit',
  'sessions/act',
];
const ofGallery: readonly Kind[] = [
  'gallery/act',
  'agentForm/open',
  'agentForm/close',
  'agentForm/draft',
  'agentForm/save',
  'agentForm/test',
];

/** What a subagent waits for, and what it does. Messages, queue and options are those of its session. */
const ofSubagent: readonly Kind[] = [
  'permission/select',
  'permission/showOptions',
  'permission/openDiff',
  'permission/addRule',
  'permission/disableRule',
  'plan/open',
  'elicitation/submit',
  'elicitation/open',
  'elicitation/decline',
  'elicitation/cancel',
  'diff/review',
  'terminal/open',
  'terminal/cancel',
  'toolCall/cancel',
  'code/insert',
  'code/save',
  'code/newFile',
];

const inImported: ReadonlySet<Kind> = new Set([...reads, ...leaves]);
const inList: ReadonlySet<Kind> = new Set(ofList);
const inGallery: ReadonlySet<Kind> = new Set(ofGallery);
const inSubagent: ReadonlySet<Kind> = new Set([...reads, ...ofSubagent]);

/** True if a message is allowed in a view of an imported session. @param open the pages that cover it */
export function mayAskInImported(
  { type }: FromWebview,
  open: { readonly list: boolean; readonly gallery: boolean },
): boolean {
  return inImported.has(type) || (open.list && inList.has(type)) || (open.gallery && inGallery.has(type));
}

/** True if a message is allowed in a view of a subagent. */
export function mayAskInSubagent({ type }: FromWebview): boolean {
  return inSubagent.has(type);
}
