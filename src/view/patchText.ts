import * as l10n from '@vscode/l10n';
import type { DiffView, HunkView } from '../protocol/diffView';
import { isObject } from '../base/json';
import { HunkLines } from '../base/hunkLines';
import type { ToolCall } from '../thread/thread';
import { labelOfPath, resolvePath } from './labels';

/** Lines of hunks that a card carries; the diff editor shows the rest. */
export const maxDiffLines = 400;

/** Longer texts are not looked through. */
const maxText = 500_000;
const maxFiles = 50;
const patchMark = /@@ |\*\*\* Begin Patch/;

/** One file of a patch. A hunk without line numbers has 0. */
interface PatchFile {
  readonly path: string;
  readonly isNew: boolean;
  readonly remark?: string;
  readonly hunks: readonly HunkView[];
}

/** An unfinished hunk. */
type OpenHunk = HunkView & { readonly lines: string[] };

/**
 * The changes of a patch that an agent gives to a tool of its own, as a text or in a field: `*** Begin Patch` or a
 * unified diff. The tool may do something else.
 * @param starts known first lines of hunks, see `patchLines`
 */
export function patchDiffs(rawInput: unknown, cwd: string, starts: ToolCall['patchLines'] = []): DiffView[] {
  const files = patchFiles(rawInput).map((file, i) => ({
    ...file,
    hunks: file.hunks.map((hunk, j) => numbered(hunk, starts[i]?.[j])),
  }));
  return files.map((file) => ({ ...diffViewOf(file, cwd, 'nothing'), isFromInput: true }));
}

function numbered(hunk: HunkView, start: readonly [before: number, after: number] | undefined): HunkView {
  return start === undefined ? hunk : { ...hunk, oldStart: start[0], newStart: start[1] };
}

/** The files of the first patch in raw input. */
export function patchFiles(rawInput: unknown): PatchFile[] {
  return firstPatch(rawInput)?.files ?? [];
}

/** The first patch in raw input, if `patchDiffs` draws all of its lines. */
export function drawnPatch(rawInput: unknown): string | undefined {
  const text = firstPatch(rawInput)?.text;
  return text !== undefined && isWhole(text) ? text : undefined;
}

/** True if raw input may contain a patch. Looks only for the marks of one, because most has none. */
export function mayHavePatch(rawInput: unknown): boolean {
  return textsIn(rawInput).some((text) => patchMark.test(text));
}

function textsIn(rawInput: unknown): string[] {
  const fields = isObject(rawInput) ? Object.values(rawInput) : [rawInput];
  return fields.filter((text): text is string => typeof text === 'string' && text.length <= maxText);
}

function firstPatch(rawInput: unknown): { readonly text: string; readonly files: PatchFile[] } | undefined {
  for (const text of textsIn(rawInput)) {
    const files = parsePatch(text);
    if (files.length > 0) return { text, files };
  }
  return undefined;
}

/** True if a text is a patch from its first line to its last, all of whose lines are drawn. */
function isWhole(text: string): boolean {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
  if (lines[0] !== '*** Begin Patch' || lines.at(-1) !== '*** End Patch') return false;
  const files = parsePatch(text);
  const drawn = files.reduce((sum, { hunks }) => sum + hunks.reduce((all, hunk) => all + hunk.lines.length, 0), 0);
  const heads = lines.filter((line) =>
    /^(?:\*\*\* (?:Begin Patch|End Patch|(?:Add|Update|Delete) File: .+)|@@)/.test(line),
  ).length;
  return files.length > 0 && files.length < maxFiles && drawn < maxDiffLines && drawn + heads === lines.length;
}

/** The files of a patch; none if the text is no patch. */
function parsePatch(text: string): PatchFile[] {
  if (!patchMark.test(text)) return [];
  // Some agents send the text with its line breaks written out.
  const lines = (
    text.includes('\n') ? text : text.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\\"/g, '"')
  ).split('\n');
  const isOwn = lines.some((line) => line.trimEnd() === '*** Begin Patch');
  if (
    !isOwn &&
    !lines.some(
      (line, i) => line.startsWith('--- ') && lines[i + 1]?.startsWith('+++ ') && lines[i + 2]?.startsWith('@@ '),
    )
  )
    return [];
  return (isOwn ? ownFormat(lines) : unified(lines))
    .filter(({ hunks, remark }) => hunks.length > 0 || remark !== undefined)
    .slice(0, maxFiles);
}

/** Its hunks have no line numbers, so they are 0. */
function ownFormat(lines: readonly string[]): PatchFile[] {
  const files: { path: string; isNew: boolean; remark?: string; hunks: HunkView[] }[] = [];
  let body: string[] = [];
  let blanks = 0;
  const close = () => {
    const file = files.at(-1);
    // An empty line at the end of a hunk is not a line of the file.
    while (blanks > 0 && body.length > 0) {
      body.pop();
      blanks--;
    }
    blanks = 0;
    if (file && body.length > 0) file.hunks.push({ oldStart: 0, newStart: file.isNew ? 1 : 0, lines: body });
    body = [];
  };
  for (const line of lines) {
    // The following lines belong to no file.
    if (line.trimEnd() === '*** End Patch') break;
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trimEnd());
    if (head) {
      close();
      files.push({
        path: head[2]!,
        isNew: head[1] === 'Add',
        hunks: [],
        ...(head[1] === 'Delete' ? { remark: l10n.t('Deleted') } : {}),
      });
    } else if (line.startsWith('*** ') || line.startsWith('@@')) close();
    else if (files.length > 0) {
      const added = lineOf(line);
      if (added !== undefined) body.push(added);
      blanks = line.trimEnd() === '' && !line.startsWith(' ') ? blanks + 1 : 0;
    }
  }
  close();
  return files;
}

function unified(lines: readonly string[]): PatchFile[] {
  const files: (PatchFile & { readonly hunks: OpenHunk[] })[] = [];
  const hunk = new HunkLines();
  let from = '';
  for (const line of lines) {
    if (hunk.isOpen || (files.length > 0 && line.startsWith('@@'))) {
      readHunk(line, hunk, files.at(-1)?.hunks ?? []);
      from = '';
      continue;
    }
    if (line.startsWith('+++ ') && from.startsWith('--- ')) {
      const isDeleted = pathOf(line) === '/dev/null';
      files.push({
        path: pathOf(isDeleted ? from : line),
        isNew: pathOf(from) === '/dev/null',
        hunks: [],
        ...(isDeleted ? { remark: l10n.t('Deleted') } : {}),
      });
    }
    from = line;
  }
  return files.map((file) => ({ ...file, hunks: withLines(file.hunks) }));
}

/** The hunks of a unified diff of one file. Other lines are skipped. */
export function hunksOf(patch: string): HunkView[] {
  const hunks: OpenHunk[] = [];
  const hunk = new HunkLines();
  for (const line of patch.split('\n')) readHunk(line, hunk, hunks);
  return withLines(hunks);
}

function withLines(hunks: readonly HunkView[]): HunkView[] {
  return hunks.filter(({ lines }) => lines.length > 0);
}

function readHunk(line: string, hunk: HunkLines, hunks: OpenHunk[]): void {
  if (hunk.isOpen) {
    hunk.take(line);
    const content = lineOf(line);
    if (content !== undefined) hunks.at(-1)?.lines.push(content);
  } else if (hunk.begin(line)) hunks.push({ oldStart: hunk.next.old, newStart: hunk.next.new, lines: [] });
}

/** As in `HunkView.lines`; undefined for a remark. */
function lineOf(line: string): string | undefined {
  if (line.startsWith('\\')) return undefined;
  const text = line.replace(/\r$/, '');
  return /^[ +-]/.test(text) ? text : ` ${text}`;
}

function pathOf(header: string): string {
  return header
    .slice(4)
    .split('\t', 1)[0]!
    .trim()
    .replace(/^[ab]\//, '');
}

/** The view of one file of a patch. @param cwd the session's folder, "" when there is none */
export function diffViewOf(
  { path: written, isNew, remark, hunks }: PatchFile,
  cwd: string,
  opens: DiffView['opens'],
): DiffView {
  const path = resolvePath(written, cwd);
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  let room = maxDiffLines;
  const shown = hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, room));
    room -= hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
  return {
    type: 'diff',
    path,
    label: labelOfPath(path, cwd),
    isNew,
    added: count('+'),
    removed: count('-'),
    hunks: shown,
    truncated: room < 0,
    ...(remark === undefined ? {} : { remark }),
    opens,
  };
}
