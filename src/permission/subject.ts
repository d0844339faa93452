import type { PermissionChoice } from '../acp/decodeRequest';
import { defaultTitle } from '../acp/defaultTitles';
import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import { asObject, stringOf } from '../base/decode';
import { pathOfAddress } from '../base/fileAddress';
import { sameJson } from '../base/json';
import { editorCallOf, editorCallWords } from '../editor/editorCall';
import { type CommandLine, commandLineOf, folderOf, furtherFields, type InputField } from './commandLine';
import { type Contradiction, contradictionsOf } from './contradictions';
import { doubtOfPath, inputValues } from './inputValues';

/** The fields of a tool call that matter for a permission. */
export type SubjectFields = Pick<ToolCallFields, 'title' | 'kind' | 'content' | 'locations' | 'rawInput'>;

/** A request's own words, apart from those of its call (v2). */
export interface RequestWords {
  readonly title?: string;
  readonly description?: string;
  readonly command?: { readonly text: string; readonly cwd?: string; readonly further?: readonly InputField[] };
}

/** The fields of one source: the request or its call. */
export interface SubjectPart {
  readonly title?: string;
  readonly kind?: NonNullable<ToolCallFields['kind']>;
  readonly command?: CommandLine;
  /** Folder of the command, in the agent's spelling. */
  readonly cwd?: string;
  readonly url?: string;
  readonly content: readonly ToolContent[];
  readonly locations: NonNullable<ToolCallFields['locations']>;
  readonly rawInput?: unknown;
  /** Named files, in the agent's spelling. */
  readonly paths: readonly string[];
}

/**
 * The subject of a permission request, as one frozen value. The card, the risks, the rules, the keys, notifications and
 * the history use only this value, so they cannot disagree. Another subject is a new request to the user.
 */
export interface PermissionSubject extends SubjectPart {
  /** In the request's words if it has some, else the call's. */
  readonly title: string;
  /** The agent's reason, in its words (v2). */
  readonly description?: string;
  readonly kind: NonNullable<ToolCallFields['kind']>;
  /** The title, if the call runs a command and does not state it elsewhere: a hint, not a basis for decisions. */
  readonly commandHint?: string;
  readonly options: readonly PermissionChoice[];
  /** Values that the tool call gave differently before. It is unknown which of the two the agent will use. */
  readonly contradictions: readonly Contradiction[];
  /** Other values of the input that can only be paths. */
  readonly mentioned: readonly string[];
  /** Values that may be paths. */
  readonly names: readonly string[];
  /** Why only the user may allow it, independent of its files. */
  readonly doubt?: string;
  /** Further fields of a command's input, which may change what runs, or where. */
  readonly further: readonly InputField[];
  readonly deletes: boolean;
  /** New text that would be written. */
  readonly writes: readonly string[];
  /** The two sources. A field of the request wins over the same field of the call. */
  readonly sources: { readonly request: SubjectFields; readonly call?: SubjectFields; readonly words: RequestWords };
}

/**
 * Makes the subject of a request. The request's values override the call's; a blank title, input or list does not
 * count.
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
  const isEditorCall = !command && editorCallOf(title, rawInput, kind) !== undefined;
  const paths = [...new Set([...asked.paths, ...(known?.paths ?? [])])];
  const values = sources.map((source) =>
    inputValues(source.rawInput, kind, commandLineOf(source.rawInput, kind) !== undefined),
  );
  const doubt =
    sources
      .flatMap(({ rawInput: input }) => [commandLineOf(input, kind)?.doubt, folderOf(input)?.doubt])
      .find((found) => found !== undefined) ??
    [...values.map((item) => item.doubt), ...paths.map(doubtOfPath)].find((found) => found !== undefined);
  const [said = [], knownFields = []] = sources.map(({ rawInput: input }) =>
    kind === 'execute' || words.command || commandLineOf(input, kind) ? furtherFields(input, kind) : [],
  );
  const contents = sources.flatMap(({ content }) => content ?? []);
  const told = new Set([...paths, cwd]);
  return Object.freeze({
    title,
    ...(words.description === undefined ? {} : { description: words.description }),
    kind,
    ...(command ? { command } : kind === 'execute' && hint !== '' && !isEditorCall ? { commandHint: hint } : {}),
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
    further: isEditorCall ? [] : withOthers([...(words.command?.further ?? []), ...said], knownFields),
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

/** The subject after an update of its call; undefined if the update changes nothing that a permission depends on. */
export function changedSubject(subject: PermissionSubject, update: SubjectFields): PermissionSubject | undefined {
  const { request, call, words } = subject.sources;
  const next = subjectOf({ ...request, ...saidBy(update) }, call, words, subject.options);
  return isSameSubject(subject, next) ? undefined : next;
}

/** True if both subjects are the same in everything that matters. */
export function isSameSubject(
  { sources: _a, ...a }: PermissionSubject,
  { sources: _b, ...b }: PermissionSubject,
): boolean {
  return sameJson(a, b);
}

/** The most characters of a title in which files are searched, and the most files that a text names. */
const maxTitle = 2_000;
const maxPaths = 1_000;

/**
 * The subject as one text: the command, or else the title, with the address and the files that it does not mention.
 * @param labelOf spells a path for the reader.
 */
export function subjectText(
  { command, url, title, kind, paths, rawInput }: PermissionSubject,
  labelOf: (path: string) => string = (path) => path,
): string {
  if (command) return command.text;
  const editorCall = editorCallOf(title, rawInput, kind);
  const words = editorCall ? editorCallWords(editorCall) : title;
  const begin = words.slice(0, maxTitle);
  const files = paths
    .slice(0, maxPaths)
    .filter((path) => !begin.includes(path))
    .map(labelOf)
    .filter((label) => !begin.includes(label));
  if (paths.length > maxPaths) files.push('…');
  return [
    words,
    ...(url !== undefined && !begin.includes(url) ? [url] : []),
    ...(files.length > 0 ? [files.join(', ')] : []),
  ].join(': ');
}

/** The fields that have a value. */
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

/** The fields of the request, and different values of its call. */
function withOthers(said: readonly InputField[], known: readonly InputField[]): readonly InputField[] {
  const values = new Map(said.map(({ name, value }) => [name, value]));
  return [...said, ...known.filter(({ name, value }) => !values.has(name) || !sameJson(values.get(name), value))];
}

function inputPaths(rawInput: unknown): string[] {
  const input = asObject(rawInput);
  return ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'].flatMap(
    (key) => pathOfAddress(stringOf(input[key]) ?? '') || [],
  );
}

function pathsIn(item: ToolContent): string[] {
  if (item.type === 'diff') return [item.path];
  if (item.type === 'fileChange') return [item.path, ...(item.oldPath === undefined ? [] : [item.oldPath])];
  return [];
}

/** The new lines of a text; all of them if `before` is null or absent. */
function addedText(before: string | null | undefined, after: string): string {
  const known = new Set((before ?? '').split('\n'));
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}
