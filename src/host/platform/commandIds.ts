import type * as vscode from 'vscode';

/** The commands of the manifest. */
export function commandIds({ extension }: vscode.ExtensionContext): string[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  };
  return contributes.commands.map(({ command }) => command);
}
