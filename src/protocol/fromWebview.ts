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
 * All that the webview may say. It draws hostile text, so it is not trusted: a message is rebuilt from the fields that
 * its row has, each of them checked, or is none. Whoever acts on one still checks ids and paths against what is really
 * there. The host's `panelActs` has one function for each row.
 */

type Rows = Readonly<Record<string, Decoder<unknown>>>;
type Value<D> = D extends Decoder<infer T> ? T : never;
type Optional<F extends Rows> = { [K in keyof F]: undefined extends Value<F[K]> ? K : never }[keyof F];
type Read<F extends Rows> = { readonly [K in Exclude<keyof F, Optional<F>>]: Value<F[K]> } & {
  readonly [K in Optional<F>]?: NonNullable<Value<F[K]>>;
};

/** The fields of a message. One that may be undefined may be absent. */
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
/** All files without a path. One that is there but wrong must not turn into all. */
const perhapsAPath = has({ path: optional(text) });
const aTurn = has({ turn: text });
const aDiff = has({ entryId: text, index: count });
const aForm = has({ values: agentFormValues });

const messages = {
  ready: bare,
  'thread/resync': bare,
  'ui/changed': has({ ui: uiState }),
  /** The panel has or has not the keyboard; VS Code does not tell for a webview view. */
  'focus/changed': has({ focused: flag }),
  /** The user is done with a card: the focus goes back to where it came from. */
  'focus/leave': bare,
  /** Something went wrong in the webview; goes to the log. */
  log: has({ message: beginning(4_000) }),

  /** `attachments` are ids of `PanelView.attachments`; `edits` is the prompt in whose place it is sent. */
  'prompt/submit': has({ text, mentions, attachments: listOf(name, maxAttachments), edits: ifRight(text) }),
  /** An earlier prompt is to be edited in the message box; `cancelEdit` leaves it as it is. */
  'prompt/edit': anEntry,
  'prompt/cancelEdit': bare,
  /** Lists the prompts of the conversation, to go to one. */
  'prompt/pick': bare,
  /** All that the agent said in a turn, by its last message; `retry` sends the turn's prompt again. */
  'answer/copy': anEntry,
  'answer/retry': anEntry,
  'turn/cancel': bare,
  'start/cancel': bare,
  /** The queue is sent again as turns end, or is emptied. */
  'queue/resume': bare,
  'queue/clear': bare,
  'queue/send': anId,
  'queue/edit': anId,
  'queue/remove': anId,
  /** `to` is the place in the list, from 0, where it stands then. */
  'queue/move': has({ id: text, to: count }),

  /** A file as base64; images are sendable ones already. `remark` tells its size and what was done to it. */
  'attachment/add': has({
    name: checked(name, isSaid),
    data: checked(base64(maxMediaLength), isSaid),
    preview: ifRight(preview),
    remark: ifRight(checked(remark, isSaid)),
    requestId: optional(where<number>(Number.isSafeInteger)),
  }),
  /** Files and folders that were dropped. */
  'attachment/addUris': has({ uris: rightOf(textUpTo(4_096), maxUris) }),
  'attachment/remove': has({ id: name }),
  /** The earlier prompt that was in the box is in the conversation again, with its attachments. */
  'attachment/removeSent': bare,
  'attachment/open': has({ id: name }),
  /** An image of `image/prepare` that cannot be sent as one. */
  'image/refused': has({ requestId: where<number>(Number.isSafeInteger), reason: remark }),
  'context/add': has({ source: oneOf(...contextSources) }),
  'files/query': has({ queryId: count, text: beginning(1_000) }),

  /** The question may wait in any session. `note` is what the user wants instead: it follows as a message. */
  'permission/select': has({
    requestId: text,
    optionId: text,
    note: ((raw) => decoded(text, raw)?.trim() || undefined) as Decoder<string | undefined>,
  }),
  /**
   * Which permission is before the user's eyes, for the commands that answer it; absent when none is. `read`: its card
   * was in view.
   */
  'permission/shown': has({ requestId: ifRight(text), read: isTrue }),
  /** All options of a request are to be shown in a picker. */
  'permission/showOptions': aRequest,
  /** Shows the file as it is beside what the request proposes. `path` is that of one of its diffs. */
  'permission/openDiff': has({ requestId: text, path: text }),
  /** A rule is to be made of a question that waits. */
  'permission/addRule': aRequest,
  /** The rules that answered a call are to be switched off. */
  'permission/disableRule': anEntry,
  /** Shows a question that waits in another session. */
  'question/show': aKey,
  /** Shows the plan of a request as a document. */
  'plan/open': aRequest,
  'elicitation/submit': has({ requestId: text, values: formValues }),
  /** The user agrees that the page is opened, or wants it opened again. */
  'elicitation/open': aRequest,
  'elicitation/decline': aRequest,
  /** The user puts the question aside, or waits no longer for what happens on a page. */
  'elicitation/cancel': aRequest,
  /** `requestId` is the card's. */
  'signIn/choose': has({ requestId: text, methodId: text }),
  'signIn/act': has({ requestId: text, act: oneOf(...signInActs) }),

  'notice/act': has({ action: oneOf(...noticeActions) }),
  'agentNotice/dismiss': anId,
  /** What could not be saved shall be saved now. */
  'storage/retry': bare,
  'trust/manage': bare,
  /** Let the demo agent play its tour. */
  'demo/start': bare,
  'agent/select': bare,
  /** Another value of one of the session's options: a choice's value, or true or false. */
  'option/set': has({ key: text, value: (raw: unknown) => (typeof raw === 'boolean' ? raw : text(raw)) }),
  'option/favorite': has({ key: text, value: text, isFavorite: isTrue }),
  'optionProblem/dismiss': bare,
  'setup/showServers': bare,
  'setup/showFolders': bare,
  'follow/toggle': bare,

  'session/new': bare,
  'sessions/toggle': bare,
  'sessions/more': bare,
  'sessions/undoDelete': bare,
  'sessions/show': aKey,
  /** Looks for lines of transcripts; "" ends that. */
  'sessions/search': has({ text: beginning(1_000) }),
  /** Shows the session of a `SessionHitView`, at its line. */
  'sessions/showHit': anId,
  'sessions/act': has({ act: oneOf(...sessionActs), keys: listOf(text, 10_000) }),
  'gallery/open': has({ key: ifRight(text) }),
  'gallery/close': bare,
  'gallery/act': has({ key: text, act: oneOf(...galleryActs) }),
  'agentForm/open': bare,
  'agentForm/close': bare,
  /** What is typed, without secrets, for when the panel is hidden. */
  'agentForm/draft': aForm,
  'agentForm/save': aForm,
  'agentForm/test': aForm,

  'link/open': has({ href: text }),
  'location/open': has({ path: text, line: place, column: place }),
  /** Goes to a symbol that the agent named; of several names the user chooses one. */
  'symbol/open': has({
    names: listOf(
      where<string>((raw) => typeof raw === 'string' && symbolParts(raw) !== undefined),
      maxSymbols,
    ),
  }),
  /** Which of these paths in the agent's text are there? Answered by `paths/found`. */
  'paths/query': has({ paths: listOf(textUpTo(4_000), 100) }),
  /** Where do these lines stand in a file? The first text that is there counts. Answered by `snippet/found`. */
  'snippet/query': has({ queryId: count, path: text, texts: listOf(text, 2) }),
  /**
   * Opens a list of which the panel has only the beginning; `entryId` is the tool call that has it, none for the plan.
   */
  'list/open': checked(
    has({ list: oneOf(...longLists), entryId: optional(text) }),
    ({ list, entryId }) => (list === 'plan') === (entryId === undefined),
  ),
  /** Opens the diff that stands at `index` in a tool call's content in VS Code's diff editor. */
  'diff/open': aDiff,
  /** Goes to the first change in the editor that comes from that diff and waits for a decision. */
  'diff/review': aDiff,
  'terminal/open': has({ terminalId: text }),
  /** Ends one command, or one call, of the agent's; the turn goes on. */
  'terminal/cancel': has({ terminalId: text }),
  'toolCall/cancel': anEntry,
  'code/copy': has({ text }),
  'code/insert': has({ text }),
  /** Saves code as a file. `info` is what stands behind the fence: the language, and perhaps a file name. */
  'code/save': has({ text, info: beginning(300) }),
  /** Opens code as a new, unsaved file; `language` is the agent's word for it. */
  'code/newFile': has({ text, language: beginning(50) }),

  'change/open': perhapsAPath,
  'change/keep': perhapsAPath,
  'change/undo': perhapsAPath,
  /** What one turn did; `turn` is the entry with which it began. */
  'change/openTurn': aTurn,
  'change/keepTurn': aTurn,
  'change/undoTurn': aTurn,
  /** Shows all files in the tree. */
  'change/list': bare,
  /** What shall stand where the user and the agent edited the same lines of a file; `both` shows them side by side. */
  'change/resolve': has({ path: text, choice: oneOf(...conflictChoices) }),
  /** Includes or dismisses changes by no tool call: of one file, or all without a path. */
  'unclaimed/act': checked(
    has({ act: oneOf(...unclaimedActs), path: optional(text) }),
    ({ act, path }) => act !== 'open' || path !== undefined,
  ),
  /** The countdown stands still while the user looks at it, or is stopped. */
  'keep/hold': has({ held: flag }),
  'keep/stop': bare,
  'keep/undo': bare,
  /**
   * Goes back to before a prompt, with the conversation, the files or both as the user chooses then; `redo` takes a
   * restore of files back.
   */
  'checkpoint/restore': anEntry,
  'checkpoint/redo': bare,
  /** What is told of the review: all of it, or one line. */
  'notes/act': has({ act: oneOf(...noteActs) }),
  'note/open': anId,
  'note/remove': anId,
};

type Messages = { readonly [T in keyof typeof messages]: Readonly<Record<'type', T>> & Value<(typeof messages)[T]> };

/** Webview → host. */
export type FromWebview = Messages[keyof Messages];

/** One kind of message, or some. */
export type Said<T extends FromWebview['type']> = Extract<FromWebview, { readonly type: T }>;

const rows = Object.fromEntries(
  Object.entries(messages).map(([type, row]) => [type, (raw: unknown) => ({ type, ...(row(raw) as object) })]),
);
const message = oneKindOf<FromWebview, 'type'>('type', rows as never);

/** @returns undefined for anything that is no message of the table. */
export function decodeFromWebview(raw: unknown): FromWebview | undefined {
  return decoded(message, raw);
}
