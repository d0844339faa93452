import {
  count,
  decoded,
  type Decoder,
  flag,
  ifRight,
  listOf,
  objectOf,
  oneKindOf,
  oneOf,
  optional,
  rightOf,
  textUpTo,
  where,
} from '../base/decode';
import { agentFormValues } from './agentForm';
import {
  contextSources,
  maxAttachments,
  maxMediaLength,
  maxPreviewLength,
  maxUris,
  type PreviewView,
} from './attachments';
import { conflictChoices, unclaimedActs } from './changeView';
import { noticeActions } from './entryView';
import { galleryActs } from './galleryView';
import { longLists } from './longList';
import { maxPromptLength } from './messages';
import { noteActs } from './notesView';
import { sessionActs } from './sessionsView';
import { signInActs } from './signInView';
import { maxSymbols, symbolParts } from './symbolName';
import { formValues, mentions, uiState } from './uiState';

/*
 * /* All messages that the webview may send. It draws hostile text, so it is not trusted: a message is rebuilt from the
 * checked fields of its row, or refused. Handlers still check ids and paths against the actual state. The host's
 * `panelActs` has one function for each row.
 */

type Rows = Readonly<Record<string, Decoder<unknown>>>;
type Value<D> = D extends Decoder<infer T> ? T : never;
type Optional<F extends Rows> = { [K in keyof F]: undefined extends Value<F[K]> ? K : never }[keyof F];
type Read<F extends Rows> = { readonly [K in Exclude<keyof F, Optional<F>>]: Value<F[K]> } & {
  readonly [K in Optional<F>]?: NonNullable<Value<F[K]>>;
};

/** The fields of a message. A field that may be undefined may be absent. */
function has<F extends Rows>(fields: F): Decoder<Read<F>> {
  return objectOf(fields as never) as Decoder<Read<F>>;
}

function checked<T>(decode: Decoder<T>, test: (value: T) => boolean): Decoder<T> {
  return (raw) => where<T>((value) => test(value as T))(decode(raw));
}

const text = textUpTo(maxPromptLength);
const beginning =
  (length: number): Decoder<string> =>
  (raw) =>
    text(raw).slice(0, length);
const isTrue: Decoder<boolean> = (raw) => raw === true;
/** A line or a column. */
const place = ifRight(checked(count, (value) => value > 0));
const name = textUpTo(255);
const remark = textUpTo(300);
const base64 = (limit: number) => checked(textUpTo(limit), (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value));
const preview = objectOf<PreviewView>({
  mimeType: where((raw) => typeof raw === 'string' && /^image\/(?:png|jpeg|webp)$/.test(raw)),
  data: base64(maxPreviewLength),
});
const isSaid = (value: string) => value !== '';

const bare = has({});
const aRequest = has({ requestId: text });
const anEntry = has({ entryId: text });
const anId = has({ id: text });
const aKey = has({ key: text });
/** A file by its path, or all files without one. An invalid path must not turn into all files. */
const perhapsAPath = has({ path: optional(text) });
const aTurn = has({ turn: text });
const aDiff = has({ entryId: text, index: count });
const aForm = has({ values: agentFormValues });

const messages = {
  ready: bare,
  'thread/resync': bare,
  'ui/changed': has({ ui: uiState }),
  /** Tells whether the panel has the keyboard focus; VS Code does not report it for a webview view. */
  'focus/changed': has({ focused: flag }),
  /** The user is done with a card: the focus returns to where it came from. */
  'focus/leave': bare,
  /** An error in the webview, for the log. */
  log: has({ message: beginning(4_000) }),

  /**
   * `attachments` are ids of `PanelView.attachments`; `edits` is the earlier prompt that this one replaces; `followed`
   * is the `detail` of the current file that the panel showed as part of the message.
   */
  'prompt/submit': has({
    text,
    mentions,
    attachments: listOf(name, maxAttachments),
    edits: ifRight(text),
    followed: ifRight(textUpTo(4_096)),
  }),
  /** Begins to edit an earlier prompt in the message box; `cancelEdit` ends that without a change. */
  'prompt/edit': anEntry,
  'prompt/cancelEdit': bare,
  /** Lists the prompts of the conversation, to go to one. */
  'prompt/pick': bare,
  /** The agent's whole text of a turn, by its last message; `retry` sends the turn's prompt again. */
  'answer/copy': anEntry,
  'answer/retry': anEntry,
  'turn/cancel': bare,
  'start/cancel': bare,
  /** The queue continues as turns end, or is emptied. */
  'queue/resume': bare,
  'queue/clear': bare,
  'queue/send': anId,
  'queue/edit': anId,
  'queue/remove': anId,
  /** `to` is the new position in the list, from 0. */
  'queue/move': has({ id: text, to: count }),

  /** A file as base64; images already have a sendable type. `remark` tells its size and any conversion. */
  'attachment/add': has({
    name: checked(name, isSaid),
    data: checked(base64(maxMediaLength), isSaid),
    preview: ifRight(preview),
    remark: ifRight(checked(remark, isSaid)),
    requestId: optional(where<number>(Number.isSafeInteger)),
  }),
  /** Files and folders that the user dropped. */
  'attachment/addUris': has({ uris: rightOf(textUpTo(4_096), maxUris) }),
  'attachment/remove': has({ id: name }),
  /** The earlier prompt in the box is in the conversation again; its attachments leave the box. */
  'attachment/removeSent': bare,
  'attachment/open': has({ id: name }),
  /** An image of `image/prepare` that cannot be sent as an image. */
  'image/refused': has({ requestId: where<number>(Number.isSafeInteger), reason: remark }),
  'context/add': has({ source: oneOf(...contextSources) }),
  /** Whether each message brings the current file along. */
  'context/follow': has({ on: flag }),
  'files/query': has({ queryId: count, text: beginning(1_000) }),

  /** Answers a request of any session. `note` is the user's instruction instead: it follows as a message. */
  'permission/select': has({
    requestId: text,
    optionId: text,
    note: ((raw) => decoded(text, raw)?.trim() || undefined) as Decoder<string | undefined>,
  }),
  /**
   * The request that is visible, for the commands that answer it; absent if none is. `read`: its card was fully
   * visible.
   */
  'permission/shown': has({ requestId: ifRight(text), read: isTrue }),
  /** Shows all options of a request in a picker. */
  'permission/showOptions': aRequest,
  /** Compares the current file with the request's proposal. `path` is that of one of its diffs. */
  'permission/openDiff': has({ requestId: text, path: text }),
  /** Creates a rule from a pending permission request. */
  'permission/addRule': aRequest,
  /** Switches off the rules that answered a call. */
  'permission/disableRule': anEntry,
  /** Shows a pending question of another session. */
  'question/show': aKey,
  /** Shows the plan of a request as a document. */
  'plan/open': aRequest,
  'elicitation/submit': has({ requestId: text, values: formValues }),
  /** The user agrees to open the page, or to open it again. */
  'elicitation/open': aRequest,
  'elicitation/decline': aRequest,
  /** The user dismisses the request, or no longer waits for the page. */
  'elicitation/cancel': aRequest,
  /** `requestId` is that of the sign-in card. */
  'signIn/choose': has({ requestId: text, methodId: text }),
  'signIn/act': has({ requestId: text, act: oneOf(...signInActs) }),

  'notice/act': has({ action: oneOf(...noticeActions) }),
  'agentNotice/dismiss': anId,
  /** The notice about a window of the user's plan stays away until the window ends. `resetsAt`: epoch ms. */
  'usage/dismiss': has({ label: text, resetsAt: ifRight(where<number>(Number.isFinite)) }),
  /** Tries again to save what failed. */
  'storage/retry': bare,
  'trust/manage': bare,
  /** Starts the demo agent's tour. */
  'demo/start': bare,
  'agent/select': bare,
  /** Sets one of the session's options: a choice's value, or true or false. */
  'option/set': has({ key: text, value: (raw: unknown) => (typeof raw === 'boolean' ? raw : text(raw)) }),
  'option/favorite': has({ key: text, value: text, isFavorite: isTrue }),
  'optionProblem/dismiss': bare,
  'setup/showServers': bare,
  'setup/showFolders': bare,
  'place/choose': bare,
  'worktree/show': bare,
  'follow/toggle': bare,

  'session/new': bare,
  'sessions/toggle': bare,
  'sessions/more': bare,
  'sessions/undoDelete': bare,
  'sessions/show': aKey,
  /** Searches transcripts; "" ends the search. */
  'sessions/search': has({ text: beginning(1_000) }),
  /** Shows the session of a `SessionHitView`, at its line. */
  'sessions/showHit': anId,
  'sessions/act': has({ act: oneOf(...sessionActs), keys: listOf(text, 10_000) }),
  'gallery/open': has({ key: ifRight(text) }),
  'gallery/close': bare,
  'gallery/act': has({ key: text, act: oneOf(...galleryActs) }),
  'agentForm/open': bare,
  'agentForm/close': bare,
  /** The form's values without secrets, to survive hiding the panel. */
  'agentForm/draft': aForm,
  'agentForm/save': aForm,
  'agentForm/test': aForm,

  'link/open': has({ href: text }),
  'location/open': has({ path: text, line: place, column: place }),
  /** Goes to a symbol that the agent named; if several match, the user chooses one. */
  'symbol/open': has({
    names: listOf(
      where<string>((raw) => typeof raw === 'string' && symbolParts(raw) !== undefined),
      maxSymbols,
    ),
  }),
  /** Asks which of these paths in the agent's text exist. Answered by `paths/found`. */
  'paths/query': has({ paths: listOf(textUpTo(4_000), 100) }),
  /** Asks for the line of a snippet in a file. The first text that is found counts. Answered by `snippet/found`. */
  'snippet/query': has({ queryId: count, path: text, texts: listOf(text, 2) }),
  /**
   * Opens a list of which the panel has only the beginning; `entryId` is the tool call with the list, absent for the
   * plan.
   */
  'list/open': checked(
    has({ list: oneOf(...longLists), entryId: optional(text) }),
    ({ list, entryId }) => (list === 'plan') === (entryId === undefined),
  ),
  /** Opens the diff at `index` of a tool call's content in VS Code's diff editor. */
  'diff/open': aDiff,
  /** Goes to the first pending hunk in the editor that comes from that diff. */
  'diff/review': aDiff,
  'terminal/open': has({ terminalId: text }),
  /** Cancels one command or one call of the agent; the turn continues. */
  'terminal/cancel': has({ terminalId: text }),
  'toolCall/cancel': anEntry,
  /** Opens the subagent of a call in a tab. */
  'subagent/open': anEntry,
  'code/copy': has({ text }),
  'code/insert': has({ text }),
  /** Saves code as a file. `info` is the fence's info string: the language, and perhaps a file name. */
  'code/save': has({ text, info: beginning(300) }),
  /** Opens code as a new, unsaved file; `language` is the agent's word for it. */
  'code/newFile': has({ text, language: beginning(50) }),

  'change/open': perhapsAPath,
  'change/keep': perhapsAPath,
  'change/undo': perhapsAPath,
  /** Shows the changes of one turn; `turn` is its first entry. */
  'change/openTurn': aTurn,
  'change/keepTurn': aTurn,
  'change/undoTurn': aTurn,
  /** Shows the errors that the last turn left, or asks the agent to fix them. */
  'problems/show': bare,
  'problems/ask': bare,
  /** Shows all files in the tree. */
  'change/list': bare,
  /** Resolves lines that both the user and the agent edited; `both` compares the two. */
  'change/resolve': has({ path: text, choice: oneOf(...conflictChoices) }),
  /** Includes or dismisses changes by no tool call: of one file, or of all without a path. */
  'unclaimed/act': checked(
    has({ act: oneOf(...unclaimedActs), path: optional(text) }),
    ({ act, path }) => act !== 'open' || path !== undefined,
  ),
  'keep/undo': bare,
  /**
   * Restores to before a prompt: the conversation, the files or both, as the user then chooses; `redo` reverses a
   * restore of files.
   */
  'checkpoint/restore': anEntry,
  'checkpoint/redo': bare,
  /** Acts on feedback to the agent: all of it, or one line. */
  'notes/act': has({ act: oneOf(...noteActs) }),
  'note/open': anId,
  'note/remove': anId,
};

type Messages = { readonly [T in keyof typeof messages]: Readonly<Record<'type', T>> & Value<(typeof messages)[T]> };

/** Webview → host. */
export type FromWebview = Messages[keyof Messages];

/** The messages of one type, or of several. */
export type Said<T extends FromWebview['type']> = Extract<FromWebview, { readonly type: T }>;

const rows = Object.fromEntries(
  Object.entries(messages).map(([type, row]) => [type, (raw: unknown) => ({ type, ...(row(raw) as object) })]),
);
const message = oneKindOf<FromWebview, 'type'>('type', rows as never);

/** @returns undefined for a message that is not in the table. */
export function decodeFromWebview(raw: unknown): FromWebview | undefined {
  return decoded(message, raw);
}
