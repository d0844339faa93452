import * as l10n from '@vscode/l10n';
import { asObject, isObject, sameJson } from '../acp/json';
import type { ToolContent } from '../acp/decodeUpdate';
import { commandKeys } from './commandLine';
import type { SubjectPart } from './subject';

/** Something that the tool call said before and the request says otherwise. */
export interface Contradiction {
  readonly about: 'command' | 'folder' | 'kind' | 'address' | 'changes' | 'files' | 'input' | 'title';
  /** What the tool call said, for reading: for `changes` the files that it changed otherwise. Bounded. */
  readonly earlier: string;
}

/** Characters of the earlier text that are shown. */
const maxEarlier = 2_000;

/** Fields of a raw input that are compared for what they mean, not as they are. */
const readFields = /^(cwd|workdir|working_directory|directory|url|uri)$/;

/**
 * Where a request contradicts what its tool call said before. What only one of both says is no contradiction: requests
 * often repeat a part of their call.
 */
export function contradictionsOf(request: SubjectPart, call: SubjectPart): Contradiction[] {
  const found: Contradiction[] = [];
  const add = (about: Contradiction['about'], earlier: string) => found.push({ about, earlier: earlier.length > maxEarlier ? l10n.t('{0}… ({1} more characters)', earlier.slice(0, maxEarlier), earlier.length - maxEarlier) : earlier });
  const differs = (now: string | undefined, before: string | undefined): before is string => now !== undefined && before !== undefined && now.trim() !== before.trim();
  if (differs(request.command?.text, call.command?.text)) add('command', call.command!.text);
  if (differs(request.cwd, call.cwd)) add('folder', call.cwd);
  if (differs(request.url, call.url)) add('address', call.url);
  // `other` says nothing: many agents begin with it.
  if (differs(request.kind, call.kind) && call.kind !== 'other') add('kind', call.kind!);
  const changes = call.content.filter(isChange).filter((change) => !request.content.some((item) => sameJson(item, change)));
  if (request.content.some(isChange) && changes.length > 0) add('changes', listed(changes.map(({ path }) => path)));
  else if (request.paths.length > 0 && call.paths.some((path) => !request.paths.some((other) => isSamePath(path, other)))) add('files', listed(call.paths));
  const input = otherInput(request.rawInput, call.rawInput);
  if (found.length === 0 && input !== undefined) add('input', input);
  if (found.length === 0 && isBare(request) && isBare(call) && differs(request.title, call.title)) add('title', call.title);
  return found;
}

/** A relative path may be the absolute one; where it is not, the risks of both are told. */
function isSamePath(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `/${path.replaceAll('\\', '/').replace(/^(\.?\/)+/, '')}`) as [string, string];
  return one.endsWith(other) || other.endsWith(one);
}

type Change = Extract<ToolContent, { path: string }>;

function isChange(item: ToolContent): item is Change {
  return item.type === 'diff' || item.type === 'fileChange';
}

/** Nothing is known of it but its title. */
function isBare({ command, url, paths, content, rawInput }: SubjectPart): boolean {
  return command === undefined && url === undefined && paths.length === 0 && content.length === 0 && rawInput === undefined;
}

/** Fields of the earlier input whose values are others now; undefined where there are none. */
function otherInput(now: unknown, before: unknown): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  if (!isObject(now) || !isObject(before)) return sameJson(now, before) ? undefined : JSON.stringify(before);
  const keys = Object.keys(before).filter((key) => Object.hasOwn(now, key) && !commandKeys.has(key) && !readFields.test(key) && !sameJson(now[key], before[key]));
  return keys.length === 0 ? undefined : keys.map((key) => `${key}: ${JSON.stringify(asObject(before)[key])}`).join(', ');
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
