import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest } from '@agentclientprotocol/sdk';
import { AcpError } from '../../acp/errors';
import { makeAtOnce, type MakeLarge } from '../../acp/answerRoom';
import type { FileHandlers } from '../../acp/handlers';
import type { CancellationToken } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import type { Logger } from '../../base/log';
import { mergeTexts, withLineFeeds } from '../../review/lineEdits';
import type { WriteStep } from '../../review/writeSteps';
import { sliceLines } from '../../thread/sliceLines';
import { openDocument } from './documentEdits';
import { currentText, diskText, fileState } from './fileContent';
import { type CheckedPath, checkPath, isAbsolutePath } from './pathPolicy';
import { prepareText } from './prepareText';
import type { ScopeLookup, SessionScope } from '../sessions/sessionScope';
import { followsDisk, replaceOnDisk } from './staleDocument';
import { writeDocument } from './writeDocument';

/** Told of every write, around it; `ReviewService` keeps the changes for the person to review. */
export interface ChangeRecorder {
  /** A write is about to come. Resolves when what stands there cannot be lost any more; it goes before `recordWrite`. */
  prepareWrite(sessionId: string, path: string, before: string | undefined): Promise<void>;
  /** Nothing comes of a write that was prepared: what happens to the file from now on is not the agent's. */
  abandonWrite(sessionId: string, path: string): void;
  /**
   * Runs `write`. What happens to the file until it settles counts as the agent's (format on save too), but for what the
   * person types.
   * @param before the text just before, undefined where the file did not exist.
   * @param write does it and returns what happened to the file, in order.
   */
  recordWrite(sessionId: string, path: string, before: string | undefined, write: () => Promise<readonly WriteStep[]>): Promise<readonly WriteStep[]>;
}

export interface WorkspaceFilesOptions {
  readonly scopes: ScopeLookup;
  readonly recorder: ChangeRecorder;
  readonly log: Logger;
  /** Asks the person whether the agent may touch a file outside the session's folders. */
  readonly askOutside: (scope: SessionScope, path: string, access: 'read' | 'write', token: CancellationToken) => Promise<boolean>;
  /**
   * What reading a missing file gives. `error` (-32002, the default) is the protocol; `empty` is for an agent that can
   * only create files when it reads "" first.
   */
  readonly missingFileReads?: (scope: SessionScope) => 'error' | 'empty';
}

/** Characters of all files that an agent has seen last, per session. */
const maxSeenLength = 16 * 1024 * 1024;

/** What an agent last saw of a file. `isBehind`: we have saved it since together with what the person was typing. */
interface Seen {
  readonly text: string;
  readonly isBehind: boolean;
}

/**
 * Serves `fs/*` (items 133 to 143). Reading gives what the person sees, unsaved text included. Writing goes through the
 * document: minimal edits, saved, undoable, with encoding, BOM and line ends kept, nothing shown and no focus taken.
 * Unsaved text of the person is merged with, never overwritten: where both changed the same lines the write fails and
 * the agent has to read again.
 */
export class WorkspaceFiles implements FileHandlers {
  /** Writes to one file never interleave, and a read waits for the write before it. */
  private readonly queues = new Map<string, Promise<unknown>>();
  /** What an agent last saw of a file, by session and real path: the base of a merge. */
  private readonly seen = new Map<string, Map<string, Seen>>();

  constructor(private readonly options: WorkspaceFilesOptions) {}

  async readTextFile(params: ReadTextFileRequest, token: CancellationToken, large: MakeLarge = makeAtOnce): Promise<ReadTextFileResponse> {
    const { scope, checked } = await this.admit(params.sessionId, params.path, 'read', token);
    const text = await large(() => this.inOrder(checked.real, () => currentText(checked.path, checked.real)));
    if (token.isCancellationRequested) throw AcpError.cancelled();
    if (text === undefined) {
      if (this.options.missingFileReads?.(scope) === 'empty') return { content: '' };
      throw notFound(checked.path);
    }
    this.remember(scope.sessionId, checked.real, text);
    return { content: sliceLines(text, params.line ?? undefined, params.limit ?? undefined) };
  }

  async writeTextFile(params: WriteTextFileRequest, token: CancellationToken): Promise<void> {
    const { scope, checked } = await this.admit(params.sessionId, params.path, 'write', token);
    await this.inOrder(checked.real, async () => {
      if (token.isCancellationRequested) throw AcpError.cancelled();
      try {
        this.written(scope.sessionId, checked.real, await this.write(scope.sessionId, checked, params.content));
      } catch (error) {
        if (error instanceof AcpError) throw error;
        this.options.log.error(`Writing ${checked.path} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        throw new AcpError(-32603, `Could not write ${checked.path}: ${error instanceof Error ? error.message : 'unknown error'}`, { path: checked.path });
      }
    });
  }

  /** Forgets what the agent of a closed session has seen. */
  disposeSession(sessionId: string): void {
    this.seen.delete(sessionId);
  }

  private async admit(sessionId: string, path: string, access: 'read' | 'write', token: CancellationToken): Promise<{ scope: SessionScope; checked: CheckedPath }> {
    if (!isAbsolutePath(path)) throw AcpError.invalidParams(`path must be absolute: ${path}`, { path });
    const scope = this.options.scopes(sessionId);
    if (!scope) throw AcpError.notFound(`Unknown session: ${sessionId}`, { sessionId });
    const checked = await checkPath(path, scope.roots);
    if (!checked.inside && !(await this.askOutside(scope, checked, access, token))) {
      throw AcpError.invalidParams(`${checked.path} is outside the session's folders and the person did not allow to ${access} it`, { path: checked.path });
    }
    if (token.isCancellationRequested) throw AcpError.cancelled();
    return { scope, checked };
  }

  /** A question that is still open when the agent withdraws its request ends with it. */
  private async askOutside(scope: SessionScope, checked: CheckedPath, access: 'read' | 'write', token: CancellationToken): Promise<boolean> {
    // A token that has fired does not fire again for those who come later.
    if (token.isCancellationRequested) throw AcpError.cancelled();
    const cancelled = new Deferred<never>();
    const registration = token.onCancellationRequested(() => cancelled.reject(AcpError.cancelled()));
    try {
      // The real path is asked for: with a link on the way the other one would say something else than it is.
      return await Promise.race([this.options.askOutside(scope, checked.real, access, token), cancelled.promise]);
    } finally {
      registration.dispose();
    }
  }

  private async write(sessionId: string, checked: CheckedPath, content: string): Promise<readonly WriteStep[]> {
    const { path, real } = checked;
    const state = await fileState(path);
    if (state === 'readOnly') throw AcpError.invalidParams(`${path} is read-only`, { path });
    const open = openDocument(path, real);
    const { recorder } = this.options;
    if (state === 'missing' && !open?.isDirty) {
      await recorder.prepareWrite(sessionId, path, undefined);
      return recorder.recordWrite(sessionId, path, undefined, async () => [{ by: 'agent', text: await create(path, content) }]);
    }
    refuseDirtyNotebook(path);
    const document = open ?? (await openText(path));
    // What was typed in the last moment of a save is unsaved, and VS Code does not say so before the next key.
    const mayBeUnsaved = document.isDirty || this.seen.get(sessionId)?.get(real)?.isBehind === true;
    if (!mayBeUnsaved && !(await followsDisk(document, path))) {
      const before = (await diskText(path, document)) ?? '';
      await recorder.prepareWrite(sessionId, path, before);
      return recorder.recordWrite(sessionId, path, before, async () => [{ by: 'agent', text: await replaceOnDisk(document, path, content, before) }]);
    }
    const textNow = async () => (document.isDirty || mayBeUnsaved ? await this.merged(sessionId, checked, document, content) : content);
    const { before, text } = await prepareText(recorder, sessionId, path, document, textNow);
    return recorder.recordWrite(sessionId, path, before, () => writeDocument(document, withoutBom(text)));
  }

  /** The agent's text with what the person has typed since the agent last saw the file. */
  private async merged(sessionId: string, { path, real }: CheckedPath, document: vscode.TextDocument, content: string): Promise<string> {
    const mine = withLineFeeds(document.getText());
    const theirs = withLineFeeds(withoutBom(content));
    // An agent that reads the disk by itself has seen that instead.
    const bases = [this.seen.get(sessionId)?.get(real)?.text, await diskText(path, document).catch(() => undefined)];
    for (const base of bases) {
      if (base === undefined) continue;
      const { text, conflicts } = mergeTexts(withLineFeeds(base), mine, theirs);
      if (conflicts.length === 0) return text;
    }
    throw new AcpError(
      -32603,
      `${path} has unsaved changes by the user on the same lines. Nothing was written. Read the file again with fs/read_text_file and base the edit on that text.`,
      { path, reason: 'unsaved_changes' },
    );
  }

  /** What the person typed while the agent's text was saved is on disk, and the agent has not seen it. */
  private written(sessionId: string, real: string, steps: readonly WriteStep[]): void {
    const isBehind = steps.some(({ by }) => by === 'person');
    this.remember(sessionId, real, steps.at(isBehind ? 0 : -1)!.text, isBehind);
  }

  private remember(sessionId: string, real: string, text: string, isBehind = false): void {
    const files = this.seen.get(sessionId) ?? new Map<string, Seen>();
    this.seen.set(sessionId, files);
    // Only recent files matter for a merge.
    files.delete(real);
    files.set(real, { text, isBehind });
    let length = [...files.values()].reduce((sum, seen) => sum + seen.text.length, 0);
    for (const [oldest, seen] of files) {
      if (files.size <= 200 && length <= maxSeenLength) break;
      length -= seen.text.length;
      files.delete(oldest);
    }
  }

  private async inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.queues.get(key);
    const next = (previous ?? Promise.resolve()).then(work, work);
    this.queues.set(key, next);
    try {
      return await next;
    } finally {
      if (this.queues.get(key) === next) this.queues.delete(key);
    }
  }
}

async function openText(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch (error) {
    throw AcpError.invalidParams(`${path} cannot be opened as text: ${error instanceof Error ? error.message : String(error)}`, { path });
  }
}

/** In one step with its content, so that no watcher sees an empty file. */
async function create(path: string, content: string): Promise<string> {
  const uri = vscode.Uri.file(path);
  await mkdir(dirname(path), { recursive: true });
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: await vscode.workspace.encode(content, { uri }), overwrite: false, ignoreIfExists: false });
  if (!(await vscode.workspace.applyEdit(edit)) || (await fileState(path)) === 'missing') throw new Error('VS Code did not create the file');
  return withoutBom(content);
}

/** A notebook's unsaved cells live outside of any text document; a write would come into conflict with them. */
function refuseDirtyNotebook(path: string): void {
  const notebook = vscode.workspace.notebookDocuments.find((candidate) => candidate.uri.scheme === 'file' && candidate.uri.fsPath === path);
  if (notebook?.isDirty) throw new AcpError(-32603, `${path} is a notebook with unsaved changes by the user. Nothing was written.`, { path, reason: 'unsaved_changes' });
}

function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Schema: -32002 with the resource. The message has the path, because some agents look for words in it. */
function notFound(path: string): AcpError {
  return AcpError.notFound(`Resource not found: ${path}`, { uri: vscode.Uri.file(path).toString(), path });
}
