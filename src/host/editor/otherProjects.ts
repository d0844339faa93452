import { access } from 'node:fs/promises';
import nodePath from 'node:path';
import type * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { askLanguage } from './askLanguage';
import type { ToolSession } from './toolSession';

/** Files of which the project is asked for, and further projects. */
const maxFiles = 200;
const maxProjects = 20;

/**
 * TypeScript finds references in all projects of a workspace, but implementations only in that of the file. So each
 * other project in which something is used is asked from a place of its own.
 * @returns implementations in other projects
 */
export async function implementationsElsewhere(
  document: vscode.TextDocument,
  position: vscode.Position,
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly (vscode.Location | vscode.LocationLink)[]> {
  const uses =
    (await askLanguage<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      [document.uri, position],
      session,
      token,
    )) ?? [];
  const places = new Map(uses.map((use) => [use.uri.toString(), use]));
  places.delete(document.uri.toString());
  const asked = new Set([await projectOf(document.uri)]);
  const found: (vscode.Location | vscode.LocationLink)[] = [];
  for (const { uri, range } of [...places.values()].slice(0, maxFiles)) {
    const project = await projectOf(uri);
    if (project === undefined || asked.has(project)) continue;
    asked.add(project);
    found.push(
      ...((await askLanguage<(vscode.Location | vscode.LocationLink)[]>(
        'vscode.executeImplementationProvider',
        [uri, range.start],
        session,
        token,
      )) ?? []),
    );
    if (asked.size > maxProjects) break;
  }
  return found;
}

/** The nearest folder with a configuration: TypeScript's extension does not tell the project of a file. */
async function projectOf({ fsPath }: vscode.Uri): Promise<string | undefined> {
  for (let folder = nodePath.dirname(fsPath); folder !== nodePath.dirname(folder); folder = nodePath.dirname(folder))
    if (await exists(nodePath.join(folder, 'tsconfig.json'))) return folder;
  return undefined;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
