import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { groupedBy } from '../../base/groupedBy';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { ChangeView, ConflictChoice } from '../../protocol/changeView';
import type { Wish } from '../../changes/ledger';
import { withMoves } from '../../changes/movedFiles';
import type { Place } from '../../changes/places';
import { type Scope, type SessionChanges, type Target, targetsIn, targetsOf } from '../../changes/scope';
import { besideNote } from '../../changes/wholeChange';
import { changeView, joinRenames } from '../../view/changeRows';
import { labelOfPath } from '../../view/labels';
import { longWork, shownWait } from '../platform/longWork';
import { type DecisionQuestions, DecisionTargets } from './decisionTargets';
import { PendingFiles } from './pendingFiles';
import { BASELINE_SCHEME } from '../changes/baselineDocuments';
import type { KeepHistory } from '../changes/keepHistory';
import { isNotebook, NOTEBOOK_SCHEME } from '../changes/notebookBaselines';
import type { ToolDiff } from '../changes/changeDiffs';
import type { ReviewService } from '../changes/reviewService';

/** Events in quick succession are reported to listeners as one. */
const SETTLE_MS = 16;
/** The same while thousands of files are pending, because the views are made from all of them. */
const SETTLE_MANY_MS = 250;
const MANY = 500;

export interface ReviewOptions extends DecisionQuestions {
  /** The path of a file before an agent moved it. */
  readonly movedFrom: (path: string) => string | undefined;
  readonly isGuarded: (path: string) => boolean;
  /** Asks whether to keep protected files too, after the others were kept. */
  readonly askGuarded: (labels: readonly string[]) => Promise<boolean>;
}

/** A pending change of the storage form of a text, in words. */
export interface FormPlace {
  readonly sessionId: string;
  readonly path: string;
  readonly words: string;
}

/**
 * The review as the user sees it: one list over all sessions, because a pending change must stay visible when a new
 * session begins.
 */
export class Review extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #settle: Coalescer;
  /** The pending changes by file; made after a change and not for each movement of the cursor. */
  #known: PendingFiles | undefined;
  readonly #listed = new Map<string | undefined, { readonly cwd: string; readonly changes: readonly ChangeView[] }>();
  /** Number of pending files at the last look. */
  #count = 0;

  readonly #decided: DecisionTargets;

  /** Fires a moment after a change, because a command of the agent may change thousands of files. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly service: ReviewService,
    readonly keeping: KeepHistory,
    private readonly cwd: () => string,
    clock: Clock,
    private readonly options: ReviewOptions,
  ) {
    super();
    this.#decided = new DecisionTargets(service, cwd, options);
    this.#settle = this.register(
      new Coalescer(clock, SETTLE_MS, () => {
        this.#forget();
        this.#changeEmitter.fire();
      }),
    );
    this.register(vscode.window.tabGroups.onDidChangeTabs(() => this.#updateContext()));
    this.register(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#updateContext()));
    this.register(service.onDidChangeChanges(() => this.refresh()));
    this.register(this.onDidChange(() => this.#updateContext()));
  }

  readonly isGuarded = (path: string): boolean => this.options.isGuarded(path);

  /** The descriptions of files may have changed, although their changes have not. */
  refresh(): void {
    const isMany = this.#count > MANY;
    // With thousands of files, callers in the meantime get the previous list.
    if (!isMany) this.#forget();
    this.#settle.schedule(isMany ? SETTLE_MANY_MS : SETTLE_MS);
  }

  #forget(): void {
    this.#known = undefined;
    this.#listed.clear();
  }

  /** The pending changes of one session or of all, file by file. The same list as before if nothing has changed. */
  changes(sessionId?: string): readonly ChangeView[] {
    const cwd = this.cwd();
    const known = this.#listed.get(sessionId);
    if (known?.cwd === cwd) return known.changes;
    const views =
      sessionId === undefined
        ? this.#files.views
        : this.service.tracked(sessionId).map((change) => changeView(change, change.path, this.isGuarded(change.path)));
    const changes = joinRenames(
      views.map((view) => ({ ...view, label: labelOfPath(view.path, cwd) })),
      this.options.movedFrom,
    );
    this.#listed.set(sessionId, { cwd, changes });
    return changes;
  }

  /** All places to decide; see `PendingFiles.places`. */
  places(): readonly Place[] {
    return this.#files.places;
  }

  /** Number of files with places. */
  get fileCount(): number {
    return this.#files.fileCount;
  }

  /** Index of the place at a line of a file; see `PendingFiles.placeAt`. */
  placeAt(path: string, line: number, lineCount: number): number {
    return this.#files.placeAt(path, line, lineCount);
  }

  /** The places of one file, for any spelling of its path. */
  placesIn(path: string): readonly Place[] {
    return this.#files.at(path)?.places ?? [];
  }

  /** The hunks of a document. */
  placesOf({ uri }: vscode.TextDocument): Place[] {
    return uri.scheme === 'file' ? this.placesIn(uri.fsPath).filter(({ hunk }) => hunk !== undefined) : [];
  }

  /** The text to which the line numbers of a document's changes refer; undefined if it has no changes. */
  textOf(document: vscode.TextDocument): string | undefined {
    const path = this.pathIn(document);
    return path === undefined ? undefined : this.service.textNow(path)?.text;
  }

  /** The path of a document under review, as its change spells it. */
  pathIn({ uri }: vscode.TextDocument): string | undefined {
    return uri.scheme === 'file' ? this.changeIn(uri.fsPath)?.path : undefined;
  }

  /** The pending change of a document besides its lines: line ends, byte order mark, permissions. */
  formIn(document: vscode.TextDocument): FormPlace | undefined {
    const path = this.pathIn(document);
    if (path === undefined) return undefined;
    for (const sessionId of this.service.pendingSessions) {
      const words = besideNote(this.service.session(sessionId)?.ledger.whole(path)).join(', ');
      if (words !== '') return { sessionId, path, words };
    }
    return undefined;
  }

  /** Keeps or undoes the storage form and the permissions of a text, and not its lines. */
  decideForm({ sessionId, path }: Pick<FormPlace, 'sessionId' | 'path'>, wish: 'keep' | 'undo'): Promise<void> {
    return this.service.decisions.decideForm(sessionId, path, wish);
  }

  /** The pending change of one file. */
  changeIn(path: string): ChangeView | undefined {
    return this.#files.at(path)?.view;
  }

  /**
   * Opens the diff of one file, or of all in one editor. A file without lines to compare is opened as it is.
   * @param sessionId absent for all sessions
   */
  async open(path: string | undefined, sessionId?: string): Promise<void> {
    await this.look(path === undefined ? undefined : [{ path }]);
    const change = this.changes(sessionId).find((item) => item.path === path);
    if (change?.note !== undefined) {
      if (change.kind !== 'deleted') await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(change.path));
      return;
    }
    const holders = this.#holders(path).filter((id) => sessionId === undefined || id === sessionId);
    if (holders.length > 0 && path !== undefined)
      await (await this.service.diffs()).openChanges(holders, path, this.#originOf(path));
    else if (holders.length > 0)
      await (await this.service.diffs()).openAll(holders, l10n.t('Agent changes'), this.#originOf);
    // Changes without lines to compare are shown in the tree only.
    else if (path === undefined) await vscode.commands.executeCommand('parley.changes.focus');
  }

  /** Opens the pending changes of a session. @returns false if there are none. */
  async openSinceReview(sessionId: string): Promise<boolean> {
    await this.look();
    return (await this.service.diffs()).openAll([sessionId], l10n.t('Changes since my last review'), this.#originOf);
  }

  /** Opens the changes of one turn in one editor. */
  async openTurn(sessionId: string, turn: string): Promise<void> {
    await this.look();
    const paths = new Set(this.targets({ sessionId, turn }).map(({ path }) => path));
    await (
      await this.service.diffs()
    ).openAll([sessionId], l10n.t('Changes in this turn'), this.#originOf, (path) => paths.has(path));
  }

  /** The pending changes, session by session, the oldest first. */
  get sessions(): readonly SessionChanges[] {
    return this.service.pendingSessions.map((sessionId) => ({ sessionId, changes: this.service.tracked(sessionId) }));
  }

  /** The same with one change for each moved file. */
  get withMoves(): readonly SessionChanges[] {
    return withMoves(this.sessions, this.options.movedFrom);
  }

  /** The same with notebooks as a whole, because their editor has other lines. */
  get rows(): readonly SessionChanges[] {
    return this.withMoves.map(({ sessionId, changes }) => ({
      sessionId,
      changes: changes.map((change) => (isNotebook(change.path) ? { ...change, hunks: [] } : change)),
    }));
  }

  /** The targets of a scope among all changes. */
  targets(scope: Scope): Target[] {
    const targets = targetsIn(this.sessions, scope);
    return scope.path === undefined ? targets : [...this.#originsOf(targets), ...targets];
  }

  /** Remembers the targets of a scope while the user answers a question; see `asAsked`. */
  async chosen(scope: Scope): Promise<() => Promise<Target[]>> {
    await this.look();
    return this.#decided.asAsked(this.targets(scope));
  }

  /** The targets of a scope after a check of their files. Tells the user if there are none. */
  async #inScope(scope: Scope): Promise<readonly Target[]> {
    await this.look(this.targets(scope));
    const targets = this.targets(scope);
    if (targets.length === 0) this.options.report(l10n.t('These changes are no longer pending.'));
    return targets;
  }

  /** Keeps a scope: a single file even if it is protected, otherwise only files that are not protected. */
  async keep(scope: Scope): Promise<void> {
    const targets = await this.#inScope(scope);
    await (scope.path === undefined ? this.keepMany(targets) : this.keepChosen(targets));
  }

  /** Keeps files that are not protected, then asks about the others. */
  async keepMany(chosen: readonly Target[]): Promise<void> {
    const targets = await this.#decided.meant(chosen, 'keep');
    const guarded = targets.filter(({ path }) => this.options.isGuarded(path));
    const asAsked = this.#decided.asAsked(guarded);
    await this.keepTargets(targets.filter((target) => !guarded.includes(target)));
    const labels = this.#decided.labelsOf(guarded);
    if (labels.length > 0 && (await this.options.askGuarded(labels))) await this.keepTargets(await asAsked());
  }

  /** Keeps targets that the user chose one by one, even if they are protected. */
  async keepChosen(chosen: readonly Target[]): Promise<void> {
    await this.keepTargets(await this.#decided.meant(chosen, 'keep'));
  }

  /** Keeps without any question. @returns the number of files with a kept change. */
  async keepTargets(targets: readonly Target[]): Promise<number> {
    let kept = 0;
    await this.look(targets);
    await longWork(l10n.t('Keeping changes'), targets.length, async (step) => {
      kept = await this.keeping.keep(targets, step);
    });
    return kept;
  }

  async undo(scope: Scope): Promise<void> {
    await this.undoTargets(await this.#inScope(scope));
  }

  async undoTargets(chosen: readonly Target[]): Promise<void> {
    const targets = await this.#decided.meant(chosen, 'undo');
    await longWork(l10n.t('Undoing changes'), targets.length, async (step) => {
      let goesOn = true;
      for (const [sessionId, own] of this.#newestFirst(targets.toReversed())) {
        await this.service.decisions.undoIn(sessionId, own, () => (goesOn &&= step()));
        if (!goesOn) return;
      }
    });
  }

  /** Keeps some places with their present lines. */
  async keepPlaces(places: readonly Place[]): Promise<void> {
    const targets = targetsOf(places);
    await this.keepChosen([...this.#originsOf(targets), ...targets]);
  }

  /** Applies the user's decision to some places. @returns the number of hunks that stayed as conflicts. */
  async decide(places: readonly Place[], wish: Wish): Promise<number> {
    let conflicts = 0;
    const targets = targetsOf(places);
    if (wish === 'undo' || wish === 'before') await this.undoTargets(this.#originsOf(targets));
    for (const { sessionId, path, ids } of this.#newestFirst(targets).flatMap(([, own]) => own))
      if (ids) conflicts += await this.service.decisions.decide(sessionId, path, wish, ids);
    return conflicts;
  }

  /** Applies the user's choice to all conflicts of a file. */
  async resolve(sessionId: string, path: string, choice: ConflictChoice): Promise<void> {
    const places = this.placesIn(path).filter(
      (place) => place.sessionId === sessionId && place.hunk?.state === 'conflicted',
    );
    if (choice === 'mine') await this.keepPlaces(places);
    else if (choice === 'agents') await this.decide(places, 'agents');
    else if (places[0]) await this.showBoth(places[0]);
  }

  /** Restores the undone changes of a file. @returns false if there were none. */
  async restore(path: string): Promise<boolean> {
    for (const sessionId of this.service.sessionIds.toReversed()) {
      const { ledger } = this.service.session(sessionId)!;
      const ids = ledger.rejected(path).map(({ id }) => id);
      if (ids.length === 0 && !ledger.hasUndoneTurn(path)) continue;
      await this.service.decisions.decide(sessionId, path, 'restore', ids);
      return true;
    }
    return false;
  }

  /** Shows the original lines of a place, in a peek view at `position`. */
  async peekBefore(place: Place, uri: vscode.Uri, position: vscode.Position): Promise<void> {
    if (!place.hunk) return this.open(place.path);
    const { start, end } = place.hunk.baseline;
    const target = new vscode.Location(
      (await this.service.diffs()).baselineUri(place.sessionId, place.path),
      new vscode.Range(start, 0, Math.max(start, end - 1), 1_000),
    );
    await vscode.commands.executeCommand('editor.action.peekLocations', uri, position, [target], 'peek');
  }

  /** Opens a diff of a conflict: the agent's lines on the left, the file on the right. */
  async showBoth(place: Place): Promise<void> {
    if (place.hunk) await (await this.service.diffs()).openBoth(place.sessionId, place.path, place.hunk.id);
  }

  async openToolDiff(sessionId: string, diff: ToolDiff): Promise<void> {
    return (await this.service.diffs()).openToolDiff(sessionId, diff);
  }

  /**
   * Checks files for changes of other programs, because the user is about to review or decide.
   * @param files absent for all
   */
  look(files?: readonly { readonly path: string }[]): Promise<void> {
    return shownWait(l10n.t('Looking for changes on disk'), this.service.lookAgain(files?.map(({ path }) => path)));
  }

  /** Reads the text that the user has just typed into a file. Until then, line numbers refer to the earlier text. */
  catchUp(uri: vscode.Uri): Promise<void> {
    return this.service.catchUp(uri);
  }

  /** The tracked file for a title button of an editor. */
  pathOf(uri: vscode.Uri | undefined): string | undefined {
    const target = uri ?? this.#activeDiff() ?? vscode.window.activeTextEditor?.document.uri;
    return target && this.changeIn(target.fsPath)?.path;
  }

  /** Groups by session, the newest first, because its changes are on top of the others'. */
  #newestFirst(targets: readonly Target[]): [sessionId: string, targets: readonly Target[]][] {
    const order = this.service.pendingSessions;
    const groups = groupedBy(targets, ({ sessionId }) => sessionId);
    return [...groups].sort(([a], [b]) => order.indexOf(b) - order.indexOf(a));
  }

  get #files(): PendingFiles {
    if (this.#known) return this.#known;
    this.#known = new PendingFiles(this.service, this.options.movedFrom, this.isGuarded);
    this.#count = this.#known.views.length;
    return this.#known;
  }

  /** The changes at the old paths of moved files. They are decided together with the moved files, and first. */
  #originsOf(targets: readonly Target[]): Target[] {
    const origins = new Set(targets.map(({ path }) => this.#originOf(path)));
    return [...origins].flatMap((path) => (path === undefined ? [] : targetsIn(this.sessions, { path })));
  }

  /** See `PendingFiles.originOf`. */
  readonly #originOf = (path: string): string | undefined => this.#files.originOf(path);

  #holders(path: string | undefined): string[] {
    return this.service.pendingSessions.filter((id) =>
      this.service
        .tracked(id)
        .some((change) => change.note === undefined && (path === undefined || change.path === path)),
    );
  }

  /** The file on the right of the active diff, if its left side is one of our baselines. */
  #activeDiff(): vscode.Uri | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputNotebookDiff)
      return input.original.scheme.startsWith(NOTEBOOK_SCHEME) ? input.modified : undefined;
    return input instanceof vscode.TabInputTextDiff && input.original.scheme === BASELINE_SCHEME
      ? input.modified
      : undefined;
  }

  #updateContext(): void {
    const diff = this.#activeDiff();
    const active = diff !== undefined && this.pathOf(diff) !== undefined;
    void vscode.commands.executeCommand('setContext', 'parley.reviewActive', active);
  }
}
