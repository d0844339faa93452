import * as vscode from 'vscode';

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
