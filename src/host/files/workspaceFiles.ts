import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest } from '@agentclientprotocol/sdk';
import { messageOf, stackOf } from '../../base/errorText';
import { AcpError } from '../../acp/errors';
import { makeAtOnce, type MakeLarge } from '../../acp/answerRoom';
import type { FileHandlers } from '../../acp/handlers';
import type { CancellationToken } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import { usualPath } from '../../base/fileNames';
import type { Logger } from '../../base/log';
import { OneByOne } from '../../base/oneByOne';
import { LinkedPathError } from '../../node/openWithoutLinks';
import { absent } from '../../changes/content';
import { mergeTexts } from '../../changes/merge';
import { lineEndsOf } from '../../changes/lineEnds';
import { withLineFeeds } from '../../changes/lineFeeds';
import type { WriteStep } from '../../changes/writeSteps';
import { sliceLines } from '../../thread/sliceLines';
import { documentAt } from './documentEdits';
import { diskText, fileState, shownText } from './fileContent';
import { ChangedMeanwhileError, fileOnDisk } from './fileOnDisk';
import { encodedNew, TextLossError, withoutMark } from './fileText';
import type { OutsideFile } from './outsideWorkspaceRequest';
import { type CheckedPath, checkPath, isAbsolutePath } from './pathPolicy';
import { spelled } from './realPath';
import type { Saving } from './replaceContent';
import { SavedElsewhereError } from './saveInto';
import { NotStoredError } from '../platform/notStoredError';
import type { ScopeLookup, SessionScope } from '../platform/sessionScope';
import { type ContentInHand, contentOfText } from '../storage/contentInHand';

/** Writes for agents; `ReviewService` lists the changes for the user to review. */
export interface AgentWriter {
  /** See `ReviewService.write`. */
  write(
    sessionId: string,
    path: string,
    expected: ContentInHand,
    next: ContentInHand,
    saving: Saving,
  ): Promise<readonly WriteStep[]>;
}

export interface WorkspaceFilesOptions {
  readonly scopes: ScopeLookup;
  readonly writer: AgentWriter;
  readonly log: Logger;
  /** Asks the user whether the agent may access a file outside the session's folders. */
  readonly askOutside: (
    scope: SessionScope,
    file: OutsideFile,
    access: Access,
    token: CancellationToken,
  ) => Promise<boolean>;
  /** Tells the user, in the session, that a path led to another file than the checked one. */
  readonly warn?: (scope: SessionScope, title: string, detail: string) => void;
  /**
   * The result of reading a missing file. `error` (-32002, the default) is the protocol; `empty` is for an agent that
   * can only create files when it reads "" first.
   */
  readonly missingFileReads?: (scope: SessionScope) => 'error' | 'empty';
}

type Access = 'read' | 'write';

/** The file of one request. All work uses `real`, even if the requested name changes its target. */
interface Target {
  /** In the agent's spelling, normalised. */
  readonly asked: string;
  /** The path in the review and VS Code. */
  readonly path: string;
  /** Checked, all links resolved. */
  readonly real: string;
}

/** So often a write is tried while others change the file at the same time. */
const MAX_ATTEMPTS = 20;

/** Characters of the files that an agent has seen last, per session. */
const maxSeenLength = 16 * 1024 * 1024;

/** The text of a file that an agent last saw. `isBehind`: we have saved it since, together with the user's typing. */
interface Seen {
  readonly text: string;
  readonly isBehind: boolean;
}

/**
 * Serves `fs/*` (items 133 to 143). Reading returns the text that the user sees, including unsaved text. An open file
 * is written through its document: minimal edits, saved, undoable. A closed file is written directly, without following
 * links, unless VS Code changes files on save; so is one that a save would change beyond the text. Encoding, BOM and
 * the line endings of all other lines stay, and a file that would lose something is refused. The file is not shown and
 * the focus does not move. Unsaved text of the user is merged, never overwritten: if both changed the same lines, the
 * write fails and the agent has to read again.
 */
export class WorkspaceFiles implements FileHandlers {
  /** Writes to one file never interleave, and a read waits for the write before it. */
  readonly #queue = new OneByOne();
  /** The texts that an agent last saw, by session and real path: the base of a merge. */
  readonly #seen = new Map<string, Map<string, Seen>>();
  /** The names with changed targets that the user was told of, by session. */
  readonly #warned = new Map<string, Set<string>>();

  constructor(private readonly options: WorkspaceFilesOptions) {}

  async readTextFile(
    params: ReadTextFileRequest,
    token: CancellationToken,
    large: MakeLarge = makeAtOnce,
  ): Promise<ReadTextFileResponse> {
    const { scope, target } = await this.#admit(params.sessionId, params.path, 'read', token);
    const text = await large(() => this.#inOrder(scope, target, 'read', () => shownText(target.path, target.real)));
    if (token.isCancellationRequested) throw AcpError.cancelled();
    if (text === undefined) {
      if (this.options.missingFileReads?.(scope) === 'empty') return { content: '' };
      throw notFound(target.asked);
    }
    this.#remember(scope.sessionId, target.real, text);
    return { content: sliceLines(text, params.line ?? undefined, params.limit ?? undefined) };
  }

  async writeTextFile(params: WriteTextFileRequest, token: CancellationToken, base?: string): Promise<void> {
    const { scope, target } = await this.#admit(params.sessionId, params.path, 'write', token);
    await this.#inOrder(scope, target, 'write', async () => {
      if (token.isCancellationRequested) throw AcpError.cancelled();
      this.#written(scope.sessionId, target.real, await this.#write(scope.sessionId, target, params.content, base));
    });
  }

  /** Forgets the texts that the agent of a closed session has seen. */
  disposeSession(sessionId: string): void {
    this.#seen.delete(sessionId);
    this.#warned.delete(sessionId);
  }

  async #admit(
    sessionId: string,
    written: string,
    access: Access,
    token: CancellationToken,
  ): Promise<{ scope: SessionScope; target: Target }> {
    const path = usualPath(written);
    if (!isAbsolutePath(path)) throw AcpError.invalidParams(`path must be absolute: ${path}`, { path });
    if (process.platform === 'win32' && !(await import('../../node/windowsNames')).hasWindowsNames(path))
      throw AcpError.invalidParams(`Windows has no file of this name: ${path}`, { path });
    const scope = this.options.scopes(sessionId);
    if (!scope) throw AcpError.notFound(`Unknown session: ${sessionId}`, { sessionId });
    const checked = await checkPath(path, scope.roots);
    const target = { asked: checked.path, path: await spelled(checked.real), real: checked.real };
    if (!checked.inside && !(await this.#askOutside(scope, checked, access, token))) {
      throw AcpError.invalidParams(
        `${checked.path} is outside the session's folders and the user did not allow to ${access} it`,
        { path: checked.path },
      );
    }
    if (token.isCancellationRequested) throw AcpError.cancelled();
    return { scope, target };
  }

  /** An open question ends when the agent withdraws its request. */
  async #askOutside(
    scope: SessionScope,
    { path, real, isProtected }: CheckedPath,
    access: Access,
    token: CancellationToken,
  ): Promise<boolean> {
    // A token that has already fired does not fire again for later listeners.
    if (token.isCancellationRequested) throw AcpError.cancelled();
    const cancelled = new Deferred<never>();
    const registration = token.onCancellationRequested(() => cancelled.reject(AcpError.cancelled()));
    try {
      return await Promise.race([
        this.options.askOutside(scope, { asked: path, real, isProtected }, access, token),
        cancelled.promise,
      ]);
    } finally {
      registration.dispose();
    }
  }

  async #write(
    sessionId: string,
    target: Target,
    content: string,
    base: string | undefined,
  ): Promise<readonly WriteStep[]> {
    const { asked, path, real } = target;
    refuseDirtyNotebook(path);
    const isBehind = this.#seen.get(sessionId)?.get(real)?.isBehind === true;
    for (let attempt = 1; ; attempt++) {
      const state = await fileState(path, real);
      if (state === 'readOnly') throw AcpError.invalidParams(`${asked} is read-only`, { path: asked });
      const document = await documentAt(path, real);
      try {
        if (state === 'missing' && !document?.isDirty) {
          if (base !== undefined) throw notFound(asked);
          const next = { ...contentOfText(withoutMark(content)), bytes: await encodedNew(path, content) };
          return await this.options.writer.write(sessionId, path, absent, next, { isBehind });
        }
        const isUnsaved = document !== undefined && (document.isDirty || isBehind);
        const expected = isUnsaved ? shownIn(document) : await onDiskIn(path, real, document);
        const text =
          base !== undefined
            ? merged([base], expected, content, changedMeanwhile(asked))
            : isUnsaved || isBehind
              ? merged(await this.#seenTexts(sessionId, target, document, expected), expected, content, unsaved(asked))
              : content;
        return await this.options.writer.write(sessionId, path, expected, contentOfText(withoutMark(text)), {
          isBehind,
        });
      } catch (error) {
        // The user may type, or another program write, until the last moment.
        if (!(error instanceof ChangedMeanwhileError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** What the agent may have seen of a file: what it read or wrote last, or what is on disk if it reads that itself. */
  async #seenTexts(
    sessionId: string,
    { path, real }: Target,
    document: vscode.TextDocument | undefined,
    { text }: Text,
  ): Promise<readonly (string | undefined)[]> {
    const onDisk = document ? await diskText(path, document, real).catch(() => undefined) : text;
    return [this.#seen.get(sessionId)?.get(real)?.text, onDisk];
  }

  /** Notes the user's typing during the save, which is on disk, but not known to the agent. */
  #written(sessionId: string, real: string, steps: readonly WriteStep[]): void {
    const isBehind = steps.some(({ by }) => by === 'person');
    this.#remember(sessionId, real, steps.at(isBehind ? 0 : -1)!.text, isBehind);
  }

  #remember(sessionId: string, real: string, text: string, isBehind = false): void {
    const files = this.#seen.get(sessionId) ?? new Map<string, Seen>();
    this.#seen.set(sessionId, files);
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

  /** Runs `work` after earlier work on the same file, if the requested name still leads there. */
  async #inOrder<T>(scope: SessionScope, target: Target, access: Access, work: () => Promise<T>): Promise<T> {
    const key = target.real;
    const checkedWork = async (): Promise<T> => {
      try {
        // The question to the user, or earlier work, may have taken long.
        if ((await checkPath(target.asked, scope.roots)).real !== target.real) throw new LinkedPathError(target.asked);
        return await work();
      } catch (error) {
        throw this.#inWords(error, scope, target, access);
      }
    };
    return this.#queue.run(key, checkedWork);
  }

  /**
   * The error for the agent. The user also sees, once per file, that a path changed its target, a disk is full or bytes
   * would be lost.
   */
  #inWords(error: unknown, scope: SessionScope, { asked, real }: Target, access: Access): AcpError {
    if (error instanceof AcpError) return error;
    if (error instanceof TextLossError) {
      this.#tellOnce(
        scope,
        asked,
        error.titleFor(asked),
        `${l10n.t('{0} asked to write this file. Nothing was written.', scope.agent)} ${error.remedy}`,
      );
      return textLoss(error, asked);
    }
    const cause = messageOf(error);
    const trace = stackOf(error);
    this.options.log.error(`${access === 'read' ? 'Reading' : 'Writing'} ${asked} failed: ${trace}`);
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      this.#tellOnce(
        scope,
        asked,
        l10n.t('The disk is full'),
        l10n.t('{0} could not write {1}. The file did not change.', scope.agent, asked),
      );
    if (error instanceof NotStoredError) {
      // It is the same for all files.
      this.#tellOnce(
        scope,
        '',
        l10n.t('A file was not written'),
        l10n.t('{0} could not write {1}. {2}', scope.agent, asked, cause),
      );
      return new AcpError(-32603, `Could not write ${asked}. Nothing was written. ${cause}`, {
        path: asked,
        reason: 'not_kept',
      });
    }
    if (!(error instanceof LinkedPathError) && !(error instanceof SavedElsewhereError))
      return new AcpError(-32603, `Could not ${access} ${asked}: ${cause}`, { path: asked });
    const { agent } = scope;
    const title = l10n.t('{0} now points to a different file', asked);
    if (error instanceof SavedElsewhereError) {
      this.#tellOnce(
        scope,
        asked,
        title,
        l10n.t(
          '{0} asked to write this file. When Parley checked the path, it pointed to {1}. {2}',
          agent,
          real,
          cause,
        ),
      );
      return new AcpError(
        -32603,
        `${asked} now points to a different file than when it was checked (${real}). ` +
          `VS Code saved it, but ${real} does not hold the saved text: the path led to another file at that moment. ` +
          'Check which file was changed. If that is intended, send the request again.',
        { path: asked, reason: 'path_changed' },
      );
    }
    this.#tellOnce(
      scope,
      asked,
      title,
      access === 'read'
        ? l10n.t(
            '{0} asked to read this file. When Parley checked the path, it pointed to {1}. Nothing was read.',
            agent,
            real,
          )
        : l10n.t(
            '{0} asked to write this file. When Parley checked the path, it pointed to {1}. Nothing was written.',
            agent,
            real,
          ),
    );
    return new AcpError(
      -32603,
      `${asked} now points to a different file than when it was checked (${real}). ` +
        `Nothing was ${access === 'read' ? 'read' : 'written'}. If that is intended, send the request again.`,
      { path: asked, reason: 'path_changed' },
    );
  }

  #tellOnce(scope: SessionScope, asked: string, title: string, detail: string): void {
    const warned = this.#warned.get(scope.sessionId) ?? new Set<string>();
    this.#warned.set(scope.sessionId, warned);
    const key = `${title}\0${asked}`;
    if (!warned.has(key)) this.options.warn?.(scope, title, detail);
    warned.add(key);
  }
}

function textLoss({ reason, encoding }: TextLossError, path: string): AcpError {
  switch (reason) {
    case 'not_text':
      return new AcpError(
        -32603,
        `${path} is not valid text in ${encoding ?? 'the encoding set for its language'}, ` +
          'and saving it would change bytes that nobody touched. Nothing was written. The user can help: Set "files.encoding" for it, or use "Reopen with Encoding", and try again.',
        { path, reason },
      );
    case 'not_in_encoding':
      return new AcpError(
        -32603,
        `${path} is saved in ${encoding ?? 'the encoding set for its language'}, ` +
          'which can’t represent some characters of the new text. Nothing was written. The user can help: Set "files.encoding" for it, or save it with the encoding UTF-8, and try again.',
        { path, reason },
      );
    case 'unsaved_changes':
      return new AcpError(
        -32603,
        `${path} has mixed line endings and unsaved changes, ` +
          'and saving it would change all line endings. Nothing was written. The user can help: Save or revert it first.',
        { path, reason },
      );
  }
}

type Text = ContentInHand & { readonly kind: 'text' };

/** The text in the editor, which may be unsaved. */
function shownIn(document: vscode.TextDocument): Text {
  const text = document.getText();
  return { ...contentOfText(text), form: { encoding: '', ends: lineEndsOf(text) } };
}

/**
 * The agent's text, with what the user has changed since the first base that allows it.
 * @throws conflict if none does
 */
function merged(bases: readonly (string | undefined)[], { text: mine }: Text, content: string, conflict: AcpError) {
  const theirs = withLineFeeds(withoutMark(content));
  for (const base of bases) {
    if (base === undefined) continue;
    const { text, overlaps } = mergeTexts(withLineFeeds(base), mine, theirs);
    if (overlaps.length === 0) return text;
  }
  throw conflict;
}

const unsaved = (path: string) =>
  new AcpError(
    -32603,
    `${path} has unsaved changes by the user on the same lines. Nothing was written. ` +
      'Read the file again with fs/read_text_file and base the edit on that text.',
    { path, reason: 'unsaved_changes' },
  );

const changedMeanwhile = (path: string) =>
  new AcpError(-32603, `${path} was changed meanwhile on the same lines. Nothing was written to it. Try again.`, {
    path,
    reason: 'unsaved_changes',
  });

async function onDiskIn(path: string, real: string, document: vscode.TextDocument | undefined): Promise<Text> {
  const { text, ends, bytes } = await fileOnDisk(path, real, document);
  return { ...contentOfText(text), form: { encoding: '', ends }, bytes };
}

/** A notebook's unsaved cells are not in a text document; a write would conflict with them. */
function refuseDirtyNotebook(path: string): void {
  const notebook = vscode.workspace.notebookDocuments.find(
    (candidate) => candidate.uri.scheme === 'file' && candidate.uri.fsPath === path,
  );
  if (notebook?.isDirty)
    throw new AcpError(-32603, `${path} is a notebook with unsaved changes by the user. Nothing was written.`, {
      path,
      reason: 'unsaved_changes',
    });
}

/** Schema: -32002 with the resource. The message has the path, because some agents look for words in it. */
function notFound(path: string): AcpError {
  return AcpError.notFound(`Resource not found: ${path}`, { uri: vscode.Uri.file(path).toString(), path });
}
