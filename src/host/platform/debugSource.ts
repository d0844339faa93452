import * as vscode from 'vscode';

/**
 * The path of a source that a debugger names in the Debug Adapter Protocol. VS Code makes an address of it, also of one
 * on a remote machine.
 * @param path of a `Source`
 */
export function debugSourcePath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  const isAddress = /^[a-z][\w+.-]+:\/\//i.test(path);
  return isAddress ? vscode.Uri.file(vscode.Uri.parse(path).path).fsPath : path;
}
