import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { FileHandlers, TerminalHandlers } from '../../acp/handlers';
import type { CancellationToken } from '../../base/cancellation';
import { usualPath } from '../../base/fileNames';
import type { Clock } from '../../base/scheduler';
import type { Change } from '../../changes/hunk';
import type { ProblemState } from '../../changes/newProblems';
import { ToolError } from '../../editor/toolInput';
import { shownText } from '../files/fileContent';
import { checkPath, isAbsolutePath, relativeTo } from '../files/pathPolicy';
import { spelled } from '../files/realPath';
import type { SessionScope } from '../platform/sessionScope';
import type { RunQuestion } from './askToRun';

/** What the editor knows of a session, and what its calls may do. */
export interface ToolSession {
  readonly scope: SessionScope;
  /** As for `fs/*`: a write is the agent's, is reviewed, and never overwrites unsaved text. */
  readonly files: FileHandlers;
  readonly terminals: SessionTerminals;
  readonly clock: Clock;
  /** The session's changes that the user has not decided, as the files are now. */
  readonly pending: () => Promise<readonly Change[]>;
  /** The errors before the running turn, and the files that it has edited; undefined if nothing is known. */
  readonly turnProblems: () => { readonly before: ProblemState; readonly edited: ReadonlySet<string> } | undefined;
  /** Reports problems that a call found. Until the first edit of the turn, they count as older than the turn. */
  readonly noteLook: (looked: ProblemState) => void;
  /** Shows a remark on lines of a file. False if there are too many. */
  readonly remark: (place: RemarkPlace, text: string) => Promise<boolean>;
  /** Asks the user, on a card in the session. */
  readonly ask: (question: RunQuestion, token: CancellationToken) => Promise<boolean>;
}

export interface RemarkPlace {
  readonly path: string;
  /** 0-based, both included. */
  readonly first: number;
  readonly last: number;
}

/** As for `terminal/*`, with the session's cards. */
export interface SessionTerminals extends TerminalHandlers {
  /** Opens a terminal of this session in VS Code's panel. The focus stays. */
  show(terminalId: string): Promise<void>;
}

/** A session's file: in its folders, with links resolved, and no data of VS Code or Parley. */
export interface SessionFile {
  /** In VS Code's spelling. */
  readonly path: string;
  readonly real: string;
  /** For answers: relative to the session's folder, with `/`. */
  readonly label: string;
}

/** @param written relative to the session's folder, or absolute @throws ToolError if the session may not see it */
export async function sessionFile(written: string, scope: SessionScope): Promise<SessionFile> {
  const usual = usualPath(written);
  const path = isAbsolutePath(usual) ? usual : nodePath.resolve(scope.cwd, usual);
  const found = isAbsolutePath(path) ? await fileWithin(path, scope) : undefined;
  if (!found) throw new ToolError(`${written} is outside the session’s folders.`);
  return found;
}

/** @returns undefined for what is outside of the session's folders, or no file on disk */
export async function fileOf(uri: vscode.Uri, scope: SessionScope): Promise<SessionFile | undefined> {
  return uri.scheme === 'file' ? fileWithin(uri.fsPath, scope) : undefined;
}

async function fileWithin(path: string, scope: SessionScope): Promise<SessionFile | undefined> {
  const { inside, real } = await checkPath(path, scope.roots);
  if (!inside) return undefined;
  const spelledPath = await spelled(real);
  const label = relativeTo(spelledPath, [scope.cwd]);
  return { path: spelledPath, real, label: label === '.' ? '.' : label };
}

/** The document of a file, not shown. @throws ToolError if there is none */
export async function documentOf({ path, label }: SessionFile): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch {
    throw new ToolError(`${label} does not exist, or is no text file.`);
  }
}

/** The lines of a file as the user sees them; undefined if it cannot be read. */
export async function linesOfFile({ path, real }: SessionFile): Promise<readonly string[] | undefined> {
  const text = await shownText(path, real).catch(() => undefined);
  return text?.split(/\r\n|\r|\n/);
}
