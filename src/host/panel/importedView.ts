import type { FromWebview } from '../../protocol/fromWebview';

/**
 * Messages that a view of an imported session may send; all others are refused. `view`: it shows, copies or opens
 * something, or goes to another session. `list` and `gallery`: those pages cover the session and are about other
 * things; only while they are open.
 */
const asks: Readonly<Partial<Record<FromWebview['type'], 'view' | 'list' | 'gallery'>>> = {
  'ui/changed': 'view',
  'focus/leave': 'view',
  'prompt/pick': 'view',
  'answer/copy': 'view',
  'code/copy': 'view',
  'question/show': 'view',
  'session/new': 'view',
  'link/open': 'view',
  'location/open': 'view',
  'symbol/open': 'view',
  'paths/query': 'view',
  'snippet/query': 'view',
  'list/open': 'view',
  'diff/open': 'view',
  'sessions/toggle': 'view',
  'sessions/more': 'list',
  'sessions/undoDelete': 'list',
  'sessions/show': 'list',
  'sessions/search': 'list',
  'sessions/showHit': 'list',
  'sessions/act': 'list',
  'gallery/open': 'view',
  'gallery/close': 'view',
  'gallery/act': 'gallery',
  'agentForm/open': 'gallery',
  'agentForm/close': 'gallery',
  'agentForm/draft': 'gallery',
  'agentForm/save': 'gallery',
  'agentForm/test': 'gallery',
};

/** True if a message is allowed in a view of an imported session. @param open the pages that cover it */
export function mayAskInImported(
  { type }: FromWebview,
  open: { readonly list: boolean; readonly gallery: boolean },
): boolean {
  const ask = asks[type];
  return ask === 'view' || (ask === 'list' && open.list) || (ask === 'gallery' && open.gallery);
}
