import * as l10n from '@vscode/l10n';
import type { DiffView, HunkView } from '../protocol/diffView';
import { asObject, isObject } from '../acp/json';
import { labelOfPath, resolvePath } from './labels';
import { maxDiffLines } from './projectDiff';

/** Longer texts are not looked through. */
const maxText = 500_000;
const maxFiles = 50;

/** What a patch says of one file. A hunk without line numbers has 0. */
export interface PatchFile {
  readonly path: string;
  readonly isNew: boolean;
  readonly remark?: string;
  readonly hunks: HunkView[];
}

/**
 * The changes of a patch that an agent gives to a tool of its own, as a text or in a field: `*** Begin Patch` or a
 * unified diff. They are what the text says; whether the tool does it nobody knows.
 */
export function patchDiffs(rawInput: unknown, cwd: string): DiffView[] {
  return patchFiles(rawInput).map((file) => viewOf(file, cwd));
}

/** The files of the first patch in raw input. */
export function patchFiles(rawInput: unknown): PatchFile[] {
  const fields = isObject(rawInput) ? Object.values(asObject(rawInput)) : [rawInput];
  for (const field of fields) {
    if (typeof field !== 'string' || field.length > maxText) continue;
    const files = parsePatch(field);
    if (files.length > 0) return files;
  }
  return [];
}

/** The files of a patch; none where the text is no patch. */
export function parsePatch(text: string): PatchFile[] {
  if (!/@@ |\*\*\* Begin Patch/.test(text)) return [];
  // Some agents send the text with its line breaks written out.
  const lines = (text.includes('\n') ? text : text.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\\"/g, '"')).split('\n');
  const isOwn = lines.some((line) => line.trimEnd() === '*** Begin Patch');
  if (!isOwn && !lines.some((line, i) => line.startsWith('--- ') && lines[i + 1]?.startsWith('+++ ') && lines[i + 2]?.startsWith('@@ '))) return [];
  return (isOwn ? ownFormat(lines) : unified(lines)).filter(({ hunks, remark }) => hunks.length > 0 || remark !== undefined).slice(0, maxFiles);
}

/** Its hunks have no line numbers: 0 says so. */
function ownFormat(lines: readonly string[]): PatchFile[] {
  const files: { path: string; isNew: boolean; remark?: string; hunks: HunkView[] }[] = [];
  let body: string[] = [];
  const close = () => {
    const file = files.at(-1);
    if (file && body.length > 0) file.hunks.push({ oldStart: 0, newStart: file.isNew ? 1 : 0, lines: body });
    body = [];
  };
  for (const line of lines) {
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trimEnd());
    if (head) {
      close();
      files.push({ path: head[2]!, isNew: head[1] === 'Add', hunks: [], ...(head[1] === 'Delete' ? { remark: l10n.t('Deleted') } : {}) });
    } else if (line.startsWith('*** ') || line.startsWith('@@')) close();
    else if (files.length > 0) {
      const added = lineOf(line);
      if (added !== undefined) body.push(added);
    }
  }
  close();
  return files;
}

function unified(lines: readonly string[]): PatchFile[] {
  const files: PatchFile[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [from, to] = [lines[at]!, lines[at + 1] ?? ''];
    if (from.startsWith('--- ') && to.startsWith('+++ ')) {
      const path = pathOf(to) === '/dev/null' ? pathOf(from) : pathOf(to);
      files.push({ path, isNew: pathOf(from) === '/dev/null', hunks: [], ...(pathOf(to) === '/dev/null' ? { remark: l10n.t('Deleted') } : {}) });
      at++;
      continue;
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(from);
    if (!head || files.length === 0) continue;
    let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
    const body: string[] = [];
    while ((oldLeft > 0 || newLeft > 0) && at + 1 < lines.length) {
      const line = lineOf(lines[++at]!);
      if (line === undefined) break;
      if (!line.startsWith('+')) oldLeft--;
      if (!line.startsWith('-')) newLeft--;
      body.push(line);
    }
    if (body.length > 0) files.at(-1)!.hunks.push({ oldStart: Number(head[1]), newStart: Number(head[3]), lines: body });
  }
  return files;
}

/** As in `HunkView.lines`; undefined for a remark. */
function lineOf(line: string): string | undefined {
  if (line.startsWith('\\')) return undefined;
  const text = line.slice(1).replace(/\r$/, '');
  return /^[+-]/.test(line) ? `${line[0]}${text}` : ` ${text}`;
}

function pathOf(header: string): string {
  return header.slice(4).split('\t', 1)[0]!.trim().replace(/^[ab]\//, '');
}

function viewOf({ path: written, isNew, remark, hunks }: PatchFile, cwd: string): DiffView {
  const path = resolvePath(written, cwd);
  const count = (sign: string) => hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  let room = maxDiffLines;
  const shown = hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, room));
    room -= hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
  return { type: 'diff', path, label: labelOfPath(path, cwd), isNew, added: count('+'), removed: count('-'), hunks: shown, truncated: room < 0, ...(remark === undefined ? {} : { remark }), opens: 'nothing', isFromInput: true };
}
