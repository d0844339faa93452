import { type DecodedBlock, decodeContentBlock } from '../decodeContent';
import {
  type FileOperation,
  fileOperations,
  decodeLocation,
  type ToolCallFields,
  type ToolContent,
  toolKinds,
} from '../decodeUpdate';
import { asObject, idOf, stringOf, usableOf, wordOf } from '../../base/decode';
import { pathOfAddress } from '../../base/fileAddress';
import { boundedDepth, isObject, type JsonObject } from '../../base/json';
import { progressOf } from '../progress';
import { parentToolCallOf } from '../quirks';
import { canCancel } from './decodeTerminal';
import { PatchParts, splitGitPatch } from './gitPatch';

type Report = (issue: string) => void;

const statuses = ['pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled'] as const;

/**
 * Reads a `ToolCallUpdate` of v2, also the one inside a permission request: absent keeps, null clears or resets to the
 * default, a value replaces (item 193). An unknown status counts as in progress, an unknown kind as other. `undefined`
 * without `toolCallId`.
 */
export function decodeToolCallV2(raw: unknown, issue: Report): ToolCallFields | undefined {
  const call = asObject(raw);
  const toolCallId = idOf(call['toolCallId']);
  if (toolCallId === undefined) return undefined;
  const fields: Record<string, unknown> = {
    toolCallId,
    title: textOrNull(call['title']),
    name: textOrNull(call['name']),
    kind: call['kind'] === null ? 'other' : known(call['kind'], toolKinds, 'other', issue, 'kind'),
    status:
      call['status'] === null
        ? 'pending'
        : known(progressOf(call['status']) ?? call['status'], statuses, 'in_progress', issue, 'status'),
    content:
      call['content'] === null
        ? []
        : usableOf((item) => toolContentV2(item, issue), issue, 'content')(call['content'])?.flat(),
    locations: call['locations'] === null ? [] : usableOf(decodeLocation, issue, 'locations')(call['locations']),
    rawInput: boundedDepth(call['rawInput']),
    rawOutput: boundedDepth(call['rawOutput']),
    canCancel: 'capabilities' in call ? canCancel(call['capabilities']) : undefined,
    parentToolCallId: parentToolCallOf(call['_meta']),
    meta: isObject(call['_meta']) ? call['_meta'] : undefined,
  };
  for (const key of Object.keys(fields)) if (fields[key] === undefined) delete fields[key];
  return fields as unknown as ToolCallFields;
}

/**
 * Reads one `ToolCallContent` of v2; a diff gives one item for each file. Kinds of a later version are shown by their
 * name.
 */
export function toolContentV2(raw: unknown, issue: Report): readonly ToolContent[] | undefined {
  const item = asObject(raw);
  const type = stringOf(item['type']);
  switch (type) {
    case undefined:
      return undefined;
    case 'content': {
      const content = decodeContentBlock(item['content']);
      return content && [{ type, content }];
    }
    case 'diff':
      return decodeDiff(item, issue);
    case 'terminal': {
      const terminalId = stringOf(item['terminalId']);
      return terminalId === undefined ? undefined : [{ type, terminalId }];
    }
    default:
      return [{ type: 'content', content: { type: 'unknown', kind: type } satisfies DecodedBlock }];
  }
}

/** The structured changes name the affected files; the patch, if present, has their lines (item 200). */
function decodeDiff(item: JsonObject, issue: Report): readonly ToolContent[] | undefined {
  const changes = item['changes'];
  if (!Array.isArray(changes)) return undefined;
  const patch = asObject(item['patch']);
  const text = stringOf(patch['text']);
  if (text !== undefined && patch['format'] !== 'git_patch')
    issue(`a patch in the format ${JSON.stringify(patch['format'])} is not shown`);
  const parts = new PatchParts(text !== undefined && patch['format'] === 'git_patch' ? splitGitPatch(text) : []);
  return usableOf(
    (raw) => decodeChange(raw, (path, oldPath) => parts.of(path, oldPath, changes.length === 1)),
    issue,
    'changes',
  )(changes);
}

function decodeChange(
  raw: unknown,
  textOf: (path: string, oldPath: string | undefined) => string | undefined,
): ToolContent | undefined {
  const change = asObject(raw);
  const path = stringOf(change['path']);
  const operation = stringOf(change['operation']);
  if (path === undefined || path === '' || operation === undefined) return undefined;
  const oldPath = stringOf(change['oldPath']);
  const patch = textOf(path, oldPath);
  const known: FileOperation = wordOf(fileOperations, operation) ?? 'other';
  return {
    type: 'fileChange',
    operation: known,
    path: pathOfAddress(path),
    ...(oldPath === undefined ? {} : { oldPath: pathOfAddress(oldPath) }),
    ...(patch === undefined ? {} : { patch }),
  };
}

function textOrNull(value: unknown): string | null | undefined {
  return value === null ? null : stringOf(value);
}

/**
 * Reads a word of an open set. An unknown word is reported and replaced by the given one; an absent one stays absent.
 */
function known<T extends string, F extends string>(
  value: unknown,
  words: readonly T[],
  otherwise: F,
  issue: Report,
  what: string,
): T | F | undefined {
  const word = stringOf(value);
  if (word === undefined) return undefined;
  const found = wordOf(words, word);
  if (found === undefined) issue(`the ${what} ${JSON.stringify(word)} is not known and is taken for ${otherwise}`);
  return found ?? otherwise;
}
