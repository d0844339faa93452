import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { type Clock, Coalescer } from '../../base/scheduler';
import type { ChangeView, ConflictChoice } from '../../protocol/changeView';
import type { Wish } from '../../changes/ledger';
import { withMoves } from '../../changes/movedFiles';
import type { Place } from '../../changes/places';
import { type Scope, type SessionChanges, type Target, targetsIn, targetsOf } from '../../changes/scope';
import { formNote } from '../../changes/wholeChange';
import { joinRenames } from '../../view/joinedChange';
import { labelOfPath } from '../../view/labels';
import { longWork } from '../platform/longWork';
import { shownWait } from '../platform/shownWait';
import { type DecisionQuestions, DecisionTargets } from './decisionTargets';
import { PendingFiles } from './pendingFiles';
import { BASELINE_SCHEME } from '../changes/baselineDocuments';
import type { KeepHistory } from '../changes/keepHistory';
import { isNotebook, NOTEBOOK_SCHEME } from '../changes/notebookBaselines';
import type { ToolDiff } from '../changes/changeDiffs';
import type { ReviewService } from '../changes/reviewService';

/** Many events in a row are one for who shows them. */
const SETTLE_MS = 16;
/** The same while thousands of files wait: what is shown is made from all of them. */
const SETTLE_MANY_MS = 250;
const MANY = 500;

export interface ReviewOptions extends DecisionQuestions {
  /** Where a file was before an agent moved it. */
  readonly movedFrom: (path: string) => string | undefined;
  readonly isGuarded: (path: string) => boolean;
  /** Asks whether guarded files are meant too, after the others have been kept. */
  readonly askGuarded: (labels: readonly string[]) => Promise<boolean>;
}

/** A pending change of how a text is stored, in words. */
export interface FormPlace {
  readonly sessionId: string;
  readonly path: string;
  readonly words: string;
}

/**
 * The review as the user sees it: one list over all sessions, because a change that nobody has agreed to must stay
 * in sight when a new session begins.
 */
export class Review extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #settle: Coalescer;
  /** What waits, by file; made anew after a change and not for each cursor that moves. */
  #known: PendingFiles | undefined;
  readonly #listed = new Map<string | undefined, { readonly cwd: string; readonly changes: readonly ChangeView[] }>();
  /** Files that waited when somebody looked last. */
  #count = 0;

  readonly #decided: DecisionTargets;

  /** A moment after something has changed: a command of the agent may change thousands of files. */
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

  /** What is said of the files may be different now, although nothing was changed in them. */
  refresh(): void {
    const isMany = this.#count > MANY;
    // Whoever asks in the meantime, with each frame, is told of thousands what was known a moment ago.
    if (!isMany) this.#forget();
    this.#settle.schedule(isMany ? SETTLE_MANY_MS : SETTLE_MS);
  }

  #forget(): void {
    this.#known = undefined;
    this.#listed.clear();
  }

  /** All that is pending, of one session or of all, file by file. The same list as before where nothing has changed. */
  changes(sessionId?: string): readonly ChangeView[] {
    const cwd = this.cwd();
    const known = this.#listed.get(sessionId);
    if (known?.cwd === cwd) return known.changes;
    const views = sessionId === undefined ? this.#files.views : this.service.changes(sessionId);
    const changes = joinRenames(
      views.map((view) => ({ ...view, label: labelOfPath(view.path, cwd) })),
      this.options.movedFrom,
    );
    this.#listed.set(sessionId, { cwd, changes });
    return changes;
  }

  /** Everything that waits for a decision; see `PendingFiles.places`. */
  places(): readonly Place[] {
    return this.#files.places;
  }

  /** How many files they are in. */
  get fileCount(): number {
    return this.#files.fileCount;
  }

  /** Which of them is at a line of a file; see `PendingFiles.placeAt`. */
  placeAt(path: string, line: number, lineCount: number): number {
    return this.#files.placeAt(path, line, lineCount);
  }

  /** The same of one file, however its path is spelled. */
  placesIn(path: string): readonly Place[] {
    return this.#files.at(path)?.places ?? [];
  }

  /** The hunks of a document. */
  placesOf({ uri }: vscode.TextDocument): Place[] {
    return uri.scheme === 'file' ? this.placesIn(uri.fsPath).filter(({ hunk }) => hunk !== undefined) : [];
  }

  /** The text in which the lines of a document's changes are counted; undefined where it has none. */
  textOf(document: vscode.TextDocument): string | undefined {
    const path = this.pathIn(document);
    return path === undefined ? undefined : this.service.textNow(path)?.text;
  }

  /** The path of a document under review, as its change spells it. */
  pathIn({ uri }: vscode.TextDocument): string | undefined {
    return uri.scheme === 'file' ? this.changeIn(uri.fsPath)?.path : undefined;
  }

  /** How the text of a document is stored now, where that is pending: line ends, byte order mark. */
  formIn(document: vscode.TextDocument): FormPlace | undefined {
    const path = this.pathIn(document);
    if (path === undefined) return undefined;
    for (const sessionId of this.service.pendingSessions) {
      const words = formNote(this.service.session(sessionId)?.ledger.whole(path)).join(', ');
      if (words !== '') return { sessionId, path, words };
    }
    return undefined;
  }

  /** Keeps or undoes how the text of a file is stored, and leaves its lines. */
  decideForm({ sessionId, path }: Pick<FormPlace, 'sessionId' | 'path'>, wish: 'keep' | 'undo'): Promise<void> {
    return this.service.decisions.decideForm(sessionId, path, wish);
  }

  /** One line of the list. */
  changeIn(path: string): ChangeView | undefined {
    return this.#files.at(path)?.view;
  }

  /**
   * Opens the diff of one file, or of all in one editor. A file without lines to compare is opened as it is.
   * @param sessionId all sessions where absent
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
    // What has no lines to compare has its place in the tree.
    else if (path === undefined) await vscode.commands.executeCommand('parley.changes.focus');
  }

  /** Opens what a session has changed and the user has not agreed to. @returns whether there was anything. */
  async openSinceReview(sessionId: string): Promise<boolean> {
    await this.look();
    return (await this.service.diffs()).openAll([sessionId], l10n.t('Changes since my last review'), this.#originOf);
  }

  /** Opens what one turn changed in one editor. */
  async openTurn(sessionId: string, turn: string): Promise<void> {
    await this.look();
    const paths = new Set(this.targets({ sessionId, turn }).map(({ path }) => path));
    await (
      await this.service.diffs()
    ).openAll([sessionId], l10n.t('Changes in this turn'), this.#originOf, (path) => paths.has(path));
  }

  /** What is pending, session by session, the oldest first. */
  get sessions(): readonly SessionChanges[] {
    return this.service.pendingSessions.map((sessionId) => ({ sessionId, changes: this.service.tracked(sessionId) }));
  }

  /** The same with one change for each file that was moved. */
  get withMoves(): readonly SessionChanges[] {
    return withMoves(this.sessions, this.options.movedFrom);
  }

  /** The same with notebooks as a whole: their editor has other lines. */
  get rows(): readonly SessionChanges[] {
    return this.withMoves.map(({ sessionId, changes }) => ({
      sessionId,
      changes: changes.map((change) => (isNotebook(change.path) ? { ...change, hunks: [] } : change)),
    }));
  }

  /** What of all changes a scope means. */
  targets(scope: Scope): Target[] {
    const targets = targetsIn(this.sessions, scope);
    return scope.path === undefined ? targets : [...this.#originsOf(targets), ...targets];
  }

  /** Remembers what a scope means while a question about it waits, as `asAsked`. */
  async chosen(scope: Scope): Promise<() => Promise<Target[]>> {
    await this.look();
    return this.#decided.asAsked(this.targets(scope));
  }

  /** What a scope means once its files were looked at; says so where that is nothing. */
  async #inScope(scope: Scope): Promise<readonly Target[]> {
    await this.look(this.targets(scope));
    const targets = this.targets(scope);
    if (targets.length === 0) this.options.report(l10n.t('These changes are no longer pending.'));
    return targets;
  }

  /** The user agrees to a scope: to one file whatever it is, of many to those that are not guarded. */
  async keep(scope: Scope): Promise<void> {
    const targets = await this.#inScope(scope);
    await (scope.path === undefined ? this.keepMany(targets) : this.keepChosen(targets));
  }

  /** Keeps what is not guarded, and then asks about the rest. */
  async keepMany(chosen: readonly Target[]): Promise<void> {
    const targets = await this.#decided.meant(chosen, 'keep');
    const guarded = targets.filter(({ path }) => this.options.isGuarded(path));
    const asAsked = this.#decided.asAsked(guarded);
    await this.keepTargets(targets.filter((target) => !guarded.includes(target)));
    const labels = this.#decided.labelsOf(guarded);
    if (labels.length > 0 && (await this.options.askGuarded(labels))) await this.keepTargets(await asAsked());
  }

  /** Keeps what the user chose by itself, guarded or not. */
  async keepChosen(chosen: readonly Target[]): Promise<void> {
    await this.keepTargets(await this.#decided.meant(chosen, 'keep'));
  }

  /** Keeps without any question. @returns the number of files in which something was kept. */
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

  /** The user agrees to some places, as they are now. */
  async keepPlaces(places: readonly Place[]): Promise<void> {
    const targets = targetsOf(places);
    await this.keepChosen([...this.#originsOf(targets), ...targets]);
  }

  /** Carries out what the user wants of some places. @returns the number of those that stayed as conflicts. */
  async decide(places: readonly Place[], wish: Wish): Promise<number> {
    let conflicts = 0;
    const targets = targetsOf(places);
    if (wish === 'undo' || wish === 'before') await this.undoTargets(this.#originsOf(targets));
    for (const { sessionId, path, ids } of this.#newestFirst(targets).flatMap(([, own]) => own))
      if (ids) conflicts += await this.service.decisions.decide(sessionId, path, wish, ids);
    return conflicts;
  }

  /** What the user chose for all conflicts of a file. */
  async resolve(sessionId: string, path: string, choice: ConflictChoice): Promise<void> {
    const places = this.placesIn(path).filter(
      (place) => place.sessionId === sessionId && place.hunk?.state === 'conflicted',
    );
    if (choice === 'mine') await this.keepPlaces(places);
    else if (choice === 'agents') await this.decide(places, 'agents');
    else if (places[0]) await this.showBoth(places[0]);
  }

  /** Brings back what was undone in a file. @returns whether there was anything. */
  async restore(path: string): Promise<boolean> {
    for (const sessionId of this.service.sessionIds.toReversed()) {
      const ids = this.service.rejected(sessionId, path);
      if (ids.length === 0 && !this.service.session(sessionId)?.ledger.hasUndoneTurn(path)) continue;
      await this.service.decisions.decide(sessionId, path, 'restore', ids);
      return true;
    }
    return false;
  }

  /** Shows what stood at a place before, in a peek view at `position`. */
  async peekBefore(place: Place, uri: vscode.Uri, position: vscode.Position): Promise<void> {
    if (!place.hunk) return this.open(place.path);
    const { start, end } = place.hunk.baseline;
    const target = new vscode.Location(
      (await this.service.diffs()).baselineUri(place.sessionId, place.path),
      new vscode.Range(start, 0, Math.max(start, end - 1), 1_000),
    );
    await vscode.commands.executeCommand('editor.action.peekLocations', uri, position, [target], 'peek');
  }

  /** Opens a diff of a conflict: left the agent's lines, right what stands in the file. */
  async showBoth(place: Place): Promise<void> {
    if (place.hunk) await (await this.service.diffs()).openBoth(place.sessionId, place.path, place.hunk.id);
  }

  async openToolDiff(sessionId: string, diff: ToolDiff): Promise<void> {
    return (await this.service.diffs()).openToolDiff(sessionId, diff);
  }

  /**
   * Takes over what other programs have made of files: the user is about to look at the review, or decides.
   * @param files all where absent
   */
  look(files?: readonly { readonly path: string }[]): Promise<void> {
    return shownWait(l10n.t('Looking for changes on disk'), this.service.lookAgain(files?.map(({ path }) => path)));
  }

  /** Takes over what the user has just typed into a file: before it is known, lines are counted as they were. */
  catchUp(uri: vscode.Uri): Promise<void> {
    return this.service.catchUp(uri);
  }

  /** The tracked file that an editor's title button is about. */
  pathOf(uri: vscode.Uri | undefined): string | undefined {
    const target = uri ?? this.#activeDiff() ?? vscode.window.activeTextEditor?.document.uri;
    return target && this.changeIn(target.fsPath)?.path;
  }

  /** By session, the newest first: its changes lie on top of the others'. */
  #newestFirst(targets: readonly Target[]): [sessionId: string, targets: readonly Target[]][] {
    const order = this.service.pendingSessions;
    const ids = [...new Set(targets.map(({ sessionId }) => sessionId))].sort(
      (a, b) => order.indexOf(b) - order.indexOf(a),
    );
    return ids.map((id) => [id, targets.filter(({ sessionId }) => sessionId === id)]);
  }

  get #files(): PendingFiles {
    if (this.#known) return this.#known;
    this.#known = new PendingFiles(this.service, this.options.movedFrom);
    this.#count = this.#known.views.length;
    return this.#known;
  }

  /** A file that was moved is two changes: one here, and one where it was, which is decided with it and first. */
  #originsOf(targets: readonly Target[]): Target[] {
    const origins = new Set(targets.map(({ path }) => this.#originOf(path)));
    return [...origins].flatMap((path) => (path === undefined ? [] : targetsIn(this.sessions, { path })));
  }

  /** Where a file was, as long as that waits too. */
  readonly #originOf = (path: string): string | undefined => this.#files.originOf(path);

  #holders(path: string | undefined): string[] {
    return this.service.pendingSessions.filter((id) =>
      this.service
        .tracked(id)
        .some((change) => change.note === undefined && (path === undefined || change.path === path)),
    );
  }

  /** The file on the right of the diff that is in front, where its left is one of our baselines. */
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
