import * as l10n from '@vscode/l10n';
import { type DecodedBlock, decodeContentBlock } from '../acp/decodeContent';
import { permissionKinds } from '../acp/decodeRequest';
import { decodeLocation, fileOperations, type PlanItem, toolKinds, type ToolContent } from '../acp/decodeUpdate';
import { decoded, oneOf } from '../base/decode';
import { boundedDepth, isObject, type JsonObject } from '../base/json';
import { Vector } from '../base/vector';
import {
  callEnds,
  exportFormat,
  exportVersion,
  type ExportedTerminal,
  requestEnds,
  summaryEnds,
} from './exportedSession';
import { jsonWithin } from './jsonWithin';
import {
  beginsTurn,
  emptyThread,
  type Entry,
  entryIdAt,
  indexOfEntry,
  maxPartLength,
  type Part,
  type Thread,
  type ToolCall,
} from './thread';

/** Bytes. A larger file is refused. */
export const maxExportBytes = 64 * 1024 * 1024;
/** A file that exceeds one of these limits is not a real conversation. */
const maxEntries = 200_000;
const maxItems = 50_000;
const maxDepth = 100;
const maxValues = 4_000_000;
/** Characters of a title, a name or a path. */
const maxName = 10_000;

/** A file that is not an export, or is incomplete. The message is for the user. */
export class ExportProblem extends Error {}

/** The content of an export: an immutable thread and its terminals. */
export interface ImportedSession {
  readonly thread: Thread;
  readonly title?: string;
  readonly agent: string;
  readonly exportedAt: number;
  readonly terminals: ReadonlyMap<string, ExportedTerminal>;
}

/**
 * Reads an export completely or not at all: a missing field, a wrong type or an exceeded limit refuses the file.
 * Unknown fields are ignored, because a newer Parley may write more. The result has no pending request and no running
 * turn.
 * @throws ExportProblem with the place of the error
 */
export function readExport(text: string): ImportedSession {
  for (const steps = exportReading(text); ;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in steps, a few for each entry. */
export function* exportReading(text: string): Generator<void, ImportedSession, void> {
  const root = yield* parse(text);
  const { version } = root;
  if (typeof version === 'number' && version > exportVersion)
    throw new ExportProblem(l10n.t('A newer version of Parley exported this session. Update Parley to open it.'));
  if (version !== exportVersion) throw wrong('version');
  const terminals = new Map<string, ExportedTerminal>();
  const raw = listAt(root, 'entries', '', maxEntries);
  if (raw.length === 0) throw new ExportProblem(l10n.t('The file has no conversation.'));
  let entries = Vector.empty<Entry>();
  for (const [index, item] of raw.entries()) {
    entries = entries.push(readEntry(item, index, entries, terminals));
    yield;
  }
  entries = yield* withTurnEnds(entries);
  const plan =
    'plan' in root ? listAt(root, 'plan', '', maxItems).map((item, index) => readPlanItem(item, `plan[${index}]`)) : [];
  const title = optionalText(root, 'title', '', maxName);
  return {
    thread: { ...emptyThread, entries, plan, ...(title === undefined ? {} : { title }) },
    ...(title === undefined ? {} : { title }),
    agent: textAt(root, 'agent', '', maxName),
    exportedAt: timeAt(root, 'exportedAt', ''),
    terminals,
  };
}

function* parse(text: string): Generator<void, JsonObject, void> {
  const noExport = () => new ExportProblem(l10n.t('This is not a session that Parley exported as JSON.'));
  if (!jsonWithin(text, maxDepth, maxValues)) throw noExport();
  yield;
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    throw noExport();
  }
  if (!isObject(root) || root['format'] !== exportFormat) throw noExport();
  yield;
  return root;
}

/** Marks the last answer of each turn, under which it can be copied. */
function* withTurnEnds(entries: Vector<Entry>): Generator<void, Vector<Entry>, void> {
  let marked = entries;
  let last: Extract<Entry, { kind: 'agentMessage' | 'thought' }> | undefined;
  const mark = () => {
    if (last) marked = marked.set(indexOfEntry(last.id), { ...last, endsTurn: true });
    last = undefined;
  };
  for (const entry of entries) {
    if (beginsTurn(entry)) mark();
    else if (entry.kind === 'agentMessage' && entry.parentId === undefined && !entry.asUser) last = entry;
    yield;
  }
  mark();
  return marked;
}

function readEntry(
  raw: unknown,
  index: number,
  before: Vector<Entry>,
  terminals: Map<string, ExportedTerminal>,
): Entry {
  const where = `entries[${index}]`;
  const item = objectOf(raw, where);
  const id = entryIdAt(index);
  const at = timeAt(item, 'at', where);
  switch (item['type']) {
    case 'prompt':
      return { kind: 'userMessage', id, at, parts: partsAt(item, where), dropped: item['dropped'] === true };
    case 'answer':
    case 'thought':
      return {
        kind: item['type'] === 'answer' ? 'agentMessage' : 'thought',
        id,
        at,
        lastAt: timeAt(item, 'until', where),
        parts: partsAt(item, where),
        closed: true,
        ...(item['type'] === 'answer' && item['asUser'] === true ? { asUser: true } : {}),
        ...parentAt(item, before, where),
      };
    case 'tool':
      return readCall(item, index, at, before, terminals);
    case 'summary': {
      const error = optionalText(item, 'error', where);
      return {
        kind: 'compaction',
        id,
        at,
        compactionId: id,
        status: wordAt(item, 'status', summaryEnds, where),
        parts: partsAt(item, where),
        ...(error === undefined ? {} : { error }),
      };
    }
    case 'request':
      return readRequest(item, index, at);
    case 'notice': {
      const detail = optionalText(item, 'detail', where);
      return {
        kind: 'notice',
        id,
        at,
        severity: wordAt(item, 'severity', ['info', 'warning', 'error'] as const, where),
        title: textAt(item, 'title', where),
        ...(detail === undefined ? {} : { detail }),
        actions: [],
        isQuoted: true,
        ...(item['beginsTurn'] === true ? { beginsTurn: true } : {}),
      };
    }
    default:
      throw wrong(`${where}.type`);
  }
}

function readCall(
  item: JsonObject,
  index: number,
  at: number,
  before: Vector<Entry>,
  terminals: Map<string, ExportedTerminal>,
): Entry {
  const where = `entries[${index}]`;
  const end = wordAt(item, 'status', callEnds, where);
  const name = optionalText(item, 'name', where, maxName);
  const content = 'content' in item ? listAt(item, 'content', where, maxItems) : [];
  const locations = 'locations' in item ? listAt(item, 'locations', where, maxItems) : [];
  return {
    kind: 'toolCall',
    id: entryIdAt(index),
    at,
    toolCallId: `imported-${index}`,
    title: textAt(item, 'title', where),
    ...(name === undefined ? {} : { name }),
    toolKind: wordAt(item, 'kind', toolKinds, where),
    ...(end === 'completed' || end === 'failed' ? { status: end } : { status: 'pending', localEnd: end }),
    content: content.map((part, at) =>
      readContent(part, `imported-${index}-${at}`, `${where}.content[${at}]`, terminals),
    ),
    locations: locations.map((location, at) => decodeLocation(location) ?? fail(`${where}.locations[${at}]`)),
    ...('input' in item ? { rawInput: boundedDepth(item['input']) } : {}),
    ...('output' in item ? { rawOutput: boundedDepth(item['output']) } : {}),
    permissions: [],
    ...('decision' in item ? readDecision(objectOf(item['decision'], `${where}.decision`), `${where}.decision`) : {}),
    ...('until' in item ? { endedAt: timeAt(item, 'until', where) } : {}),
    ...parentAt(item, before, where),
  };
}

function readDecision(
  item: JsonObject,
  where: string,
): Pick<ToolCall, 'decision' | 'decidedOn' | 'decidedBy' | 'isQuoted'> {
  const request = optionalText(item, 'request', where);
  return {
    isQuoted: true,
    decision: {
      optionId: '',
      name: textAt(item, 'choice', where),
      kind: wordAt(item, 'kind', [...permissionKinds, 'other'] as const, where),
    },
    ...(request === undefined ? {} : { decidedOn: request }),
    ...('rules' in item
      ? {
          decidedBy: listAt(item, 'rules', where, maxItems).map((rule, at) =>
            typeof rule === 'string' ? rule : fail(`${where}.rules[${at}]`),
          ),
        }
      : {}),
  };
}

function readContent(
  raw: unknown,
  terminalId: string,
  where: string,
  terminals: Map<string, ExportedTerminal>,
): ToolContent {
  const item = objectOf(raw, where);
  switch (item['type']) {
    case 'content':
      return { type: 'content', content: blockOf(item['content'], `${where}.content`) };
    case 'diff': {
      const oldText = item['oldText'];
      if (oldText !== null && typeof oldText !== 'string') throw wrong(`${where}.oldText`);
      return {
        type: 'diff',
        path: textAt(item, 'path', where, maxName),
        oldText,
        newText: textAt(item, 'newText', where),
      };
    }
    case 'fileChange': {
      const oldPath = optionalText(item, 'oldPath', where, maxName);
      const patch = optionalText(item, 'patch', where);
      return {
        type: 'fileChange',
        operation: wordAt(item, 'operation', [...fileOperations, 'other'] as const, where),
        path: textAt(item, 'path', where, maxName),
        ...(oldPath === undefined ? {} : { oldPath }),
        ...(patch === undefined ? {} : { patch }),
      };
    }
    case 'terminal':
      terminals.set(terminalId, readTerminal(item, where));
      return { type: 'terminal', terminalId };
    default:
      throw wrong(`${where}.type`);
  }
}

function readTerminal(item: JsonObject, where: string): ExportedTerminal {
  const command = optionalText(item, 'command', where);
  const signal = optionalText(item, 'signal', where, maxName);
  return {
    type: 'terminal',
    ...(command === undefined ? {} : { command }),
    output: textAt(item, 'output', where),
    ...countAt(item, 'omittedLines', where),
    ...countAt(item, 'exitCode', where),
    ...(signal === undefined ? {} : { signal }),
    ...countAt(item, 'durationMs', where),
  };
}

function readRequest(item: JsonObject, index: number, at: number): Entry {
  const where = `entries[${index}]`;
  const title = optionalText(item, 'title', where, maxName);
  const url = optionalText(item, 'url', where, maxName);
  const answers = 'answers' in item ? listAt(item, 'answers', where, maxItems) : [];
  return {
    kind: 'elicitation',
    id: entryIdAt(index),
    at,
    requestId: `imported-${index}`,
    message: textAt(item, 'message', where),
    ask:
      url === undefined
        ? { mode: 'form', form: { ...(title === undefined ? {} : { title }), fields: [] } }
        : { mode: 'url', page: { elicitationId: '', url, host: hostOf(url) ?? fail(`${where}.url`), warnings: [] } },
    state: wordAt(item, 'state', requestEnds, where),
    errors: new Map(),
    answers: answers.map((raw, at) => {
      const place = `${where}.answers[${at}]`;
      const answer = objectOf(raw, place);
      return { label: textAt(answer, 'label', place), text: textAt(answer, 'text', place) };
    }),
    isQuoted: true,
  };
}

function readPlanItem(raw: unknown, where: string): PlanItem {
  const item = objectOf(raw, where);
  return {
    content: textAt(item, 'content', where),
    priority: wordAt(item, 'priority', ['high', 'medium', 'low'] as const, where),
    status: wordAt(item, 'status', ['pending', 'in_progress', 'completed', 'cancelled'] as const, where),
  };
}

/** The host of a page, to show; a file's pages are never opened. */
function hostOf(url: string): string | undefined {
  return /^https?:\/\/([^/?#@\s]+)(?=[/?#]|$)/.exec(url)?.[1];
}

/** A message's blocks, its texts cut into the parts that a thread has. */
function partsAt(item: JsonObject, where: string): Vector<Part> {
  const parts = listAt(item, 'content', where, maxItems).flatMap((raw, at): Part[] => {
    const block = blockOf(raw, `${where}.content[${at}]`);
    if (block.type !== 'text') return [block];
    const parts: Part[] = [{ type: 'text', text: block.text.slice(0, maxPartLength), continues: false }];
    for (let from = maxPartLength; from < block.text.length; from += maxPartLength)
      parts.push({ type: 'text', text: block.text.slice(from, from + maxPartLength), continues: true });
    return parts;
  });
  return Vector.from(parts);
}

function blockOf(raw: unknown, where: string): DecodedBlock {
  // The agent's image was already decoded before it was written.
  if (
    isObject(raw) &&
    raw['type'] === 'image' &&
    typeof raw['data'] === 'string' &&
    typeof raw['mimeType'] === 'string'
  )
    return {
      type: 'image',
      data: raw['data'],
      mimeType: raw['mimeType'],
      ...(typeof raw['uri'] === 'string' ? { uri: raw['uri'] } : {}),
    };
  return decodeContentBlock(raw) ?? fail(where);
}

/** The parent call, which must come before the entries of its subagent. */
function parentAt(item: JsonObject, before: Vector<Entry>, where: string): { readonly parentId?: string } {
  const { parent } = item;
  if (parent === undefined) return {};
  if (typeof parent !== 'number' || !Number.isInteger(parent) || parent < 0 || before.at(parent)?.kind !== 'toolCall')
    throw wrong(`${where}.parent`);
  return { parentId: entryIdAt(parent) };
}

function objectOf(raw: unknown, where: string): JsonObject {
  return isObject(raw) ? raw : fail(where);
}

function listAt(item: JsonObject, key: string, where: string, limit: number): readonly unknown[] {
  const value = item[key];
  return Array.isArray(value) && value.length <= limit ? value : fail(placeOf(where, key));
}

function textAt(item: JsonObject, key: string, where: string, limit = Infinity): string {
  const value = item[key];
  return typeof value === 'string' && value.length <= limit ? value : fail(placeOf(where, key));
}

function optionalText(item: JsonObject, key: string, where: string, limit = Infinity): string | undefined {
  return item[key] === undefined ? undefined : textAt(item, key, where, limit);
}

function wordAt<T extends string>(item: JsonObject, key: string, words: readonly T[], where: string): T {
  return decoded(oneOf(...words), item[key]) ?? fail(placeOf(where, key));
}

function countAt(
  item: JsonObject,
  key: 'omittedLines' | 'exitCode' | 'durationMs',
  where: string,
): { readonly [K in typeof key]?: number } {
  const value = item[key];
  if (value === undefined) return {};
  // Windows has exit codes below 0.
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || (value < 0 && key !== 'exitCode'))
    throw wrong(placeOf(where, key));
  return { [key]: value };
}

function timeAt(item: JsonObject, key: string, where: string): number {
  const value = item[key];
  const time =
    typeof value === 'string' && /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(value)
      ? Date.parse(value)
      : NaN;
  return Number.isNaN(time) ? fail(placeOf(where, key)) : time;
}

function placeOf(where: string, key: string): string {
  return where === '' ? key : `${where}.${key}`;
}

function wrong(where: string): ExportProblem {
  return new ExportProblem(l10n.t('The file is damaged or was changed: {0} is not valid.', where));
}

function fail(where: string): never {
  throw wrong(where);
}
