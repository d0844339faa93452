import { randomUUID } from 'node:crypto';
import { type Node, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { makeAtOnce } from '../../acp/answerRoom';
import type { CancellationToken } from '../../base/cancellation';
import { asObject, integerOf, stringOf } from '../../base/decode';
import type { JsonObject } from '../../base/json';
import { counted, listAnswer } from '../../editor/answers';
import { pageOf, requiredText, textOf, ToolError, wholeOf, wordOf } from '../../editor/toolInput';
import type { RunTool } from './languageTools';
import { sessionFile, type SessionFile, type ToolSession } from './toolSession';

/** Characters of one cell and of its outputs in an answer. */
const maxSource = 8_000;
const maxOutput = 1_000;
/** Characters of a new cell. */
const maxNew = 200_000;

/**
 * The tools of Jupyter notebooks. They read and write the file as `fs/*` does, so an edit is reviewed, undone and
 * restored as any other; edits by VS Code's notebook API would be the user's.
 */
export const notebookTools: Readonly<Record<string, RunTool>> = { notebook: readNotebook, edit_notebook: editNotebook };

interface Notebook {
  readonly file: SessionFile;
  readonly text: string;
  readonly content: JsonObject;
  readonly cells: readonly JsonObject[];
}

async function readNotebook(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const page = pageOf(args);
  const { file, content, cells } = await openNotebook(args, session, token);
  const language = languageOf(content);
  return listAnswer(
    `${file.label}: ${counted(cells.length, 'cell')}`,
    cells.map((cell, index) => cellText(cell, index, language)),
    page,
  );
}

async function editNotebook(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const action = wordOf(args, 'action', 'replace', 'insert', 'delete');
  const { file, text, content, cells } = await openNotebook(args, session, token);
  const index = wholeOf(args, 'index');
  const last = action === 'insert' ? cells.length : cells.length - 1;
  if (index === undefined || index < 0 || index > last)
    throw new ToolError(
      cells.length === 0
        ? 'The notebook has no cells. Use insert with index 0.'
        : `index must be from 0 to ${last}. Read the notebook again with the tool notebook.`,
    );
  const cell =
    action === 'delete' ? undefined : newCell(args, content, action === 'insert' ? undefined : cells[index]!);
  const { sessionId } = session.scope;
  await session.files.writeTextFile(
    { sessionId, path: file.path, content: withCell(text, index, action, cell) },
    token,
    text,
  );
  const done = { replace: 'replaced', insert: 'inserted', delete: 'deleted' }[action];
  const count = cells.length + { replace: 0, insert: 1, delete: -1 }[action];
  return `Cell ${index} of ${file.label} was ${done}. It has ${counted(count, 'cell')} now.`;
}

/** Reads the file, also as the base of a write. @throws ToolError if it is no notebook */
async function openNotebook(
  args: JsonObject,
  { scope, files }: ToolSession,
  token: CancellationToken,
): Promise<Notebook> {
  const file = await sessionFile(requiredText(args, 'path'), scope);
  if (!/\.ipynb$/i.test(file.path)) throw new ToolError(`${file.label} is no Jupyter notebook (.ipynb).`);
  const { sessionId } = scope;
  const { content: text } = await files.readTextFile({ sessionId, path: file.path }, token, makeAtOnce);
  // The user's unsaved cells are not in the file, and a write would not merge them.
  if (vscode.workspace.notebookDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === file.path))
    throw new ToolError(`The user has unsaved changes in ${file.label}. Ask the user to save it, then call again.`);
  let content: JsonObject;
  try {
    content = asObject(JSON.parse(text));
  } catch {
    throw new ToolError(`${file.label} is no valid JSON. Read and repair it as a text file.`);
  }
  const cells = arrayOf(content['cells']);
  if (!Array.isArray(content['cells'])) throw new ToolError(`${file.label} has no cells of format 4.`);
  return { file, text, content, cells: cells.map((cell) => asObject(cell)) };
}

function languageOf(content: JsonObject): string {
  const { kernelspec, language_info: info } = asObject(content['metadata']);
  return stringOf(asObject(info)['name']) ?? stringOf(asObject(kernelspec)['language']) ?? 'python';
}

function cellText(cell: JsonObject, index: number, language: string): string {
  const kind = stringOf(cell['cell_type']) ?? '?';
  const outputs = arrayOf(cell['outputs']).map((output) => outputText(asObject(output)));
  return [
    `[${index}] ${kind}${kind === 'code' ? ` ${language}` : ''}`,
    cut(joinedText(cell['source']), maxSource),
    ...(outputs.length > 0 ? [`output: ${cut(outputs.join('\n'), maxOutput)}`] : []),
  ].join('\n');
}

/** The text of an output, or the names of its formats. */
function outputText(output: JsonObject): string {
  if (output['output_type'] === 'error') return `${String(output['ename'])}: ${String(output['evalue'])}`;
  if (output['text'] !== undefined) return joinedText(output['text']);
  const data = asObject(output['data']);
  return data['text/plain'] === undefined ? `(${Object.keys(data).join(', ')})` : joinedText(data['text/plain']);
}

/** Jupyter writes a text as one string, or as its lines. */
function joinedText(raw: unknown): string {
  return typeof raw === 'string'
    ? raw
    : arrayOf(raw)
        .filter((line) => typeof line === 'string')
        .join('');
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… cut: ${text.length} characters` : text;
}

function newCell(args: JsonObject, content: JsonObject, old: JsonObject | undefined): JsonObject {
  // An empty cell is a cell.
  const source = stringOf(args['source']);
  if (source === undefined || source.length > maxNew)
    throw new ToolError(`source must be a string of at most ${maxNew} characters.`);
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const stored = typeof old?.['source'] === 'string' ? source : [...lines];
  const kind =
    textOf(args, 'kind') === undefined ? old?.['cell_type'] : wordOf(args, 'kind', 'code', 'markdown', 'raw');
  if (old && kind === old['cell_type']) return { ...old, source: stored };
  const hasIds = (integerOf(content['nbformat_minor']) ?? 0) >= 5;
  return {
    cell_type: kind ?? 'code',
    ...((kind ?? 'code') === 'code' ? { execution_count: null } : {}),
    ...(hasIds ? { id: old?.['id'] ?? randomUUID().slice(0, 8) } : {}),
    metadata: {},
    ...((kind ?? 'code') === 'code' ? { outputs: [] } : {}),
    source: stored,
  };
}

/**
 * The text of a notebook after an edit. All that is not in the cell stays as it is: written anew, a number could be
 * another one, and outputs of other cells would change.
 * @param text valid JSON
 */
function withCell(
  text: string,
  index: number,
  action: 'replace' | 'insert' | 'delete',
  cell: JsonObject | undefined,
): string {
  const list = valueIn(parseTree(text)!, 'cells')!;
  const nodes = list.children ?? [];
  const unit = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n') ? ' ' : undefined);
  const line = (level: number) => (unit === undefined ? '' : `\n${unit.repeat(level)}`);
  const json = (value: unknown, level: number) =>
    JSON.stringify(value, undefined, unit).replaceAll('\n', line(level) || '\n');
  const put = (from: number, to: number, fresh: string) => text.slice(0, from) + fresh + text.slice(to);
  const [before, at, after] = [nodes[index - 1], nodes[index], nodes[index + 1]];
  if (action === 'insert') {
    const made = json(cell, 2);
    if (at) return put(at.offset, at.offset, `${made},${line(2)}`);
    if (before) return put(endOf(before), endOf(before), `,${line(2)}${made}`);
    return put(list.offset, endOf(list), `[${line(2)}${made}${line(1)}]`);
  }
  const old = at!;
  if (action === 'delete') {
    if (after) return put(old.offset, after.offset, '');
    return before ? put(endOf(before), endOf(old), '') : put(list.offset, endOf(list), '[]');
  }
  const source = valueIn(old, 'source');
  const isSameKind = valueIn(old, 'cell_type')?.value === cell!['cell_type'];
  return source && isSameKind
    ? put(source.offset, endOf(source), json(cell!['source'], 3))
    : put(old.offset, endOf(old), json(cell, 2));
}

/** Of two properties of one name, the last counts. */
function valueIn(object: Node, key: string): Node | undefined {
  return object.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function arrayOf(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}
