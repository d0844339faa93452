import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { ChangedFile } from '../../changes/changeGroups';
import type { Hunk } from '../../changes/hunk';
import { originOf } from '../../changes/movedFiles';
import type { Place } from '../../changes/places';
import { ofTurn, type Scope, type Target } from '../../changes/scope';
import { markedWindow } from '../platform/markedWindow';
import type { ChangeRow, ChangesTree, MoreRow } from './changesTree';
import { plainText } from '../platform/plainText';
import { undoAll } from './confirmations';
import type { Review } from './review';

export interface ChangeCommandTargets {
  readonly review: Review;
  readonly tree: ChangesTree;
  /** Moves the cursor to a hunk. */
  readonly goTo: (place: Place) => Promise<void>;
  /** The shown session, and its last turn. */
  readonly shown: () => { readonly sessionId: string; readonly turn: string | undefined };
}

/** Commands for many changes at once, and those of the tree's rows. */
export class ChangeCommands extends Disposable {
  constructor(private readonly targets: ChangeCommandTargets) {
    super();
    const { review, tree } = targets;
    const table: Readonly<Record<string, (...args: never[]) => unknown>> = {
      'parley.keepAll': () => review.keep({}),
      'parley.undoAll': () => undoAll(review, targets.shown().sessionId),
      'parley.openAllChanges': () => review.open(undefined),
      'parley.showChangesSinceReview': () => this.#showSinceReview(),
      'parley.keepTurn': () => this.#ofShown('turn', (scope) => review.keep(scope)),
      'parley.undoTurn': () => this.#ofShown('turn', (scope) => review.undo(scope)),
      'parley.keepSession': () => this.#ofShown('session', (scope) => review.keep(scope)),
      'parley.undoSession': () => this.#ofShown('session', (scope) => review.undo(scope)),
      'parley.undoLastKeep': () => this.undoLastKeep(),
      'parley.changes.groupByTurn': () => tree.group('turn'),
      'parley.changes.groupByFile': () => tree.group('file'),
      'parley.changes.more': (row: MoreRow) => tree.showMore(row),
      'parley.changes.open': (row?: ChangeRow) => this.#open(row ?? tree.selection[0]),
      'parley.changes.openFile': (row?: ChangeRow) => this.#openFile(row ?? tree.selection[0]),
      'parley.changes.keep': (row?: ChangeRow, rows?: readonly ChangeRow[]) => this.#keep(this.#chosen(row, rows)),
      'parley.changes.undo': (row?: ChangeRow, rows?: readonly ChangeRow[]) =>
        review.undoTargets(this.#chosen(row, rows).flatMap(targetsIn)),
    };
    for (const [id, run] of Object.entries(table)) this.register(vscode.commands.registerCommand(id, run));
  }

  /** Makes the changes of the last Keep pending again, also of an automatic one. */
  async undoLastKeep(): Promise<void> {
    const { isDone, gone } = await this.targets.review.keeping.undoLast();
    if (!isDone) void markedWindow.showInformationMessage(l10n.t('No changes kept since this window opened.'));
    else if (gone.length > 0)
      void markedWindow.showWarningMessage(plainText(l10n.t('These files no longer exist: {0}', gone.join(', ')), 500));
  }

  async #showSinceReview(): Promise<void> {
    const { review, shown } = this.targets;
    const { sessionId } = shown();
    if (await review.openSinceReview(sessionId)) return;
    // Changes without lines to compare are shown in the tree only.
    if (review.targets({ sessionId }).length > 0) await vscode.commands.executeCommand('parley.changes.focus');
    else void markedWindow.showInformationMessage(l10n.t('This session has no pending changes.'));
  }

  /** Acts on the pending changes of the shown session, or of its last turn. */
  async #ofShown(which: 'session' | 'turn', act: (scope: Scope) => Promise<void>): Promise<void> {
    const { sessionId, turn } = this.targets.shown();
    const scope: Scope = which === 'turn' ? { sessionId, turn } : { sessionId };
    const isNone = (which === 'turn' && turn === undefined) || this.targets.review.targets(scope).length === 0;
    if (isNone)
      void markedWindow.showInformationMessage(
        which === 'turn' ? l10n.t('This turn has no pending changes.') : l10n.t('This session has no pending changes.'),
      );
    else await act(scope);
  }

  #chosen(row: ChangeRow | undefined, rows: readonly ChangeRow[] | undefined): readonly ChangeRow[] {
    if (rows && rows.length > 0) return rows;
    return row ? [row] : this.targets.tree.selection;
  }

  /**
   * Keeps chosen files and hunks even if they are protected. Protected files in chosen turns and sessions stay pending.
   */
  async #keep(rows: readonly ChangeRow[]): Promise<void> {
    const isGroup = (row: ChangeRow) => row.kind === 'session' || row.kind === 'turn';
    const { review } = this.targets;
    await review.keepChosen(rows.filter((row) => !isGroup(row)).flatMap(targetsIn));
    await review.keepMany(rows.filter(isGroup).flatMap(targetsIn));
  }

  /** Opens a file as a diff, and a hunk in the file itself. */
  async #open(row: ChangeRow | undefined): Promise<void> {
    if (row?.kind === 'file') await this.targets.review.open(row.path);
    else await this.#openFile(row);
  }

  async #openFile(row: ChangeRow | undefined): Promise<void> {
    if (row?.kind !== 'file' && row?.kind !== 'hunk') return;
    const file = row.kind === 'file' ? row : row.file;
    if (file.change.current === undefined) return this.targets.review.open(file.path);
    const hunk = row.kind === 'hunk' ? row.hunk : file.hunks[0];
    if (hunk) await this.targets.goTo({ sessionId: file.sessionId, path: file.path, hunk });
    else await vscode.window.showTextDocument(vscode.Uri.file(file.path), { preview: true });
  }
}

function targetsIn(row: ChangeRow): Target[] {
  if (row.kind === 'more') return [];
  if (row.kind === 'hunk')
    return [
      { sessionId: row.file.sessionId, path: row.file.path, ...meantIn(row.file, [row.hunk]), ids: [row.hunk.id] },
    ];
  return row.kind === 'file' ? targetsOfFile(row) : row.children.flatMap(targetsIn);
}

/** The targets of a file. For a moved file, the deletion at its old path is decided first. */
function targetsOfFile(file: ChangedFile): Target[] {
  const { sessionId, path, change, hunks } = file;
  const from = originOf(change);
  return [
    ...(from === undefined ? [] : [{ sessionId, path: from, ids: undefined }]),
    { sessionId, path, ...meantIn(file, hunks) },
  ];
}

/** Under a turn, only the changes of that turn are selected. */
function meantIn({ isOfTurn, change, turn }: ChangedFile, hunks: readonly Hunk[]): Pick<Target, 'ids' | 'of'> {
  return isOfTurn ? ofTurn(change, hunks, turn) : { ids: undefined };
}
