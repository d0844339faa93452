import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { refuseUnsaved } from '../files/unsavedWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/** Puts code at the cursor of the last used editor, as one undoable edit. */
export async function insertCode(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.at(0);
  if (!editor) return openAsNewFile(text, '');
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });
}

/** Opens code as a new, unsaved file. @param name the agent's name for its language, "" for none */
export async function openAsNewFile(text: string, name: string): Promise<void> {
  const language = await languageOf(name);
  const document = await vscode.workspace.openTextDocument(
    language === undefined ? { content: text } : { content: text, language },
  );
  await vscode.window.showTextDocument(document, { preview: false });
}

/** VS Code's id of a language. It knows file extensions only by the files that it opens. */
const ids: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  console: 'shellscript',
  docker: 'dockerfile',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  md: 'markdown',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zsh: 'shellscript',
};

/** VS Code's id of a language, by the agent's name for it. */
export async function languageOf(name: string): Promise<string | undefined> {
  const wanted = name.toLowerCase();
  const id = Object.hasOwn(ids, wanted) ? ids[wanted]! : wanted;
  return (await vscode.languages.getLanguages()).includes(id) ? id : undefined;
}

/**
 * Saves code to a file that the user chooses, through a document that is then shown. So it is a save of the user, and
 * not a change by the agent.
 * @param info the code's info string from the agent: its language, and perhaps a file name
 */
export async function saveCode(text: string, info: string): Promise<void> {
  const language = await languageOf(/^[^\s,{:]*/.exec(info)![0]);
  const name = codeFileName(info, language, declaredLanguages());
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save Code'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (!target) return;
  try {
    await writeCode(target, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    const reason = messageOf(error);
    void markedWindow.showErrorMessage(
      l10n.t('“{0}” was not saved: {1}', plainText(path.posix.basename(target.path)), plainText(reason)),
    );
  }
}

async function writeCode(target: vscode.Uri, text: string): Promise<void> {
  if (target.scheme === 'file') refuseUnsaved(target.fsPath);
  const isNew = await vscode.workspace.fs.stat(target).then(
    () => false,
    () => true,
  );
  if (isNew) await vscode.workspace.fs.writeFile(target, new Uint8Array());
  const document = await vscode.workspace.openTextDocument(target);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(target, new vscode.Range(0, 0, document.lineCount, 0), text);
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save()))
    throw new Error(l10n.t('VS Code rejected the change.'));
  await vscode.window.showTextDocument(document, { preview: false });
}

function declaredLanguages(): readonly DeclaredLanguage[] {
  return vscode.extensions.all.flatMap(
    ({ packageJSON }) =>
      (packageJSON as { contributes?: { languages?: readonly DeclaredLanguage[] } }).contributes?.languages ?? [],
  );
}

/** A language as an extension declares it to VS Code. */
interface DeclaredLanguage {
  readonly id: string;
  readonly extensions?: readonly string[];
}

/** Characters of a proposed name. */
const maxNameLength = 100;

/**
 * The file name to propose for a block of code: the name in its info string, else one with the ending of its language.
 * The agent writes both, so only the last part of a path is used, and only if it is a plain name.
 * @param language VS Code's id of it, if it is known
 */
export function codeFileName(
  info: string,
  language: string | undefined,
  declared: readonly DeclaredLanguage[],
): string {
  return nameIn(info) ?? `untitled${endingOf(/^[^\s,{:]*/.exec(info)![0].toLowerCase(), language, declared)}`;
}

const nameEntry = /(?:^|[\s{,])(?:title|file|filename|name|path)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s,}]+))/i;

/** `ts src/app.ts`, `ts title="src/app.ts"`, `src/app.ts`, `10:20:src/app.ts` */
function nameIn(info: string): string | undefined {
  const [, ...quoted] = nameEntry.exec(info) ?? [];
  const words = info.split(/[\s,{}]+/).filter((word) => /^[^=]*\.\w{1,10}$/.test(word));
  const path = quoted.find((text) => text !== undefined) ?? words[0];
  const name = path?.replace(/^.*[/\\:]/, '');
  return name !== undefined &&
    name.length <= maxNameLength &&
    /^[\p{L}\p{N}._@+()-][\p{L}\p{M}\p{N} ._@+()-]*$/u.test(name) &&
    /[^.]$/.test(name)
    ? name
    : undefined;
}

/** Agents call a language by an ending of its files as often as by its name. */
function endingOf(name: string, language: string | undefined, declared: readonly DeclaredLanguage[]): string {
  const own = `.${name}`;
  if (declared.some(({ extensions }) => extensions?.includes(own))) return own;
  return declared.find(({ id, extensions }) => id === language && extensions?.length)?.extensions![0] ?? '.txt';
}
