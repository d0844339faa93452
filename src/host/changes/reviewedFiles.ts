import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { OneByOne } from '../../base/oneByOne';
import type { Clock } from '../../base/scheduler';
import { commonBaseline } from '../../changes/commonBaseline';
import type { Entry } from '../../changes/entry';
import type { Change } from '../../changes/hunk';
import { Ledger } from '../../changes/ledger';
import { isBesideLines, type WholeChange } from '../../changes/wholeChange';
import { labelOfPath } from '../../view/labels';
import { openDocument, samePath } from '../files/documentEdits';
import { isOnlyUnsaved } from '../files/fileContent';
import { pathKey } from '../files/pathPolicy';
import { standingContent } from '../files/readContent';
import { whileWriting } from '../files/whileWriting';
import type { ScopeLookup } from '../platform/sessionScope';
import type { BaselineDocuments } from './baselineDocuments';
import type { ReviewDiffs } from './changeDiffs';
import { type DiskAttribution, noDisk } from './disk/diskAttribution';
import { FollowedFiles } from './disk/followedFiles';
import { eachFile } from './eachFile';
import type { ReviewContents } from './stored/reviewContents';
import { type ContentInHand, contentOfText, textIn } from '../storage/contentInHand';

export interface ReviewedFilesOptions {
  readonly scopes: ScopeLookup;
  readonly baselines: BaselineDocuments;
  readonly contents?: ReviewContents | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The review of one session's files. */
interface Reviewed {
  readonly ledger: Ledger;
  /** Running writes, per path: changes of these files meanwhile are the agent's. */
  readonly writing: Map<string, number>;
  /** The changes that the baseline documents show. An unchanged change is the same object. */
  readonly published: Map<string, Change>;
}

/**
 * The files with pending changes, by session. Follows edits of the user and of other programs, and writes the files.
 */
export class ReviewedFiles extends Disposable {
  protected readonly sessions = new Map<string, Reviewed>();
  readonly #changeEmitter = this.register(new Emitter<{ readonly sessionId: string }>());
  readonly #followed: FollowedFiles;
  readonly #reads = new OneByOne();
  #openedDiffs: ReviewDiffs | undefined;
  /** Set with the first prompt. */
  disk: DiskAttribution = noDisk;
  /** The present content of a file. @throws Error if it cannot be read. */
  readonly look = standingContent;
  /** True if a file is deleted and only its editor still has unsaved text. */
  readonly isOnlyUnsaved = isOnlyUnsaved;

  readonly onDidChangeChanges = this.#changeEmitter.event;

  constructor(private readonly place: ReviewedFilesOptions) {
    super();
    this.#followed = this.register(new FollowedFiles(place.clock, (paths) => this.#takeOver(paths)));
    const { workspace } = vscode;
    for (const event of [
      workspace.onDidOpenTextDocument,
      workspace.onDidSaveTextDocument,
      workspace.onDidCloseTextDocument,
    ])
      this.register(event(({ uri }) => this.#touched(uri)));
    this.register(workspace.onDidChangeTextDocument(({ document }) => this.#touched(document.uri)));
    this.register(
      workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => this.#renamed(oldUri, newUri))),
    );
  }

  /** Opens diff editors. Loaded on first use. */
  async diffs(): Promise<ReviewDiffs> {
    const lazy = await import('./changeDiffs');
    return (this.#openedDiffs ??= new lazy.ReviewDiffs(this.place.baselines, this));
  }

  /** All sessions that are followed, the oldest first. */
  get sessionIds(): readonly string[] {
    return [...this.sessions.keys()];
  }

  /** Sessions with pending changes. */
  get pendingSessions(): string[] {
    return [...this.sessions].filter(([, { ledger }]) => ledger.count > 0).map(([id]) => id);
  }

  /** The review of a session; undefined if it is not followed. */
  session(sessionId: string): Reviewed | undefined {
    return this.sessions.get(sessionId);
  }

  /** The ledger of a session, which is followed from now on. */
  ledger(sessionId: string): Ledger {
    return this.follow(sessionId).ledger;
  }

  /** The pending changes of a session, with hunks. */
  tracked(sessionId: string): readonly Change[] {
    return this.sessions.get(sessionId)?.ledger.changes ?? [];
  }

  /** The entry of a file, for `takeBack`. */
  entry(sessionId: string, path: string): Entry | undefined {
    return this.sessions.get(sessionId)?.ledger.saved.get(path);
  }

  /** All pending changes of files as a whole. */
  *wholes(): Iterable<WholeChange> {
    for (const ledger of this.ledgers) for (const { whole } of ledger.saved.values()) if (whole) yield whole;
  }

  /** The last known text of a followed file; undefined for any other file. */
  textNow(path: string): { readonly text: string | undefined } | undefined {
    const ledger = this.ledgers.find((candidate) => candidate.has(path));
    return ledger && { text: ledger.current(path) };
  }

  /** The texts of a file from before its pending changes, one for each session. */
  baselines(path: string): string[] {
    return this.ledgers.flatMap((ledger) => ledger.lines(path)?.baseline ?? []);
  }

  /** The text of a file before all sessions that changed it; undefined if no lines are pending. */
  beforeAll(path: string): { readonly text: string | undefined; readonly isOfSeveral: boolean } | undefined {
    const ledgers = this.ledgers.filter((ledger) => ledger.lines(path));
    return ledgers.length > 0 ? { text: commonBaseline(path, ledgers), isOfSeveral: ledgers.length > 1 } : undefined;
  }

  /** A path as shown to the user. */
  labelOf(sessionId: string, path: string): string {
    return labelOfPath(path, this.place.scopes(sessionId)?.cwd ?? '');
  }

  /** True while Parley writes this file. */
  isWriting(path: string): boolean {
    return [...this.sessions.values()].some(({ writing }) => writing.has(path));
  }

  /**
   * Replaces the content of a file; see `replaceContent`. Changes of the file meanwhile are not taken for edits of the
   * user.
   * @param before an earlier text of the file, whose lines are restored
   * @returns the new content. @throws Error if it cannot be written.
   */
  async replace(
    sessionId: string,
    path: string,
    expected: ContentInHand,
    next: ContentInHand,
    before?: string,
  ): Promise<ContentInHand> {
    if (this.disk.isHeld(path)) throw new Error(l10n.t('it has unsaved changes from before the agent’s change'));
    const { replaceContent } = await import('../files/replaceContent');
    const written = await this.disk.writing(path);
    return whileWriting(this.follow(sessionId), path, async () => {
      const { originals } = this.place.contents ?? {};
      const { content, isOnDisk } = await replaceContent(path, expected, next, { originals, before });
      if (isOnDisk) this.disk.wrote(path, content);
      return content;
    }).finally(written);
  }

  /** A file of a session has a new text; for the other sessions that is an edit by someone else. */
  changed(sessionId: string, path: string, text: string | undefined): void {
    this.tellOthers(sessionId, path, text);
    this.publish(sessionId, [path]);
  }

  protected tellOthers(sessionId: string, path: string, text: string | undefined): void {
    for (const [other, { ledger }] of this.sessions) {
      if (other === sessionId || !ledger.has(path)) continue;
      ledger.edited(path, text, true);
      this.publish(other, [path]);
    }
  }

  /** Reads the text that the user has just typed, without the usual wait. */
  catchUp(uri: vscode.Uri): Promise<void> {
    this.#touched(uri);
    return this.#followed.readTouched();
  }

  /**
   * Reads files with pending changes that changed on disk without an event of the editor.
   * @param paths all if absent. @returns when that is done for the state on disk at the call.
   */
  lookAgain(paths?: readonly string[]): Promise<void> {
    return this.#followed.lookAgain(paths);
  }

  /** Reads one file again, or all files of a session. */
  async refresh(sessionId: string, path: string | undefined): Promise<void> {
    const paths = path === undefined ? this.tracked(sessionId).map((change) => change.path) : [path];
    await this.disk.settle(paths);
    for (const item of paths) await this.takeOverIn(sessionId, item);
    this.publish(sessionId, paths);
  }

  /**
   * Fires the event for changes of a session and updates the diffs.
   * @param paths all if absent. A formatter may change thousands, one after the other.
   */
  publish(sessionId: string, paths?: readonly string[]): void {
    const reviewed = this.sessions.get(sessionId);
    if (!reviewed) return;
    const { ledger, published } = reviewed;
    for (const path of paths ?? new Set([...published.keys(), ...ledger.paths])) {
      const change = ledger.get(path);
      if (!change) {
        published.delete(path);
        if (ledger.isAway(path)) this.#followed.follow(path, false);
        else if (
          ![...this.sessions.values()].some((session) => session.published.has(path) || session.ledger.isAway(path))
        )
          this.#followed.forget(path);
      } else if (published.get(path) !== change) {
        published.set(path, change);
        if (change.note === undefined) {
          this.place.baselines.set(path, sessionId, change.baseline ?? '');
          // Commands and other programs change files without an event of the editor.
          this.#followed.follow(path, change.current !== undefined);
        }
      }
      this.#openedDiffs?.update(path);
    }
    this.#changeEmitter.fire({ sessionId });
  }

  override dispose(): void {
    this.sessions.clear();
    super.dispose();
  }

  protected get ledgers(): Ledger[] {
    return [...this.sessions.values()].map(({ ledger }) => ledger);
  }

  protected follow(sessionId: string): Reviewed {
    let reviewed = this.sessions.get(sessionId);
    if (!reviewed)
      this.sessions.set(
        sessionId,
        (reviewed = { ledger: new Ledger(pathKey), writing: new Map(), published: new Map() }),
      );
    return reviewed;
  }

  /**
   * Reads a file after all running reads of it, because text that one of them read from disk must not replace text that
   * was typed since. @returns true if the text was new.
   */
  protected takeOverIn(sessionId: string, path: string): Promise<boolean> {
    return this.#reads.run(`${sessionId} ${path}`, () => this.#readNow(sessionId, path));
  }

  async #readNow(sessionId: string, path: string): Promise<boolean> {
    const reviewed = this.sessions.get(sessionId);
    const hidden = reviewed?.ledger.whole(path);
    if (!reviewed?.ledger.has(path) || (hidden && !isBesideLines(hidden))) return false;
    const { ledger } = reviewed;
    try {
      // While the user types, the document is newer than the file.
      const document = openDocument(path);
      const content = document?.isDirty
        ? contentOfText(document.getText())
        : await standingContent(path, ledger.current(path));
      if (content.kind === 'binary') {
        this.place.log.warn(`${path} cannot be followed any more: it is a binary file now`);
        return false;
      }
      const text = textIn(content);
      if (text !== undefined && ledger.current(path) === undefined && (await isOnlyUnsaved(path))) return false;
      // A write that began meanwhile reports its own result.
      if (this.isWriting(path) || text === ledger.current(path) || this.disk.takes(path, content)) return false;
      ledger.edited(path, text);
      return true;
    } catch (error) {
      this.place.log.warn(`${path} cannot be followed any more: ${messageOf(error)}`);
      return false;
    }
  }

  async #takeOver(paths: readonly string[]): Promise<void> {
    for (const [sessionId, { ledger }] of this.sessions) {
      const changed: string[] = [];
      const inSession = paths.filter((path) => ledger.has(path)).map((path) => ({ path }));
      await eachFile(inSession, async ({ path }) => (await this.takeOverIn(sessionId, path)) && changed.push(path));
      if (changed.length > 0) this.publish(sessionId, changed);
    }
  }

  #touched(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    for (const ledger of this.ledgers) {
      const path = ledger.pathOf(uri.fsPath);
      if (path !== undefined) this.#followed.touch(path);
    }
  }

  /** A file or a folder was renamed: its changes move with it. */
  #renamed(from: vscode.Uri, to: vscode.Uri): void {
    if (from.scheme !== 'file' || to.scheme !== 'file') return;
    for (const [sessionId, { ledger }] of this.sessions) {
      const inside = ledger.paths.filter(
        (path) => samePath(path, from.fsPath) || path.startsWith(from.fsPath + nodePath.sep),
      );
      for (const path of inside) ledger.moved(path, to.fsPath + path.slice(from.fsPath.length));
      if (inside.length === 0) continue;
      this.publish(sessionId);
      for (const path of ledger.paths) this.#touched(vscode.Uri.file(path));
    }
  }
}
