import { decodeAttachmentIds, decodeAttachmentMessage } from './decodeAttachments';
import { decodeForms, decodeFormValues } from './decodeForm';
import { decodeAgentForm } from './agentForm';
import { galleryActs } from './galleryView';
import { type FromWebview, maxMentions, maxPromptLength } from './messages';
import { noteActs } from './notesView';
import { sessionActs } from './sessionsView';
import { signInActs } from './signInView';
import { maxSymbols, symbolParts } from './symbolName';
import type { NoticeAction } from './entryView';
import type { MentionView, PanelUiState } from './viewModel';

/*
 * The webview draws hostile text, so what it sends is not trusted either: every message is rebuilt from checked
 * fields. Whoever acts on one still checks ids and paths against what is really there.
 */

const maxText = maxPromptLength;
const maxPaths = 100;
const maxPath = 4_000;
const maxSessions = 10_000;
const noticeActions: readonly NoticeAction[] = ['retry', 'restart', 'newSession', 'editSettings', 'showLog', 'selectAgent', 'forceStop', 'signIn', 'openFolder', 'openRecent', 'useScratchFolder', 'copyDetails', 'checkAgent', 'includeConversation', 'omitConversation', 'askAboutConversation', 'redo', 'redoFiles'];
const bare = ['ready', 'thread/resync', 'turn/cancel', 'start/cancel', 'focus/leave', 'agent/select', 'optionProblem/dismiss', 'session/new', 'queue/resume', 'queue/clear', 'prompt/cancelEdit', 'sessions/toggle', 'sessions/more', 'sessions/undoDelete', 'setup/showServers', 'setup/showFolders', 'follow/toggle', 'trust/manage', 'demo/start', 'checkpoint/redo', 'prompt/pick', 'change/list', 'keep/stop', 'keep/undo', 'gallery/close', 'agentForm/open', 'agentForm/close'] as const;

/** @returns undefined for anything that is no message of the contract. */
export function decodeFromWebview(raw: unknown): FromWebview | undefined {
  if (!isRecord(raw)) return undefined;
  const type = raw['type'];
  if ((bare as readonly unknown[]).includes(type)) return { type } as Extract<FromWebview, { readonly type: (typeof bare)[number] }>;
  const text = textOf(raw['text']);
  const path = textOf(raw['path']);
  switch (type) {
    case 'ui/changed': {
      const ui = decodeUiState(raw['ui']);
      return ui && { type, ui };
    }
    case 'storage/retry':
      return { type };
    case 'focus/changed':
      return typeof raw['focused'] === 'boolean' ? { type, focused: raw['focused'] } : undefined;
    case 'prompt/submit': {
      const mentions = decodeMentions(raw['mentions']);
      const attachments = decodeAttachmentIds(raw['attachments']);
      const edits = textOf(raw['edits']);
      return text === undefined || !mentions || !attachments ? undefined : { type, text, mentions, attachments, ...(edits === undefined ? {} : { edits }) };
    }
    case 'permission/select': {
      const requestId = textOf(raw['requestId']);
      const optionId = textOf(raw['optionId']);
      const note = textOf(raw['note'])?.trim();
      return requestId === undefined || optionId === undefined ? undefined : { type, requestId, optionId, ...(note ? { note } : {}) };
    }
    case 'permission/shown': {
      const requestId = textOf(raw['requestId']);
      return { type, read: raw['read'] === true, ...(requestId === undefined ? {} : { requestId }) };
    }
    case 'elicitation/submit': {
      const requestId = textOf(raw['requestId']);
      const values = decodeFormValues(raw['values']);
      return requestId === undefined || !values ? undefined : { type, requestId, values };
    }
    case 'permission/showOptions':
    case 'permission/addRule':
    case 'plan/open':
    case 'elicitation/open':
    case 'elicitation/decline':
    case 'elicitation/cancel': {
      const requestId = textOf(raw['requestId']);
      return requestId === undefined ? undefined : { type, requestId };
    }
    case 'permission/openDiff': {
      const [requestId, path] = [textOf(raw['requestId']), textOf(raw['path'])];
      return requestId === undefined || path === undefined ? undefined : { type, requestId, path };
    }
    case 'option/set': {
      const key = textOf(raw['key']);
      const value = typeof raw['value'] === 'boolean' ? raw['value'] : textOf(raw['value']);
      return key === undefined || value === undefined ? undefined : { type, key, value };
    }
    case 'option/favorite': {
      const key = textOf(raw['key']);
      const value = textOf(raw['value']);
      return key === undefined || value === undefined ? undefined : { type, key, value, isFavorite: raw['isFavorite'] === true };
    }
    case 'signIn/choose': {
      const requestId = textOf(raw['requestId']);
      const methodId = textOf(raw['methodId']);
      return requestId === undefined || methodId === undefined ? undefined : { type, requestId, methodId };
    }
    case 'signIn/act': {
      const requestId = textOf(raw['requestId']);
      const act = signInActs.find((known) => known === raw['act']);
      return requestId === undefined || !act ? undefined : { type, requestId, act };
    }
    case 'notes/act': {
      const act = noteActs.find((known) => known === raw['act']);
      return act && { type, act };
    }
    case 'notice/act': {
      const action = noticeActions.find((known) => known === raw['action']);
      return action && { type, action };
    }
    case 'sessions/search':
      return text === undefined ? undefined : { type, text: text.slice(0, 1_000) };
    case 'sessions/act': {
      const act = sessionActs.find((known) => known === raw['act']);
      const keys = raw['keys'];
      return act && Array.isArray(keys) && keys.length <= maxSessions && keys.every((key) => textOf(key) !== undefined) ? { type, act, keys: keys as string[] } : undefined;
    }
    case 'question/show':
    case 'sessions/show': {
      const key = textOf(raw['key']);
      return key === undefined ? undefined : { type, key };
    }
    case 'gallery/open': {
      const key = textOf(raw['key']);
      return { type, ...(key === undefined ? {} : { key }) };
    }
    case 'gallery/act': {
      const key = textOf(raw['key']);
      const act = galleryActs.find((known) => known === raw['act']);
      return key === undefined || !act ? undefined : { type, key, act };
    }
    case 'agentForm/draft':
    case 'agentForm/save':
    case 'agentForm/test': {
      const values = decodeAgentForm(raw['values']);
      return values && { type, values };
    }
    case 'sessions/showHit':
    case 'queue/send':
    case 'queue/edit':
    case 'queue/remove':
    case 'agentNotice/dismiss':
    case 'note/open':
    case 'note/remove': {
      const id = textOf(raw['id']);
      return id === undefined ? undefined : { type, id };
    }
    case 'queue/move': {
      const id = textOf(raw['id']);
      const to = raw['to'];
      return id === undefined || !isIndex(to) ? undefined : { type, id, to };
    }
    case 'link/open': {
      const href = textOf(raw['href']);
      return href === undefined ? undefined : { type, href };
    }
    case 'location/open': {
      const line = positive(raw['line']);
      const column = positive(raw['column']);
      return path === undefined ? undefined : { type, path, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
    }
    case 'snippet/query': {
      const { queryId, texts } = raw;
      if (path === undefined || !isIndex(queryId) || !Array.isArray(texts) || texts.length > 2 || !texts.every((one) => textOf(one) !== undefined)) return undefined;
      return { type, queryId, path, texts: texts as string[] };
    }
    case 'paths/query': {
      const paths: unknown = raw['paths'];
      if (!Array.isArray(paths) || paths.length > maxPaths) return undefined;
      const texts = paths.map(textOf);
      return texts.every((one) => one !== undefined && one.length <= maxPath) ? { type, paths: texts as string[] } : undefined;
    }
    case 'symbol/open': {
      const names: unknown = raw['names'];
      if (!Array.isArray(names) || names.length > maxSymbols) return undefined;
      return names.every((name) => typeof name === 'string' && symbolParts(name)) ? { type, names: names as string[] } : undefined;
    }
    case 'list/open': {
      const list = (['plan', 'content', 'locations'] as const).find((name) => name === raw['list']);
      const entryId = textOf(raw['entryId']);
      if (list === undefined || (list === 'plan') !== (entryId === undefined)) return undefined;
      return { type, list, ...(entryId === undefined ? {} : { entryId }) };
    }
    case 'diff/open':
    case 'diff/review': {
      const entryId = textOf(raw['entryId']);
      const index = raw['index'];
      return entryId === undefined || !isIndex(index) ? undefined : { type, entryId, index };
    }
    case 'prompt/edit':
    case 'answer/copy':
    case 'answer/retry':
    case 'permission/disableRule':
    case 'toolCall/cancel':
    case 'checkpoint/restore': {
      const entryId = textOf(raw['entryId']);
      return entryId === undefined ? undefined : { type, entryId };
    }
    case 'terminal/open':
    case 'terminal/cancel': {
      const terminalId = textOf(raw['terminalId']);
      return terminalId === undefined ? undefined : { type, terminalId };
    }
    case 'code/copy':
    case 'code/insert':
      return text === undefined ? undefined : { type, text };
    case 'code/newFile': {
      const language = textOf(raw['language']);
      return text === undefined || language === undefined ? undefined : { type, text, language: language.slice(0, 50) };
    }
    case 'code/save': {
      const info = textOf(raw['info']);
      return text === undefined || info === undefined ? undefined : { type, text, info: info.slice(0, 300) };
    }
    case 'change/open':
    case 'change/keep':
    case 'change/undo':
      // A path that is there but malformed must not turn into "all".
      if (raw['path'] !== undefined && path === undefined) return undefined;
      return { type, ...(path === undefined ? {} : { path }) };
    case 'change/openTurn':
    case 'change/keepTurn':
    case 'change/undoTurn': {
      const turn = textOf(raw['turn']);
      return turn === undefined ? undefined : { type, turn };
    }
    case 'unclaimed/act': {
      const act = raw['act'];
      if ((act !== 'open' && act !== 'include' && act !== 'dismiss') || (path === undefined && (act === 'open' || raw['path'] !== undefined))) return undefined;
      return { type, act, ...(path === undefined ? {} : { path }) };
    }
    case 'keep/hold':
      return typeof raw['held'] === 'boolean' ? { type, held: raw['held'] } : undefined;
    case 'change/resolve': {
      const choice = raw['choice'];
      return path === undefined || (choice !== 'mine' && choice !== 'agents' && choice !== 'both') ? undefined : { type, path, choice };
    }
    case 'files/query': {
      const queryId = raw['queryId'];
      return text === undefined || !isIndex(queryId) ? undefined : { type, queryId, text: text.slice(0, 1_000) };
    }
    case 'log': {
      const message = textOf(raw['message']);
      return message === undefined ? undefined : { type, message: message.slice(0, 4_000) };
    }
    default:
      return decodeAttachmentMessage(raw);
  }
}

/** Also used for what an earlier version stored. */
export function decodeUiState(raw: unknown): PanelUiState | undefined {
  if (!isRecord(raw)) return undefined;
  const draft = textOf(raw['draft']);
  const mentions = decodeMentions(raw['mentions']);
  if (draft === undefined || !mentions) return undefined;
  const expanded = isRecord(raw['expanded']) ? Object.fromEntries(Object.entries(raw['expanded']).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean')) : {};
  const scroll = isRecord(raw['scroll']) ? raw['scroll'] : {};
  const entryId = textOf(scroll['entryId']);
  const offset = scroll['offset'];
  const forms = decodeForms(raw['forms']);
  const editing = decodeEditing(raw['editing']);
  return { draft, mentions, expanded, ...(entryId !== undefined && typeof offset === 'number' && Number.isFinite(offset) ? { scroll: { entryId, offset } } : {}), ...(forms ? { forms } : {}), ...(editing ? { editing } : {}) };
}

function decodeEditing(raw: unknown): PanelUiState['editing'] {
  if (!isRecord(raw)) return undefined;
  const entryId = textOf(raw['entryId']);
  const draft = textOf(raw['draft']);
  const mentions = decodeMentions(raw['mentions']);
  return entryId === undefined || draft === undefined || !mentions ? undefined : { entryId, draft, mentions };
}

function decodeMentions(raw: unknown): MentionView[] | undefined {
  if (!Array.isArray(raw) || raw.length > maxMentions) return undefined;
  const mentions: MentionView[] = [];
  for (const item of raw) {
    if (!isRecord(item)) return undefined;
    const token = textOf(item['token']);
    const path = textOf(item['path']);
    const label = textOf(item['label']);
    if (token === undefined || path === undefined || label === undefined) return undefined;
    mentions.push({ token, path, label });
  }
  return mentions;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxText ? value : undefined;
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function positive(value: unknown): number | undefined {
  return isIndex(value) && value > 0 ? value : undefined;
}
