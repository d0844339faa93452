import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import { isObject } from '../acp/json';

/** Words of a command that are looked at as file names; a longer line names more files than anyone reviews. */
const MAX_WORDS = 60;
/** Names of inputs in which the agents that we know give a path. */
const PATH_INPUTS = ['file_path', 'filePath', 'filepath', 'path', 'abs_path', 'notebook_path'] as const;

type ToolDiff = Extract<ToolContent, { type: 'diff' }>;

interface CallFiles {
  kind: NonNullable<ToolCallFields['kind']>;
  /** As the agent spelled them. */
  paths: readonly string[];
  diffs: readonly ToolDiff[];
  failed: boolean;
}

/** Which files the tool calls of one turn are about, as far as the agent tells. */
export class TurnFiles {
  readonly #calls = new Map<string, CallFiles>();

  /** A call was announced, asked about or updated. @returns the paths that it names now, which may be relative. */
  take(fields: ToolCallFields): readonly string[] {
    const known = this.#calls.get(fields.toolCallId);
    const call: CallFiles = known ?? { kind: 'other', paths: [], diffs: [], failed: false };
    if (fields.kind !== undefined) call.kind = fields.kind;
    if (fields.status !== undefined) call.failed = fields.status === 'failed';
    if (fields.content !== undefined) {
      const diffs = fields.content.filter((item) => item.type === 'diff');
      // An update that only adds text says nothing against the diff that was shown before.
      if (diffs.length > 0) call.diffs = diffs;
    }
    const named = [...(fields.locations ?? []).map(({ path }) => path), ...call.diffs.map(({ path }) => path), ...inputPaths(fields.rawInput)];
    call.paths = [...new Set([...call.paths, ...named])];
    this.#calls.set(fields.toolCallId, call);
    return call.paths;
  }

  /** Whether a call that changes files by itself names this one. @param isPath tells whether a spelling of the agent means it. */
  isEdited(isPath: (spelled: string) => boolean): boolean {
    return [...this.#calls.values()].some(({ kind, paths, diffs, failed }) => !failed && (diffs.some(({ path }) => isPath(path)) || (['edit', 'delete', 'move'].includes(kind) && paths.some(isPath))));
  }

  /** Diffs of one file in the order of the calls, without those of failed ones. */
  diffsOf(isPath: (spelled: string) => boolean): ToolDiff[] {
    return [...this.#calls.values()].flatMap(({ diffs, failed }) => (failed ? [] : diffs.filter(({ path }) => isPath(path))));
  }

  get hasCommand(): boolean {
    return [...this.#calls.values()].some(({ kind }) => kind === 'execute');
  }

  /** Everything that was named, by calls that change files or show a diff. */
  get edited(): string[] {
    return [...this.#calls.values()].flatMap(namedByChange);
  }

  /** The same for one call. */
  editedBy(toolCallId: string): readonly string[] {
    const call = this.#calls.get(toolCallId);
    return call ? namedByChange(call) : [];
  }
}

function namedByChange({ kind, paths, diffs }: CallFiles): readonly string[] {
  return ['edit', 'delete', 'move'].includes(kind) ? paths : diffs.map(({ path }) => path);
}

function inputPaths(input: unknown): string[] {
  if (!isObject(input)) return [];
  const paths = PATH_INPUTS.map((key) => input[key]).filter((value) => typeof value === 'string');
  return [...paths, ...wordsOf(input['command'])];
}

/** What could be a file name in a command: enough to look whether there is such a file, not to understand the line. */
function wordsOf(command: unknown): string[] {
  const line = Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : command;
  if (typeof line !== 'string') return [];
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"'|&;<>()]+/g) ?? [];
  return words.slice(0, MAX_WORDS).map((word) => word.replaceAll(/^["']|["']$/g, '')).filter((word) => word !== '' && !word.startsWith('-') && word.length < 1_000);
}
