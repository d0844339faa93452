import * as l10n from '@vscode/l10n';
import { asObject } from '../base/decode';
import { isObject, sameJson } from '../base/json';
import type { ToolContent } from '../acp/decodeUpdate';
import { commandKeys } from './commandLine';
import type { SubjectPart } from './subject';

/** A difference between the tool call and the later request about it. */
export interface Contradiction {
  readonly about: 'command' | 'folder' | 'kind' | 'address' | 'changes' | 'files' | 'input' | 'title';
  /** The tool call's earlier value, to show; for `changes`, the files with other changes. Bounded. */
  readonly earlier: string;
}

/** The most characters of the earlier text to show. */
const maxEarlier = 2_000;

/** Fields of a raw input that are compared by meaning, not literally. */
const readFields = /^(cwd|workdir|working_directory|directory|url|uri)$/;

/**
 * Finds differences between a request and its tool call. A value in only one of them is not a contradiction: requests
 * often repeat only a part of their call.
 */
export function contradictionsOf(request: SubjectPart, call: SubjectPart): Contradiction[] {
  const found: Contradiction[] = [];
  const add = (about: Contradiction['about'], earlier: string) =>
    found.push({
      about,
      earlier:
        earlier.length > maxEarlier
          ? l10n.t('{0}… ({1} more characters)', earlier.slice(0, maxEarlier), earlier.length - maxEarlier)
          : earlier,
    });
  const differs = (now: string | undefined, before: string | undefined): before is string =>
    now !== undefined && before !== undefined && now.trim() !== before.trim();
  if (differs(request.command?.text, call.command?.text)) add('command', call.command!.text);
  if (differs(request.cwd, call.cwd)) add('folder', call.cwd);
  if (differs(request.url, call.url)) add('address', call.url);
  // Many agents begin with `other`, which means nothing.
  if (differs(request.kind, call.kind) && call.kind !== 'other') add('kind', call.kind!);
  const asked = new Set(request.content.filter(isChange).map(written));
  const changes = call.content.filter(isChange).filter((change) => !asked.has(written(change)));
  if (asked.size > 0 && changes.length > 0) add('changes', listed(changes.map(({ path }) => path)));
  else if (request.paths.length > 0 && !areSamePaths(call.paths, request.paths)) add('files', listed(call.paths));
  const input = otherInput(request.rawInput, call.rawInput);
  if (found.length === 0 && input !== undefined) add('input', input);
  if (found.length === 0 && isBare(request) && isBare(call) && differs(request.title, call.title))
    add('title', call.title);
  return found;
}

/** The most characters of paths that are compared. */
const maxCompared = 50_000_000;

/** True if both lists have the same paths. If there are too many to compare, the answer is no. */
function areSamePaths(paths: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others);
  const ends = others.map(fromRoot);
  let room = maxCompared;
  return paths.every((path) => {
    if (known.has(path)) return true;
    const end = fromRoot(path);
    return ends.some(
      (other) => (room -= Math.min(end.length, other.length)) > 0 && (end.endsWith(other) || other.endsWith(end)),
    );
  });
}

/** Treats a relative path as the absolute one; if it is not, the risks of both are shown. */
function fromRoot(path: string): string {
  return `/${path.replaceAll('\\', '/').replace(/^(\.?\/)+/, '')}`;
}

type Change = Extract<ToolContent, { path: string }>;

function isChange(item: ToolContent): item is Change {
  return item.type === 'diff' || item.type === 'fileChange';
}

/** The whole change as text, its fields in a fixed order. */
function written(change: Change): string {
  return JSON.stringify(change, ['type', 'operation', 'path', 'oldPath', 'oldText', 'newText', 'patch']);
}

/** Only its title is known. */
function isBare({ command, url, paths, content, rawInput }: SubjectPart): boolean {
  return (
    command === undefined && url === undefined && paths.length === 0 && content.length === 0 && rawInput === undefined
  );
}

/** The fields of the earlier input whose values differ now; undefined if there are none. */
function otherInput(now: unknown, before: unknown): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  if (!isObject(now) || !isObject(before)) return sameJson(now, before) ? undefined : JSON.stringify(before);
  const keys = Object.keys(before).filter(
    (key) =>
      Object.hasOwn(now, key) && !commandKeys.has(key) && !readFields.test(key) && !sameJson(now[key], before[key]),
  );
  return keys.length === 0
    ? undefined
    : keys.map((key) => `${key}: ${JSON.stringify(asObject(before)[key])}`).join(', ');
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
