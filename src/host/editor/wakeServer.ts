import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { Clock } from '../../base/scheduler';
import { followsDisk } from '../files/staleDocument';
import { askLanguage } from './askLanguage';
import { isTypescript, typescriptProjectRead } from './typescriptProblems';
import { documentOf, type SessionFile, type ToolSession } from './toolSession';

/*
 * A language server that has not started yet answers like one that finds nothing, and VS Code does not tell when it is
 * ready. So the first question about a language waits until it has something to say.
 */

/** The longest wait for a language server to start. */
const startMs = 20_000;
/** The longest wait after that until it has read the project. Some servers never tell anything of a symbol. */
const projectMs = 8_000;
const pollMs = 150;
/** Languages whose servers have answered, or had their time to, in this window. */
const awake = new Set<string>();
/** Languages whose servers begin with a file, by what their files are named. */
const families = [
  '{ts,tsx,mts,cts}',
  '{js,jsx,mjs,cjs}',
  'py',
  'go',
  'rs',
  '{java,kt}',
  'cs',
  '{c,cc,cpp,h,hpp}',
  'php',
  'rb',
];
/** Documents of which the project is read. */
const loaded = new WeakSet<vscode.TextDocument>();
/** Folders in which a file of each language was opened, and in which that is being done. */
const opened = new Set<string>();
const opening = new Map<string, Promise<boolean>>();

/** The document of a file, not shown, once a language server answers for it. @throws ToolError if it is no text file */
export async function languageDocument(
  file: SessionFile,
  session: ToolSession,
  token: CancellationToken,
): Promise<vscode.TextDocument> {
  const document = await documentOf(file);
  // What an agent has just written to disk, VS Code notices a moment later.
  await followsDisk(document, file.path, file.real);
  await wake(document, session, token);
  await loadProject(document, session, token);
  return document;
}

/**
 * Opens one file of each language of the session's folders, without showing it: some servers know a project only then.
 * @returns whether there was one, and it was not opened before this call
 */
export async function wakeServers(session: ToolSession, token: CancellationToken): Promise<boolean> {
  let isAny = false;
  for (const folder of session.scope.roots) if (await wakeIn(folder, session, token)) isAny = true;
  return isAny;
}

async function wakeIn(folder: string, session: ToolSession, token: CancellationToken): Promise<boolean> {
  if (opened.has(folder)) return false;
  // Agents ask several things at once.
  const other = opening.get(folder);
  if (other) {
    const isAny = await other.catch(() => false);
    // The agent may have withdrawn the call that opened the files.
    return opened.has(folder) ? isAny : wakeIn(folder, session, token);
  }
  const own = openEach(folder, session, token);
  opening.set(folder, own);
  try {
    return await own;
  } finally {
    if (!token.isCancellationRequested) opened.add(folder);
    opening.delete(folder);
  }
}

async function openEach(folder: string, session: ToolSession, token: CancellationToken): Promise<boolean> {
  const found = await Promise.all(
    families.map((family) =>
      vscode.workspace.findFiles(
        new vscode.RelativePattern(vscode.Uri.file(folder), `**/*.${family}`),
        '**/{node_modules,dist,out,build,target,.git}/**',
        1,
      ),
    ),
  );
  const documents = await Promise.all(
    found.flat().map((uri) => Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined)),
  );
  const known = documents.filter((document) => document !== undefined);
  for (const document of known) {
    await wake(document, session, token);
    await loadProject(document, session, token);
  }
  return known.length > 0;
}

/** While TypeScript reads a project, references are missing. */
async function loadProject(
  document: vscode.TextDocument,
  session: ToolSession,
  token: CancellationToken,
): Promise<void> {
  if (!isTypescript(document) || loaded.has(document)) return;
  await typescriptProjectRead(document.uri.fsPath, session, token);
  if (!token.isCancellationRequested) loaded.add(document);
}

async function wake(document: vscode.TextDocument, session: ToolSession, token: CancellationToken): Promise<void> {
  const { languageId } = document;
  if (awake.has(languageId)) return;
  const extensions = vscode.extensions.all.filter(({ packageJSON }) => startsWith(packageJSON, languageId));
  await Promise.all(extensions.map((extension) => Promise.resolve(extension.activate()).catch(() => undefined)));
  const { clock } = session;
  const deadline = clock.now() + startMs;
  const answers = async (command: string, ...args: readonly unknown[]) =>
    (await askLanguage<readonly unknown[]>(command, [document.uri, ...args], session, token)) ?? [];
  let symbol: unknown;
  while (extensions.length > 0 && !token.isCancellationRequested && clock.now() < deadline) {
    [symbol] = await answers('vscode.executeDocumentSymbolProvider');
    if (symbol !== undefined) break;
    await pause(clock);
  }
  // An outline needs no more than the file; what follows needs the project, for which TypeScript is asked otherwise.
  const name = isTypescript(document)
    ? undefined
    : (symbol as { readonly selectionRange?: vscode.Range } | undefined)?.selectionRange?.start;
  const projectDeadline = Math.min(deadline, clock.now() + projectMs);
  while (name && !token.isCancellationRequested && clock.now() < projectDeadline) {
    if ((await answers('vscode.executeHoverProvider', name)).length > 0) break;
    await pause(clock);
  }
  if (!token.isCancellationRequested) awake.add(languageId);
}

/** @param manifest an extension's `package.json` */
function startsWith(manifest: unknown, languageId: string): boolean {
  const { activationEvents, main } = manifest as { readonly activationEvents?: unknown; readonly main?: unknown };
  return main !== undefined && Array.isArray(activationEvents) && activationEvents.includes(`onLanguage:${languageId}`);
}

async function pause(clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => clock.setTimeout(resolve, pollMs));
}
