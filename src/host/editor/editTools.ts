import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { AcpError } from '../../acp/errors';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import { bounded, counted } from '../../editor/answers';
import { lineOf, placeOf, requiredText, textOf, ToolError } from '../../editor/toolInput';
import { askLanguage } from './askLanguage';
import type { RunTool } from './languageTools';
import { findPlace } from './namedPlace';
import { problemsSettled } from './settledProblems';
import { documentOf, fileOf, sessionFile, type SessionFile, type ToolSession } from './toolSession';
import { languageDocument } from './wakeServer';

/** Files that one call may change. */
const maxFiles = 2_000;
/** Code actions that a server has to complete for one call. */
const maxResolved = 50;

/** The tools that change files. Each edit is written as the agent's own: reviewed hunk by hunk, undone, restored. */
export const editTools: Readonly<Record<string, RunTool>> = {
  rename_symbol: renameSymbol,
  code_actions: codeActions,
  format,
  organize_imports: organizeImports,
};

/** The versions of open documents. A language server's edits are for the text that it was asked about. */
type Versions = ReadonlyMap<vscode.TextDocument, number>;

/** The edits of one file. */
interface FileEdits {
  readonly file: SessionFile;
  readonly edits: readonly vscode.TextEdit[];
}

async function renameSymbol(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const newName = requiredText(args, 'new_name', 500);
  const { document, position, name } = await findPlace(placeOf(args), session, token);
  const versions = versionsNow();
  const edit = await askLanguage<vscode.WorkspaceEdit>(
    'vscode.executeDocumentRenameProvider',
    [document.uri, position, newName],
    session,
    token,
  );
  const isEmpty = !edit || (edit.size === 0 && besidesText(edit) === undefined);
  if (isEmpty) throw new ToolError(`The language server cannot rename ${name} here.`);
  return writeEdits(`Renamed ${name} to ${newName}`, await editsOf(edit, session), versions, session, token);
}

async function codeActions(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const file = await sessionFile(requiredText(args, 'path'), session.scope);
  const line = lineOf(args, 'line');
  if (line === undefined) throw new ToolError('line is missing.');
  const document = await languageDocument(file, session, token);
  if (line > document.lineCount) throw new ToolError(`${file.label} has ${document.lineCount} lines.`);
  const last = Math.min(lineOf(args, 'end_line') ?? line, document.lineCount);
  const range = new vscode.Range(line - 1, 0, last - 1, document.lineAt(last - 1).text.length);
  const kind = textOf(args, 'kind', 100);
  // Quick fixes are for problems.
  await problemsSettled([document], session.clock, token);
  const versions = versionsNow();
  const actions = await askActions(document, range, kind, session, token);
  const wanted = textOf(args, 'apply');
  if (wanted === undefined) {
    if (actions.length === 0)
      return `No code actions at ${file.label}:${line}. Some language servers fix only files that are in a tab.`;
    return bounded(
      [
        `${counted(actions.length, 'code action')} at ${file.label}:${line}. Call again with apply to do one.`,
        ...actions.map(
          ({ title, kind: own, isPreferred }) =>
            `  ${title}${own ? ` (${own.value})` : ''}${isPreferred === true ? ' (preferred)' : ''}`,
        ),
      ].join('\n'),
    );
  }
  const action = actions.find(({ title }) => title === wanted);
  if (!action) throw new ToolError(`No code action “${wanted}” at ${file.label}:${line}. List them without apply.`);
  return applyAction(action, versions, session, token);
}

async function format(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const file = await sessionFile(requiredText(args, 'path'), session.scope);
  const document = await languageDocument(file, session, token);
  const { tabSize, insertSpaces } = formattingOf(document);
  const versions = versionsNow();
  const edits = await askLanguage<vscode.TextEdit[]>(
    'vscode.executeFormatDocumentProvider',
    [document.uri, { tabSize, insertSpaces }],
    session,
    token,
  );
  if (!edits) return `Nothing to format in ${file.label}: it is formatted, or no extension formats it.`;
  return writeEdits(`Formatted ${file.label}`, [{ file, edits }], versions, session, token);
}

async function organizeImports(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const file = await sessionFile(requiredText(args, 'path'), session.scope);
  const document = await languageDocument(file, session, token);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const versions = versionsNow();
  const [action] = await askActions(document, whole, 'source.organizeImports', session, token);
  if (!action) return `No extension organizes the imports of ${file.label}.`;
  return applyAction(action, versions, session, token);
}

function formattingOf(document: vscode.TextDocument): { readonly tabSize: number; readonly insertSpaces: boolean } {
  const settings = vscode.workspace.getConfiguration('editor', document);
  return { tabSize: settings.get('tabSize', 4), insertSpaces: settings.get('insertSpaces', true) };
}

async function askActions(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: string | undefined,
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly vscode.CodeAction[]> {
  const found = await askLanguage<(vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    [document.uri, range, kind, maxResolved],
    session,
    token,
  );
  // A bare command could do anything, so it is not offered.
  return (found ?? []).filter((action): action is vscode.CodeAction => 'edit' in action && action.edit !== undefined);
}

async function applyAction(
  { title, edit, disabled }: vscode.CodeAction,
  versions: Versions,
  session: ToolSession,
  token: CancellationToken,
): Promise<string> {
  if (disabled) throw new ToolError(`“${title}” is not possible: ${disabled.reason}`);
  return writeEdits(title, await editsOf(edit!, session), versions, session, token);
}

/** The edits by file. @throws ToolError if the edit does more than change the text of the session's files */
async function editsOf(edit: vscode.WorkspaceEdit, { scope }: ToolSession): Promise<readonly FileEdits[]> {
  const entries = edit.entries();
  if (entries.length > maxFiles) throw new ToolError(`This changes ${entries.length} files. That is too many.`);
  const more = besidesText(edit);
  if (more) throw new ToolError(`This also ${more}, which the editor’s tools do not do. Nothing was changed.`);
  const found = await Promise.all(
    entries.map(async ([uri, edits]) => {
      const file = await fileOf(uri, scope);
      if (!file)
        throw new ToolError(`This also changes ${uri.fsPath}, outside the session’s folders. Nothing was changed.`);
      return { file, edits };
    }),
  );
  return found.toSorted((a, b) => (a.file.label < b.file.label ? -1 : 1));
}

/**
 * VS Code's API has no way to read new, moved and deleted files of an edit, its snippets and its cells of notebooks.
 * Without them a change would be half done, so the list behind `entries` is looked at where it is there.
 * @returns what the edit does besides changing text
 */
function besidesText(edit: vscode.WorkspaceEdit): string | undefined {
  const list = (edit as { readonly _allEntries?: () => readonly object[] })._allEntries?.() ?? [];
  if (list.some((entry) => !('edit' in entry))) return 'creates, moves or deletes files';
  const isText = (entry: object) => 'newText' in (entry as { readonly edit: object }).edit;
  return list.every(isText) ? undefined : 'inserts snippets or changes cells of a notebook';
}

function versionsNow(): Versions {
  return new Map(vscode.workspace.textDocuments.map((document) => [document, document.version]));
}

/**
 * Writes through `fs/*`, file by file. What the user changes meanwhile stays.
 * @param versions from before the language server was asked
 */
async function writeEdits(
  title: string,
  all: readonly FileEdits[],
  versions: Versions,
  { scope, files }: ToolSession,
  token: CancellationToken,
): Promise<string> {
  const { sessionId } = scope;
  const next: {
    readonly file: SessionFile;
    readonly base: string;
    readonly content: string;
    readonly count: number;
  }[] = [];
  for (const { file, edits } of all) {
    const document = await documentOf(file);
    if ((versions.get(document) ?? document.version) !== document.version)
      throw new ToolError(
        `${file.label} was changed while the language server worked. Nothing was changed. Try again.`,
      );
    const base = document.getText();
    const content = edited(document, edits);
    if (content !== base) next.push({ file, base, content, count: edits.length });
  }
  if (next.length === 0) return `${title}: nothing to change.`;
  const done: string[] = [];
  for (const { file, base, content, count } of next) {
    try {
      if (token.isCancellationRequested) throw AcpError.cancelled();
      await files.writeTextFile({ sessionId, path: file.path, content }, token, base);
      done.push(`  ${file.label}: ${counted(count, 'edit')}`);
    } catch (error) {
      const cause = messageOf(error);
      throw new ToolError(
        `${file.label} was not changed: ${cause}` +
          (done.length > 0 ? `\nChanged before that:\n${done.join('\n')}` : ' Nothing was changed.'),
      );
    }
  }
  return bounded(`${title}. ${counted(done.length, 'file')} changed:\n${done.join('\n')}`);
}

/** The text of a document after edits, whose ranges are those of the document as it is. */
function edited(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  const text = document.getText();
  const sorted = edits
    .map(({ range, newText }, order) => ({
      from: document.offsetAt(range.start),
      to: document.offsetAt(range.end),
      newText,
      order,
    }))
    .toSorted((a, b) => a.from - b.from || a.to - b.to || a.order - b.order);
  let at = 0;
  let result = '';
  for (const { from, to, newText } of sorted) {
    if (from < at) throw new ToolError('The language server’s edits overlap. Nothing was changed.');
    result += text.slice(at, from) + newText;
    at = to;
  }
  return result + text.slice(at);
}
