import type { ToolCallFields } from '../acp/decodeUpdate';
import { asObject, stringOf } from '../acp/json';
import { inputValues } from './inputValues';

/** A command as a call spells it: a line for a shell, or a program with its arguments. */
export interface CommandLine {
  readonly text: string;
  /** Present where the agent names the words itself and no shell reads them. */
  readonly argv?: readonly string[];
}

/** What a permission is asked for, as far as the call and the question say so. */
export interface PermissionSubject {
  readonly kind: NonNullable<ToolCallFields['kind']>;
  readonly command?: CommandLine;
  /** The title, where the call runs a command and says it nowhere else: a hint and nothing to decide by. */
  readonly commandHint?: string;
  /** Folder of the command, as the agent spells it. */
  readonly cwd?: string;
  /** Files that it names, as the agent spells them. */
  readonly paths: readonly string[];
  /** What else in its input can only be a path. */
  readonly mentioned: readonly string[];
  /** What may be one. */
  readonly names: readonly string[];
  /** Why only the person may allow it, whatever it names. */
  readonly doubt?: string;
  readonly deletes: boolean;
  readonly url?: string;
  /** Text that would be written and did not stand there before. */
  readonly writes: readonly string[];
  /** Call and question say different things; which of them the agent will do nobody knows. */
  readonly contradictory: boolean;
}

type Fields = Pick<ToolCallFields, 'title' | 'kind' | 'content' | 'locations' | 'rawInput'>;

/**
 * Gathers what is asked from the question's own fields and from what is known of its call.
 * @param command what the question itself names (v2).
 */
export function subjectOf(question: Fields, call: Fields | undefined, command?: { readonly text: string; readonly cwd?: string }): PermissionSubject {
  const sources = [question, ...(call ? [call] : [])];
  const commands = [...(command ? [{ text: command.text }] : []), ...sources.flatMap(({ rawInput }) => commandLineOf(rawInput) ?? [])];
  const folders = [command?.cwd, ...sources.map(({ rawInput }) => folderOf(rawInput))].filter((cwd) => cwd !== undefined);
  const kind = question.kind ?? call?.kind ?? 'other';
  const contents = sources.flatMap(({ content }) => content ?? []);
  const url = sources.map(({ rawInput }) => stringOf(asObject(rawInput)['url']) ?? stringOf(asObject(rawInput)['uri'])).find((value) => value !== undefined && /^https?:/i.test(value));
  const title = question.title ?? call?.title ?? '';
  const paths = [...new Set([...sources.flatMap(({ locations }) => (locations ?? []).map(({ path }) => path)), ...contents.flatMap(pathsIn), ...sources.flatMap(({ rawInput }) => inputPaths(rawInput))])];
  const values = sources.map(({ rawInput }) => inputValues(rawInput, kind, commandLineOf(rawInput) !== undefined));
  const doubt = values.find((item) => item.doubt !== undefined)?.doubt;
  return {
    kind,
    ...(commands[0] ? { command: commands[0] } : kind === 'execute' && title !== '' ? { commandHint: title } : {}),
    ...(folders[0] === undefined ? {} : { cwd: folders[0] }),
    paths,
    mentioned: [...new Set(values.flatMap((item) => item.paths))].filter((path) => !paths.includes(path) && path !== folders[0]),
    names: [...new Set(values.flatMap((item) => item.names))].filter((name) => !paths.includes(name) && name !== folders[0]),
    ...(doubt === undefined ? {} : { doubt }),
    deletes: kind === 'delete' || contents.some((item) => item.type === 'fileChange' && item.operation === 'delete'),
    ...(url === undefined ? {} : { url }),
    writes: contents.flatMap((item) => (item.type === 'diff' ? [addedText(item.oldText, item.newText)] : item.type === 'fileChange' && item.patch !== undefined ? [item.patch] : [])),
    contradictory: new Set(commands.map(({ text }) => text.trim())).size > 1 || new Set(folders).size > 1 || (question.kind !== undefined && call?.kind !== undefined && call.kind !== 'other' && question.kind !== call.kind),
  };
}

/** The shell command, where the raw input says one; the field's name differs from agent to agent. */
export function commandLineOf(rawInput: unknown): CommandLine | undefined {
  const input = asObject(rawInput);
  const command = input['command'] ?? input['cmd'];
  if (typeof command === 'string') return command.trim() === '' ? undefined : withArguments(command, input['args']);
  if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string')) return argumentsLine(command as string[]);
  return undefined;
}

function withArguments(command: string, args: unknown): CommandLine {
  return Array.isArray(args) && args.length > 0 && args.every((word) => typeof word === 'string') ? argumentsLine([command, ...(args as string[])]) : { text: command };
}

/** `["bash", "-lc", script]` is how agents wrap a line for the shell; a person wants to read the line. */
function argumentsLine(words: readonly string[]): CommandLine {
  if (words.length === 3 && /(^|[\\/])(ba|z|da)?sh$/.test(words[0]!) && /^-l?c$/.test(words[1]!)) return { text: words[2]! };
  return { text: words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' '), argv: words };
}

function folderOf(rawInput: unknown): string | undefined {
  const input = asObject(rawInput);
  const folder = stringOf(input['cwd']) ?? stringOf(input['workdir']) ?? stringOf(input['working_directory']) ?? stringOf(input['directory']);
  return folder === '' ? undefined : folder;
}

function inputPaths(rawInput: unknown): string[] {
  const input = asObject(rawInput);
  return ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'].flatMap((key) => stringOf(input[key]) || []);
}

function pathsIn(item: NonNullable<ToolCallFields['content']>[number]): string[] {
  if (item.type === 'diff') return [item.path];
  if (item.type === 'fileChange') return [item.path, ...(item.oldPath === undefined ? [] : [item.oldPath])];
  return [];
}

/** The lines that are new in a text; `null` or nothing before: all of them. */
function addedText(before: string | null | undefined, after: string): string {
  const known = new Set((before ?? '').split('\n'));
  return after.split('\n').filter((line) => !known.has(line)).join('\n');
}
