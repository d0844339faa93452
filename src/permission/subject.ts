import type { PermissionChoice } from '../acp/decodeRequest';
import { defaultTitle } from '../acp/defaultTitles';
import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import { asObject, stringOf } from '../base/decode';
import { sameJson } from '../base/json';
import { type CommandLine, commandLineOf, folderOf, furtherFields, type InputField } from './commandLine';
import { type Contradiction, contradictionsOf } from './contradictions';
import { inputValues } from './inputValues';

/** What an agent says of a tool call, as far as a permission depends on it. */
export type SubjectFields = Pick<ToolCallFields, 'title' | 'kind' | 'content' | 'locations' | 'rawInput'>;

/** A request's own words, apart from those of its call (v2). */
export interface RequestWords {
  readonly title?: string;
  readonly description?: string;
  readonly command?: { readonly text: string; readonly cwd?: string; readonly further?: readonly InputField[] };
}

/** What one source, the request or its call, says. */
export interface SubjectPart {
  readonly title?: string;
  readonly kind?: NonNullable<ToolCallFields['kind']>;
  readonly command?: CommandLine;
  /** Folder of the command, as the agent spells it. */
  readonly cwd?: string;
  readonly url?: string;
  readonly content: readonly ToolContent[];
  readonly locations: NonNullable<ToolCallFields['locations']>;
  readonly rawInput?: unknown;
  /** Files that it names, as the agent spells them. */
  readonly paths: readonly string[];
}

/**
 * What a permission is asked for, as one frozen value. The card, the risks, the rules, the keys, notifications and the
 * history draw from it and from nothing else, so they cannot disagree. Another subject is another request to the user.
 */
export interface PermissionSubject extends SubjectPart {
  /** In the request's words where it has some, else the call's. */
  readonly title: string;
  /** Why the agent asks, in its words (v2). */
  readonly description?: string;
  readonly kind: NonNullable<ToolCallFields['kind']>;
  /** The title, where the call runs a command and says it nowhere else: a hint and nothing to decide by. */
  readonly commandHint?: string;
  readonly options: readonly PermissionChoice[];
  /** Where the tool call said something else before. Which of both the agent will do nobody knows. */
  readonly contradictions: readonly Contradiction[];
  /** What else in the input can only be a path. */
  readonly mentioned: readonly string[];
  /** What may be one. */
  readonly names: readonly string[];
  /** Why only the user may allow it, whatever it names. */
  readonly doubt?: string;
  /** What a command's input says besides the command: it may change what runs, or where. */
  readonly further: readonly InputField[];
  readonly deletes: boolean;
  /** Text that would be written and was not there before. */
  readonly writes: readonly string[];
  /** Who said what. A field of the request counts, one that it leaves out is taken from the call. */
  readonly sources: { readonly request: SubjectFields; readonly call?: SubjectFields; readonly words: RequestWords };
}

/**
 * Makes the subject of a request. What the request says overrides what its call said before; a blank title, input or
 * list says nothing.
 * @param request the tool call inside the request.
 * @param call the tool call as it was known when the request came.
 */
export function subjectOf(
  request: SubjectFields,
  call?: SubjectFields,
  words: RequestWords = {},
  options: readonly PermissionChoice[] = [],
): PermissionSubject {
  const kind = request.kind ?? call?.kind ?? (words.command ? 'execute' : 'other');
  const asked = partOf(request, kind, words);
  const known = call && partOf(call, kind, {});
  const sources = [request, ...(call ? [call] : [])];
  const titleOfCall = asked.title ?? known?.title;
  const title = (words.title || titleOfCall) ?? defaultTitle(kind);
  const hint = titleOfCall ?? words.title ?? '';
  const command = asked.command ?? known?.command;
  const cwd = asked.cwd ?? known?.cwd;
  const url = asked.url ?? known?.url;
  const rawInput = asked.rawInput ?? known?.rawInput;
  const paths = [...new Set([...asked.paths, ...(known?.paths ?? [])])];
  const values = sources.map((source) =>
    inputValues(source.rawInput, kind, commandLineOf(source.rawInput, kind) !== undefined),
  );
  const doubt =
    sources
      .flatMap(({ rawInput: input }) => [commandLineOf(input, kind)?.doubt, folderOf(input)?.doubt])
      .find((found) => found !== undefined) ?? values.find((item) => item.doubt !== undefined)?.doubt;
  const [said = [], knownFields = []] = sources.map(({ rawInput: input }) =>
    kind === 'execute' || words.command || commandLineOf(input, kind) ? furtherFields(input, kind) : [],
  );
  const contents = sources.flatMap(({ content }) => content ?? []);
  const told = new Set([...paths, cwd]);
  return Object.freeze({
    title,
    ...(words.description === undefined ? {} : { description: words.description }),
    kind,
    ...(command ? { command } : kind === 'execute' && hint !== '' ? { commandHint: hint } : {}),
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined ? {} : { url }),
    content: asked.content.length > 0 ? asked.content : (known?.content ?? []),
    locations: asked.locations.length > 0 ? asked.locations : (known?.locations ?? []),
    ...(rawInput === undefined ? {} : { rawInput }),
    options,
    contradictions: [...(words.command ? [partOf(request, kind, {})] : []), ...(known ? [known] : [])].flatMap(
      (other) => contradictionsOf(asked, other),
    ),
    paths,
    mentioned: [...new Set(values.flatMap((item) => item.paths))].filter((path) => !told.has(path)),
    names: [...new Set(values.flatMap((item) => item.names))].filter((name) => !told.has(name)),
    ...(doubt === undefined ? {} : { doubt }),
    further: withOthers([...(words.command?.further ?? []), ...said], knownFields),
    deletes: kind === 'delete' || contents.some((item) => item.type === 'fileChange' && item.operation === 'delete'),
    writes: contents.flatMap((item) =>
      item.type === 'diff'
        ? [addedText(item.oldText, item.newText)]
        : item.type === 'fileChange' && item.patch !== undefined
          ? [item.patch]
          : [],
    ),
    sources: { request, ...(call ? { call } : {}), words },
  } satisfies PermissionSubject);
}

/** The subject after an update of its call; undefined where the update says nothing that a permission depends on. */
export function changedSubject(subject: PermissionSubject, update: SubjectFields): PermissionSubject | undefined {
  const { request, call, words } = subject.sources;
  const next = subjectOf({ ...request, ...saidBy(update) }, call, words, subject.options);
  return isSameSubject(subject, next) ? undefined : next;
}

/** Whether both ask for the same, as far as anything depends on it. */
export function isSameSubject(
  { sources: _a, ...a }: PermissionSubject,
  { sources: _b, ...b }: PermissionSubject,
): boolean {
  return sameJson(a, b);
}

/** Characters of a title in which the files are looked for, and how many files a text names. */
const maxTitle = 2_000;
const maxPaths = 1_000;

/**
 * What is asked in one text: the command, or else the title with the address and the files that it leaves out.
 * @param labelOf says a path as its reader would.
 */
export function subjectText(
  { command, url, title, paths }: PermissionSubject,
  labelOf: (path: string) => string = (path) => path,
): string {
  if (command) return command.text;
  const begin = title.slice(0, maxTitle);
  const files = paths
    .slice(0, maxPaths)
    .filter((path) => !begin.includes(path))
    .map(labelOf)
    .filter((label) => !begin.includes(label));
  if (paths.length > maxPaths) files.push('…');
  return [
    title,
    ...(url !== undefined && !begin.includes(url) ? [url] : []),
    ...(files.length > 0 ? [files.join(', ')] : []),
  ].join(': ');
}

/** The fields that say something. */
export function saidBy({ title, kind, content, locations, rawInput }: SubjectFields): SubjectFields {
  return {
    ...(title ? { title } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(content === undefined || content.length === 0 ? {} : { content }),
    ...(locations === undefined || locations.length === 0 ? {} : { locations }),
    ...(isBlank(rawInput) ? {} : { rawInput }),
  };
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function partOf(
  fields: SubjectFields,
  kindOfAll: NonNullable<ToolCallFields['kind']>,
  words: RequestWords,
): SubjectPart {
  const { title, kind, content = [], locations = [], rawInput } = saidBy(fields);
  const command: CommandLine | undefined = words.command ?? commandLineOf(rawInput, kindOfAll);
  const cwd = words.command?.cwd ?? folderOf(rawInput)?.path;
  const url = [asObject(rawInput)['url'], asObject(rawInput)['uri']]
    .map(stringOf)
    .find((value) => value !== undefined && /^https?:/i.test(value));
  return {
    ...(title ? { title } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(command
      ? {
          command: {
            text: command.text,
            ...(command.argv ? { argv: command.argv } : {}),
            ...(command.isScript ? { isScript: true } : {}),
          },
        }
      : {}),
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined ? {} : { url }),
    content,
    locations,
    ...(rawInput === undefined ? {} : { rawInput }),
    paths: [...new Set([...locations.map(({ path }) => path), ...content.flatMap(pathsIn), ...inputPaths(rawInput)])],
  };
}

/** The fields of the request, and those of its call that say something else. */
function withOthers(said: readonly InputField[], known: readonly InputField[]): readonly InputField[] {
  const values = new Map(said.map(({ name, value }) => [name, value]));
  return [...said, ...known.filter(({ name, value }) => !values.has(name) || !sameJson(values.get(name), value))];
}

function inputPaths(rawInput: unknown): string[] {
  const input = asObject(rawInput);
  return ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'].flatMap(
    (key) => stringOf(input[key]) || [],
  );
}

function pathsIn(item: ToolContent): string[] {
  if (item.type === 'diff') return [item.path];
  if (item.type === 'fileChange') return [item.path, ...(item.oldPath === undefined ? [] : [item.oldPath])];
  return [];
}

/** The lines that are new in a text; `null` or nothing before: all of them. */
function addedText(before: string | null | undefined, after: string): string {
  const known = new Set((before ?? '').split('\n'));
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}
