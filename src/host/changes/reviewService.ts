import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { ChangeView } from '../../protocol/changeView';
import { commonBaseline } from '../../changes/commonBaseline';
import type { Change, HunkOrigin } from '../../changes/hunk';
import type { Entry } from '../../changes/entry';
import { Ledger } from '../../changes/ledger';
import { withLineFeeds } from '../../changes/lineEdits';
import type { WriteStep } from '../../changes/writeSteps';
import { labelOfPath } from '../../view/labels';
import type { BaselineDocuments } from './baselineDocuments';
import { type DecisionOptions, Decisions } from './decisions';
import type { DiskAttribution } from './disk/diskAttribution';
import { samePath } from '../files/documentEdits';
import { eachFile } from './eachFile';
import { FollowedFiles, readStable } from './disk/followedFiles';
import { isOnlyUnsaved } from '../files/fileContent';
import { putFile } from './putFile';
import { ReviewDiffs, type ShownChanges } from './changeDiffs';
import { type RecorderOptions, BeforeImageRecorder } from './beforeImageRecorder';
import type { SavedReview, UnsavedWrite } from './reviewStore';
import type { FileContent } from './disk/diskContent';
import { standingFile } from './standingFile';
import { WholeChanges } from './wholeChanges';
import type { WriteOptions } from './writableFile';
import type { ScopeLookup } from '../platform/sessionScope';
import { whileWriting } from '../files/whileWriting';
import type { ChangeRecorder } from '../files/workspaceFiles';

export interface ReviewServiceOptions extends RecorderOptions, DecisionOptions {
  readonly scopes: ScopeLookup;
  readonly baselines: BaselineDocuments;
  readonly clock: Clock;
  /** The turn of a session that runs, or that ran last, by the id of the entry with which it began. */
  readonly turnOf: (sessionId: string) => string | undefined;
  /** Whether the changes of a file wait until the user decides on just that file. */
  readonly isGuarded: (path: string) => boolean;
}

interface Tracked {
  readonly ledger: Ledger;
  /** Writes that run now, per path: what happens to these files meanwhile is the agent's. */
  readonly writing: Map<string, number>;
  /** What the baseline documents show now; a change that is the same value is the same change. */
  readonly published: Map<string, Change>;
}

/**
 * Which files the agents changed and nobody has agreed to yet: records writes, and follows what the user does to these
 * files. Holds no decision of its own; `Ledger` has the rules.
 */
export class ReviewService extends Disposable implements ChangeRecorder {
  private readonly sessions = new Map<string, Tracked>();
  private readonly changeEmitter = this.register(new Emitter<{ readonly sessionId: string }>());
  private readonly followed: FollowedFiles;
  readonly diffs: ReviewDiffs;
  /** Sees to it that what stands in files is kept before something takes its place, and brings it back. */
  readonly recorder: BeforeImageRecorder;
  /** Keeps and undoes. */
  readonly decisions: Decisions;
  private readonly whole: WholeChanges | undefined;
  disk: DiskAttribution | undefined;

  readonly onDidChangeChanges = this.changeEmitter.event;

  constructor(private readonly options: ReviewServiceOptions) {
    super();
    this.diffs = new ReviewDiffs(options.baselines, {
      changes: (sessionId) => this.tracked(sessionId).filter(({ note }) => note === undefined),
      refresh: (sessionId, path) => this.refresh(sessionId, path),
      beforeAll: (path) => this.beforeAll(path),
      withAgents: (sessionId, path, id) => this.sessions.get(sessionId)?.ledger.plan(path, 'agents', [id])?.text,
    });
    this.recorder = new BeforeImageRecorder(options, {
      ledger: (sessionId) => this.track(sessionId).ledger,
      look: standingFile,
      isOnlyUnsaved,
      lookAgain: async (paths) => this.disk?.settle(paths),
      catchUp: async (path, text) => this.disk?.catchUp(path, text),
      put: async (sessionId, path, text, original) => {
        if (this.disk?.isHeld(path)) throw new Error(l10n.t('it has unsaved changes from before the agent’s change'));
        const written = await this.writing(path);
        return whileWriting(this.track(sessionId), path, () => putFile(path, text, this.onDisk(path), original)).finally(written);
      },
      told: (sessionId, path, text) => {
        this.tellOthers(sessionId, path, text);
        this.publish(sessionId, [path]);
      },
    });
    this.decisions = this.register(
      new Decisions(options, {
        recorder: this.recorder,
        whole: () => this.whole,
        session: (sessionId) => this.sessions.get(sessionId),
        labelOf: (sessionId, path) => this.labelOf(sessionId, path),
        isHeld: (path) => this.disk?.isHeld(path) === true,
        onDisk: (path) => this.onDisk(path),
        writing: (path) => this.writing(path),
        refresh: (sessionId, path) => this.refresh(sessionId, path),
        told: (sessionId, path) => this.publish(sessionId, [path]),
      }),
    );
    const { kept } = options;
    const ledger = (sessionId: string) => this.track(sessionId).ledger;
    this.whole = kept && new WholeChanges({ ...options, kept, recorder: this.recorder, ledger, ledgers: () => [...this.sessions.values()].map((session) => session.ledger), undone: (...file) => this.decisions.undoneWhole(...file) });
    this.followed = this.register(new FollowedFiles(options.clock, (paths) => this.lookAt(paths)));
    this.register(vscode.workspace.onDidChangeTextDocument(({ document }) => this.touched(document.uri)));
    this.register(vscode.workspace.onDidOpenTextDocument((document) => this.touched(document.uri)));
    this.register(vscode.workspace.onDidSaveTextDocument((document) => this.touched(document.uri)));
    this.register(vscode.workspace.onDidCloseTextDocument((document) => this.touched(document.uri)));
    this.register(vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => this.renamed(oldUri, newUri))));
  }

  /** All sessions that are followed, the oldest first. */
  get sessionIds(): readonly string[] {
    return [...this.sessions.keys()];
  }

  /** All that is known, to be kept over a restart. */
  get saved(): SavedReview {
    return new Map([...this.sessions].map(([id, { ledger }]) => [id, ledger.saved]));
  }

  /**
   * Takes over what was kept, and what has become of the files since.
   * @param catchUp what agents have done since it was kept; resolves to the writes of which nobody knows whether they were carried out.
   */
  async restore(saved: SavedReview, catchUp: () => Promise<readonly UnsavedWrite[]> = async () => []): Promise<void> {
    for (const [sessionId, entries] of saved) this.track(sessionId).ledger.restore(entries);
    for (const sessionId of saved.keys()) this.publish(sessionId);
    const unsaved = await catchUp();
    for (const write of unsaved) await this.recorder.recover(write);
    for (const { sessionId } of unsaved) this.publish(sessionId);
    for (const [sessionId, entries] of saved) {
      await eachFile([...entries.keys()].map((path) => ({ path })), () => true, ({ path }) => this.look(sessionId, path));
      this.publish(sessionId);
    }
  }

  /** Sessions with changes that wait for review. */
  get pendingSessions(): string[] {
    return [...this.sessions].filter(([, { ledger }]) => ledger.count > 0).map(([id]) => id);
  }

  /** Unreviewed changes of a session, in the order in which the files were first changed. */
  changes(sessionId: string): ChangeView[] {
    return this.tracked(sessionId).map((change) => changeView(change, this.labelOf(sessionId, change.path), this.options.isGuarded(change.path)));
  }

  /** What a session holds of its files, with the hunks. */
  tracked(sessionId: string): readonly Change[] {
    return this.sessions.get(sessionId)?.ledger.changes ?? [];
  }

  /** How many that are. */
  count(sessionId: string): number {
    return this.sessions.get(sessionId)?.ledger.count ?? 0;
  }

  async prepareWrite(sessionId: string, path: string, before: string | undefined, bytes?: Buffer): Promise<void> {
    if (bytes && before !== undefined) await this.options.kept?.originals.keepNow(path, before, { bytes, mode: undefined });
    await this.recorder.prepare(sessionId, path, before);
  }

  abandonWrite(sessionId: string, path: string): void {
    this.recorder.heard(sessionId, path, true);
  }

  async recordWrite(sessionId: string, path: string, before: string | undefined, write: () => Promise<readonly WriteStep[]>): Promise<readonly WriteStep[]> {
    const tracked = this.track(sessionId);
    try {
      return await whileWriting(tracked, path, async () => {
        const steps = await write();
        let standing = before;
        for (const { by, text } of steps) {
          if (by === 'agent') this.tell(sessionId, path, standing, text, 'editorWrite');
          else this.recordEdit(path, text);
          standing = text;
        }
        // What was typed meanwhile is on disk only as far as the save has taken it along, and known as the user's.
        this.disk?.wrote(path, steps.findLast(({ by }) => by === 'agent')?.text);
        return steps;
      });
    } finally {
      this.recorder.heard(sessionId, path);
      this.publish(sessionId, [path]);
    }
  }

  /**
   * Records a change that the agent made by itself, after it happened.
   * @param before the text just before, undefined where the file did not exist.
   * @param after the text just after, undefined where it is gone.
   */
  recordChange(sessionId: string, path: string, before: string | undefined, after: string | undefined, origin: HunkOrigin): void {
    this.tell(sessionId, path, before, after, origin);
    this.publish(sessionId, [path]);
  }

  /** Records that an agent changed a file as a whole, after it happened. @param before undefined if it is not known */
  recordWhole(sessionId: string, path: string, before: FileContent | undefined, after: FileContent): void {
    this.whole?.record(sessionId, path, before, after);
    this.publish(sessionId, [path]);
  }

  /** Whether a change of a file as a whole is pending. */
  isWhole(sessionId: string, path: string): boolean {
    return this.sessions.get(sessionId)?.ledger.whole(path) !== undefined;
  }

  /** Records what someone else than an agent has made of a file on disk. */
  recordEdit(path: string, text: string | undefined): void {
    for (const [sessionId, { ledger }] of this.sessions) {
      if (!ledger.has(path)) continue;
      ledger.edited(path, text);
      this.publish(sessionId, [path]);
    }
  }

  /** What stands in a file that is followed, as far as is known here; undefined for one that is not. */
  textNow(path: string): { readonly text: string | undefined } | undefined {
    for (const { ledger } of this.sessions.values()) if (ledger.has(path)) return { text: ledger.current(path) };
    return undefined;
  }

  /** What a file held before the changes that wait in it, by whichever session. */
  baselines(path: string): string[] {
    return [...this.sessions.values()].flatMap(({ ledger }) => ledger.lines(path)?.baseline ?? []);
  }

  /** Whether a write of our own to this file runs. */
  isWriting(path: string): boolean {
    return [...this.sessions.values()].some(({ writing }) => writing.has(path));
  }

  /** What is known of a file, to be handed to `takeBack`. */
  entry(sessionId: string, path: string): Entry | undefined {
    return this.sessions.get(sessionId)?.ledger.saved.get(path);
  }

  /** What was kept of a file waits again. @param kept `entry` from before */
  async takeBack(sessionId: string, path: string, kept: Entry): Promise<void> {
    this.track(sessionId).ledger.takeBack(path, kept);
    await this.look(sessionId, path);
    this.publish(sessionId, [path]);
  }

  /** Hunks of a file that were undone and can come back. */
  rejected(sessionId: string, path: string): readonly string[] {
    return this.sessions.get(sessionId)?.ledger.rejected(path).map(({ id }) => id) ?? [];
  }

  /** Forgets the changes of a session; the files stay as they are. */
  disposeSession(sessionId: string): void {
    this.sessions.get(sessionId)?.ledger.clear();
    this.publish(sessionId);
    this.sessions.delete(sessionId);
    this.options.baselines.deleteAll(sessionId);
  }

  override dispose(): void {
    this.sessions.clear();
    super.dispose();
  }

  private labelOf(sessionId: string, path: string): string {
    return labelOfPath(path, this.options.scopes(sessionId)?.cwd ?? '');
  }

  private track(sessionId: string): Tracked {
    let tracked = this.sessions.get(sessionId);
    if (!tracked) this.sessions.set(sessionId, (tracked = { ledger: new Ledger(), writing: new Map(), published: new Map() }));
    return tracked;
  }

  /** One change of one agent; for the other sessions it is an edit of someone else. */
  private tell(sessionId: string, path: string, before: string | undefined, after: string | undefined, origin: HunkOrigin): void {
    this.recorder.changed(sessionId, path, before, after);
    this.track(sessionId).ledger.agentWrote(path, before, after, { origin, turn: this.options.turnOf(sessionId) });
    this.tellOthers(sessionId, path, after);
  }

  private tellOthers(sessionId: string, path: string, after: string | undefined): void {
    for (const [other, { ledger }] of this.sessions) {
      if (other === sessionId || !ledger.has(path)) continue;
      ledger.edited(path, after);
      this.publish(other, [path]);
    }
  }

  private async writing(path: string): Promise<() => void> {
    return (await this.disk?.writing(path)) ?? (() => undefined);
  }

  private beforeAll(path: string): ReturnType<ShownChanges['beforeAll']> {
    const ledgers = [...this.sessions.values()].flatMap(({ ledger }) => (ledger.lines(path) ? ledger : []));
    return ledgers.length > 0 ? { text: commonBaseline(path, ledgers), isOfSeveral: ledgers.length > 1 } : undefined;
  }

  private onDisk(path: string): WriteOptions {
    const originals = this.options.kept?.originals;
    return {
      originalOf: async (text) => originals?.get(path, text),
      keepOriginal: (text, bytes) => originals?.keep(path, text, { bytes, mode: undefined }),
      wrote: (text) => this.disk?.wrote(path, text),
    };
  }

  private touched(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    for (const { ledger } of this.sessions.values()) {
      const path = ledger.has(uri.fsPath) ? uri.fsPath : ledger.paths.find((followed) => samePath(followed, uri.fsPath));
      if (path !== undefined) this.followed.touch(path);
    }
  }

  /** A file or a folder has another name: its changes go with it. */
  private renamed(from: vscode.Uri, to: vscode.Uri): void {
    if (from.scheme !== 'file' || to.scheme !== 'file') return;
    for (const [sessionId, { ledger }] of this.sessions) {
      const inside = ledger.paths.filter((path) => samePath(path, from.fsPath) || path.startsWith(from.fsPath + nodePath.sep));
      for (const path of inside) ledger.moved(path, to.fsPath + path.slice(from.fsPath.length));
      if (inside.length === 0) continue;
      this.publish(sessionId);
      for (const path of ledger.paths) this.touched(vscode.Uri.file(path));
    }
  }

  /** Takes over what the user has just typed into a file, without the usual wait. */
  catchUp(uri: vscode.Uri): Promise<void> {
    this.touched(uri);
    return this.followed.readTouched();
  }

  /**
   * Takes over what has become of files with pending changes on disk, of which no event of the editor told.
   * @param paths all where absent. @returns when that is done for what was on disk at the call.
   */
  lookAgain(paths?: readonly string[]): Promise<void> {
    return this.followed.lookAgain(paths);
  }

  private async lookAt(paths: readonly string[]): Promise<void> {
    for (const [sessionId, { ledger }] of this.sessions) {
      const changed: string[] = [];
      const inSession = paths.filter((path) => ledger.has(path)).map((path) => ({ path }));
      await eachFile(inSession, () => true, async ({ path }) => (await this.look(sessionId, path)) && changed.push(path));
      if (changed.length > 0) this.publish(sessionId, changed);
    }
  }

  /** Takes over what has become of one file, or of all, before something is decided about it. */
  private async refresh(sessionId: string, path: string | undefined): Promise<void> {
    const paths = path === undefined ? this.tracked(sessionId).map((change) => change.path) : [path];
    await this.disk?.settle(paths);
    for (const item of paths) await this.look(sessionId, item);
    this.publish(sessionId, paths);
  }

  /** Takes over what stands in a file now. @returns whether that was new. */
  private async look(sessionId: string, path: string): Promise<boolean> {
    const tracked = this.sessions.get(sessionId);
    if (!tracked?.ledger.has(path) || tracked.ledger.whole(path)) return false;
    try {
      const text = await readStable(path, tracked.ledger.current(path));
      if (text !== undefined && tracked.ledger.current(path) === undefined && (await isOnlyUnsaved(path))) return false;
      // A write that began meanwhile reports by itself.
      if (tracked.writing.has(path) || (text === undefined ? undefined : withLineFeeds(text)) === tracked.ledger.current(path) || this.disk?.takes(path, text)) return false;
      tracked.ledger.edited(path, text);
      return true;
    } catch (error) {
      this.options.log.warn(`${path} cannot be followed any more: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  /** @param paths those that may have changed; all when absent. A formatter may change thousands, one after the other. */
  private publish(sessionId: string, paths?: readonly string[]): void {
    const tracked = this.sessions.get(sessionId);
    if (!tracked) return;
    const { ledger, published } = tracked;
    for (const path of paths ?? new Set([...published.keys(), ...ledger.paths])) {
      const change = ledger.get(path);
      if (!change) {
        published.delete(path);
        if (![...this.sessions.values()].some((session) => session.published.has(path))) this.followed.forget(path);
      } else if (published.get(path) !== change) {
        published.set(path, change);
        if (change.note === undefined) {
          this.options.baselines.set(path, sessionId, change.baseline ?? '');
          // Files also change behind the editor's back: by a command, by another program.
          this.followed.follow(path, change.current !== undefined);
        }
      }
      this.diffs.update(path);
    }
    this.changeEmitter.fire({ sessionId });
  }
}

/** A change of one file as a row of a list. @param guarded it needs its own decision */
function changeView({ path, kind, added, removed, hunks, note, cannotUndo }: Change, label: string, guarded: boolean): ChangeView {
  const conflicts = hunks.filter(({ state }) => state === 'conflicted').length;
  const whole = { ...(note === undefined ? {} : { note }), ...(cannotUndo ? { cannotUndo } : {}) };
  return { path, label, kind, added, removed, hunks: hunks.length, conflicts, ...whole, ...(guarded ? { guarded } : {}) };
}
