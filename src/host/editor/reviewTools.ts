import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json';
import type { Change, Hunk } from '../../changes/hunk';
import { counted, listAnswer } from '../../editor/answers';
import { lineOf, pageOf, requiredText, textOf, ToolError } from '../../editor/toolInput';
import type { RunTool } from './languageTools';
import { isWithin } from '../../node/isWithin';
import { documentOf, fileOf, sessionFile, type ToolSession } from './toolSession';
import { clip } from '../../base/oneLine';

/** Lines and characters of one hunk. */
const maxLines = 200;
const maxLine = 300;
/** Characters of one remark. */
const maxRemark = 10_000;

/** The tools of the review: what is pending, and remarks for the user. */
export const reviewTools: Readonly<Record<string, RunTool>> = { review, comment };

async function review(args: JsonObject, session: ToolSession): Promise<string> {
  const page = pageOf(args);
  const written = textOf(args, 'path');
  const only = written === undefined ? undefined : await sessionFile(written, session.scope);
  const items: string[] = [];
  let files = 0;
  let outside = 0;
  for (const change of await session.pending()) {
    const file = await fileOf(vscode.Uri.file(change.path), session.scope);
    if (!file) outside++;
    // A folder means all files in it.
    if (!file || (only && !isWithin(file.path, only.path))) continue;
    files++;
    items.push(...itemsOf(file.label, change));
  }
  if (files === 0) return `No pending changes${only ? ` in ${only.label}` : ''}: the user has kept or undone all.`;
  return listAnswer(`${counted(files, 'file')} with pending changes`, items, page, outside);
}

/** One text for each hunk, so that pages end between them. */
function itemsOf(label: string, { kind, hunks, note, added, removed }: Change): readonly string[] {
  if (hunks.length === 0) return [`${label}: ${kind} as a whole (+${added} -${removed})${note ? `: ${note}` : ''}`];
  return hunks.map(
    (hunk) => `${label}: ${kind}${hunk.state === 'conflicted' ? ', in conflict' : ''}\n${unified(hunk)}`,
  );
}

function unified({ baseline, current, baselineLines, currentLines }: Hunk): string {
  const lines = [...baselineLines.map((line) => `-${line}`), ...currentLines.map((line) => `+${line}`)];
  const shown = lines.slice(0, maxLines).map((line) => clip(line, maxLine));
  const left = lines.length - shown.length;
  const place = `@@ -${baseline.start + 1},${baselineLines.length} +${current.start + 1},${currentLines.length} @@`;
  return [place, ...shown, ...(left > 0 ? [`… ${counted(left, 'line')} more`] : [])].join('\n');
}

async function comment(args: JsonObject, session: ToolSession): Promise<string> {
  const text = requiredText(args, 'text', maxRemark);
  const file = await sessionFile(requiredText(args, 'path'), session.scope);
  const line = lineOf(args, 'line');
  if (line === undefined) throw new ToolError('line is missing.');
  const last = lineOf(args, 'end_line') ?? line;
  const { lineCount } = await documentOf(file);
  if (line > lineCount || last < line) throw new ToolError(`${file.label} has ${lineCount} lines.`);
  const place = { path: file.path, first: line - 1, last: Math.min(last, lineCount) - 1 };
  if (!(await session.remark(place, text)))
    throw new ToolError('The remark is not shown: there are too many. Tell the user in your answer instead.');
  return `The user sees the remark at ${file.label}:${line}.`;
}
