import type { DecodedBlock } from '../acp/decodeContent';
import type { PermissionChoice } from '../acp/decodeRequest';
import type { FileOperation, PlanItem, ToolCallFields } from '../acp/decodeUpdate';
import { shownEntries } from './rewind';
import { type Elicitation, type Entry, type EntryId, type Part, type Thread, type ToolCall } from './thread';

/** Names the format in its first field. */
export const exportFormat = 'parley.session';
/** Increases when an older reader would misread a file. A new optional field does not count. */
export const exportVersion = 1;

/**
 * A session as a file, in Parley's own format (docs/session.schema.json). Times are ISO 8601, paths in the agent's
 * spelling.
 */
export interface ExportedSession {
  readonly format: typeof exportFormat;
  readonly version: typeof exportVersion;
  readonly exportedAt: string;
  readonly title?: string;
  /** The user's name for the agent. */
  readonly agent: string;
  /** The folder in which the agent worked. */
  readonly folder?: string;
  readonly entries: readonly ExportedEntry[];
  readonly plan?: readonly PlanItem[];
}

/** A block without its unknown kinds, which are reduced to their kind. */
export type ExportedBlock = Exclude<DecodedBlock, { type: 'unknown' }> | { readonly type: string };

export type ExportedEntry =
  | ExportedPrompt
  | ExportedMessage
  | ExportedCall
  | ExportedSummary
  | ExportedRequest
  | ExportedNotice;

export interface ExportedPrompt {
  readonly type: 'prompt';
  readonly at: string;
  readonly content: readonly ExportedBlock[];
  /** It is no longer in the agent's context. */
  readonly dropped?: true;
}

export interface ExportedMessage {
  readonly type: 'answer' | 'thought';
  readonly at: string;
  readonly until: string;
  readonly content: readonly ExportedBlock[];
  /** The index of a subagent's call in `entries`, from 0. */
  readonly parent?: number;
  /** The agent added it as a user message. */
  readonly asUser?: true;
}

/** Nothing runs in a file: an open call is `unfinished`. */
export const callEnds = ['completed', 'failed', 'cancelled', 'unfinished'] as const;

export interface ExportedCall {
  readonly type: 'tool';
  readonly at: string;
  readonly until?: string;
  readonly title: string;
  /** The agent's name for the tool. */
  readonly name?: string;
  readonly kind: NonNullable<ToolCallFields['kind']>;
  readonly status: (typeof callEnds)[number];
  readonly content?: readonly ExportedContent[];
  readonly locations?: readonly { readonly path: string; readonly line?: number }[];
  readonly input?: unknown;
  readonly output?: unknown;
  readonly decision?: ExportedDecision;
  readonly parent?: number;
}

/** The answer to a permission request; `rules` if the user's rules gave it. */
export interface ExportedDecision {
  readonly choice: string;
  readonly kind: PermissionChoice['kind'];
  readonly request?: string;
  readonly rules?: readonly string[];
}

export type ExportedContent =
  | { readonly type: 'content'; readonly content: ExportedBlock }
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string | null; readonly newText: string }
  | {
      readonly type: 'fileChange';
      readonly operation: FileOperation;
      readonly path: string;
      readonly oldPath?: string;
      readonly patch?: string;
    }
  | ExportedTerminal;

export interface ExportedTerminal {
  readonly type: 'terminal';
  readonly command?: string;
  /** Plain text, without colours. */
  readonly output: string;
  /** The number of dropped lines before `output`. */
  readonly omittedLines?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs?: number;
}

export const summaryEnds = ['completed', 'failed', 'cancelled'] as const;

/** Marks where the agent replaced the earlier conversation by a summary. */
export interface ExportedSummary {
  readonly type: 'summary';
  readonly at: string;
  readonly status: (typeof summaryEnds)[number];
  readonly content: readonly ExportedBlock[];
  readonly error?: string;
}

export const requestEnds = ['completed', 'accepted', 'declined', 'cancelled', 'withdrawn'] as const;

/** A form of the agent, or a page to visit (`url`). Secrets are not in `answers`. */
export interface ExportedRequest {
  readonly type: 'request';
  readonly at: string;
  readonly message: string;
  readonly title?: string;
  readonly url?: string;
  readonly state: (typeof requestEnds)[number];
  readonly answers?: readonly { readonly label: string; readonly text: string }[];
}

/** A message of Parley itself. */
export interface ExportedNotice {
  readonly type: 'notice';
  readonly at: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  /** The agent began to work without a prompt. */
  readonly beginsTurn?: true;
}

/** The output of a terminal by its id; undefined if nothing was stored. */
export type TerminalLookup = (terminalId: string) => Omit<ExportedTerminal, 'type'> | undefined;

/**
 * A thread as a JSON value, without the parts that the user removed from the conversation. A thread has no secrets, so
 * an export has none.
 */
export function exportSession(
  thread: Thread,
  about: {
    readonly exportedAt: number;
    readonly title?: string | undefined;
    readonly agent: string;
    readonly folder?: string | undefined;
  },
  terminal: TerminalLookup,
): ExportedSession {
  return {
    format: exportFormat,
    version: exportVersion,
    exportedAt: timeOf(about.exportedAt),
    ...(about.title === undefined ? {} : { title: about.title }),
    agent: about.agent,
    ...(about.folder === undefined ? {} : { folder: about.folder }),
    entries: exportEntries(shownEntries(thread), terminal),
    ...(thread.plan.length === 0
      ? {}
      : { plan: thread.plan.map(({ content, priority, status }) => ({ content, priority, status })) }),
  };
}

/** Some entries of a thread, in the same form. */
export function exportEntries(entries: Iterable<Entry>, terminal: TerminalLookup): ExportedEntry[] {
  const list = [...entries];
  const places = new Map(list.map(({ id }, place) => [id, place]));
  return list.map((entry) => ({ ...exportEntry(entry, terminal), ...parentOf(entry, places) }));
}

function exportEntry(entry: Entry, terminal: TerminalLookup): ExportedEntry {
  const at = timeOf(entry.at);
  switch (entry.kind) {
    case 'userMessage':
      return { type: 'prompt', at, content: blocksOf(entry.parts), ...(entry.dropped ? { dropped: true } : {}) };
    case 'agentMessage':
    case 'thought':
      return {
        type: entry.kind === 'thought' ? 'thought' : 'answer',
        at,
        until: timeOf(entry.lastAt),
        content: blocksOf(entry.parts),
        ...(entry.asUser ? { asUser: true } : {}),
      };
    case 'toolCall':
      return exportCall(entry, terminal);
    case 'compaction': {
      const { status, parts, error } = entry;
      return {
        type: 'summary',
        at,
        status: status === 'in_progress' || status === 'other' ? 'cancelled' : status,
        content: blocksOf(parts),
        ...(error === undefined ? {} : { error }),
      };
    }
    case 'elicitation':
      return exportRequest(entry);
    case 'notice': {
      const { severity, title, detail, beginsTurn } = entry;
      return {
        type: 'notice',
        at,
        severity,
        title,
        ...(detail === undefined ? {} : { detail }),
        ...(beginsTurn ? { beginsTurn } : {}),
      };
    }
  }
}

function exportCall(call: ToolCall, terminal: TerminalLookup): ExportedCall {
  const { title, name, toolKind, content, locations, rawInput, rawOutput, endedAt, decision, decidedOn, decidedBy } =
    call;
  return {
    type: 'tool',
    at: timeOf(call.at),
    ...(endedAt === undefined ? {} : { until: timeOf(endedAt) }),
    title,
    ...(name === undefined ? {} : { name }),
    kind: toolKind,
    status: endOf(call),
    ...(content.length === 0
      ? {}
      : {
          content: content.map((item): ExportedContent =>
            item.type === 'content'
              ? { type: 'content', content: blockOf(item.content) }
              : item.type === 'terminal'
                ? { type: 'terminal', output: '', ...terminal(item.terminalId) }
                : item,
          ),
        }),
    ...(locations.length === 0
      ? {}
      : { locations: locations.map(({ path, line }) => ({ path, ...(line ? { line } : {}) })) }),
    ...(rawInput === undefined ? {} : { input: rawInput }),
    ...(rawOutput === undefined ? {} : { output: rawOutput }),
    ...(decision
      ? {
          decision: {
            choice: decision.name,
            kind: decision.kind,
            ...(decidedOn === undefined ? {} : { request: decidedOn }),
            ...(decidedBy ? { rules: decidedBy } : {}),
          },
        }
      : {}),
  };
}

function endOf(call: ToolCall): ExportedCall['status'] {
  if (call.localEnd !== undefined) return call.localEnd;
  return call.status === 'completed' || call.status === 'failed' || call.status === 'cancelled'
    ? call.status
    : 'unfinished';
}

function exportRequest({ at, message, ask, state, answers }: Elicitation): ExportedRequest {
  const title = ask.mode === 'form' ? ask.form.title : undefined;
  return {
    type: 'request',
    at: timeOf(at),
    message,
    ...(title === undefined ? {} : { title }),
    ...(ask.mode === 'url' ? { url: ask.page.url } : {}),
    // As after a restart: the agent that asked is gone.
    state: state === 'waiting' ? 'withdrawn' : state === 'opened' ? 'accepted' : state,
    ...(answers.length === 0 ? {} : { answers: answers.map(({ label, text }) => ({ label, text })) }),
  };
}

/** Joins text parts, which are split only for cheap appending. */
function blocksOf(parts: Iterable<Part>): ExportedBlock[] {
  const blocks: ExportedBlock[] = [];
  let pieces: string[] | undefined;
  const flush = () => {
    if (pieces) blocks.push({ type: 'text', text: pieces.join('') });
    pieces = undefined;
  };
  for (const part of parts) {
    if (part.type === 'text' && part.continues && pieces) pieces.push(part.text);
    else {
      flush();
      if (part.type === 'text') pieces = [part.text];
      else blocks.push(blockOf(part));
    }
  }
  flush();
  return blocks;
}

function blockOf(block: DecodedBlock): ExportedBlock {
  return block.type === 'unknown' ? { type: block.kind } : block;
}

/** The index of the parent call; undefined if it was removed from the conversation or comes later. */
function parentOf(entry: Entry, places: ReadonlyMap<EntryId, number>): { readonly parent?: number } {
  const parent = 'parentId' in entry && entry.parentId !== undefined ? places.get(entry.parentId) : undefined;
  return parent === undefined || parent > places.get(entry.id)! ? {} : { parent };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
