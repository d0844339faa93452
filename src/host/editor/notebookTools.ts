import { randomUUID } from 'node:crypto';
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
  const next = cells.toSpliced(
    index,
    action === 'insert' ? 0 : 1,
    ...(action === 'delete' ? [] : [newCell(args, content, action === 'insert' ? undefined : cells[index]!)]),
  );
  const { sessionId } = session.scope;
  const written = inFormOf({ ...content, cells: next }, text);
  await session.files.writeTextFile({ sessionId, path: file.path, content: written }, token, text);
  const isReformatted = inFormOf(content, text) !== text;
  const done = { replace: 'replaced', insert: 'inserted', delete: 'deleted' }[action];
  return (
    `Cell ${index} of ${file.label} was ${done}. It has ${counted(next.length, 'cell')} now.` +
    (isReformatted ? ' The file was formatted as Jupyter does, so other lines changed, too.' : '')
  );
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

/** In the form of the present text: its indent and its end. */
function inFormOf(content: JsonObject, text: string): string {
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n') ? 1 : undefined);
  return JSON.stringify(content, undefined, indent) + (text.endsWith('\n') ? '\n' : '');
}

function arrayOf(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}
