import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../base/numberText';
import { Disposable } from '../../base/lifecycle';
import { visibleLine } from '../../base/visibleText';
import { type ChangedFile, type ChangeGroup, changeGroups, firstText, type GroupBy } from '../../changes/changeGroups';
import { type Hunk, markOf } from '../../changes/hunk';
import { originOf } from '../../changes/movedFiles';
import { sum } from '../../changes/lineEdits';
import { countOf, pendingIn } from '../../changes/pending';
import type { Place } from '../../changes/places';
import { labelOfPath } from '../../view/labels';
import { markedWindow, readable } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { Review } from './review';

/** The number of rows that a level shows at first, and that each click on its last row adds. */
const PAGE = 200;
const VIEW = 'parley.changes';
const groupingKey = 'parley.changes.groupBy';
const HUNK_ICONS = {
  conflicted: 'warning',
  deleted: 'diff-removed',
  added: 'diff-added',
  changed: 'diff-modified',
} as const;

/** A hunk in the tree; `file` is the row above it. */
export interface HunkRow {
  readonly kind: 'hunk';
  readonly id: string;
  readonly file: ChangedFile;
  readonly hunk: Hunk;
}

/** The row that shows the rest of a level. */
export interface MoreRow {
  readonly kind: 'more';
  readonly id: string;
  readonly level: string;
  readonly count: number;
}

export type ChangeRow = ChangeGroup | ChangedFile | HunkRow | MoreRow;

export interface ChangesTreeOptions {
  readonly review: Review;
  readonly state: vscode.Memento;
  readonly cwd: (sessionId: string) => string;
  readonly sessionTitle: (sessionId: string) => string | undefined;
  /** The prompt with which a turn began. */
  readonly turnTitle: (sessionId: string, turn: string) => string | undefined;
  /** The subagents that made a hunk, in words; empty if it is the agent's own. */
  readonly subagentsOf: (of: Pick<Place, 'sessionId' | 'path' | 'hunk'>) => string;
}

/**
 * The tree "Agent Changes": files with their hunks, grouped by turns if the user chose that, and by sessions if there
 * are several.
 */
export class ChangesTree extends Disposable implements vscode.TreeDataProvider<ChangeRow> {
  readonly #changeEmitter = this.register(new vscode.EventEmitter<void>());
  readonly #view: vscode.TreeView<ChangeRow>;
  /** The number of shown rows of a level, if it is more than one page. */
  readonly #shown = new Map<string, number>();
  #chosen: readonly ChangeRow[] = [];

  readonly onDidChangeTreeData = this.#changeEmitter.event;

  constructor(private readonly options: ChangesTreeOptions) {
    super();
    this.#view = this.register(
      markedWindow.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true, canSelectMany: true }),
    );
    this.register(this.#view.onDidChangeSelection(({ selection }) => (this.#chosen = selection)));
    this.register(options.review.onDidChange(() => this.#update()));
    this.register(this.#view.onDidChangeVisibility(({ visible }) => visible && void options.review.look()));
    this.#update();
  }

  get groupBy(): GroupBy {
    return this.options.state.get<GroupBy>(groupingKey) === 'turn' ? 'turn' : 'file';
  }

  /** The selected rows. VS Code reports none while rows are read again, so the last selection is used then. */
  get selection(): readonly ChangeRow[] {
    return this.#view.selection.length > 0 ? this.#view.selection : this.#chosen;
  }

  async group(by: GroupBy): Promise<void> {
    await this.options.state.update(groupingKey, by);
    this.#update();
  }

  showMore({ level }: MoreRow): void {
    this.#shown.set(level, (this.#shown.get(level) ?? PAGE) + PAGE);
    this.#changeEmitter.fire();
  }

  getChildren(row?: ChangeRow): ChangeRow[] {
    if (!row) return this.#page('', changeGroups(this.options.review.rows, this.groupBy));
    if (row.kind === 'session' || row.kind === 'turn') return this.#page(row.id, row.children);
    if (row.kind === 'file')
      return this.#page(
        row.id,
        row.hunks.map((hunk): HunkRow => ({ kind: 'hunk', id: `${row.id} ${hunk.id}`, file: row, hunk })),
      );
    return [];
  }

  getTreeItem(row: ChangeRow): vscode.TreeItem {
    return readable(
      row.kind === 'more'
        ? moreItem(row)
        : row.kind === 'hunk'
          ? hunkItem(row, this.options.subagentsOf({ ...row.file, hunk: row.hunk }))
          : row.kind === 'file'
            ? this.#fileItem(row)
            : this.#groupItem(row),
    );
  }

  #page(level: string, rows: readonly ChangeRow[]): ChangeRow[] {
    const limit = this.#shown.get(level) ?? PAGE;
    if (rows.length <= limit) return [...rows];
    return [...rows.slice(0, limit), { kind: 'more', id: `${level} more`, level, count: rows.length - limit }];
  }

  #groupItem(row: ChangeGroup): vscode.TreeItem {
    const title =
      row.kind === 'session'
        ? this.options.sessionTitle(row.sessionId)
        : row.turn === undefined
          ? undefined
          : this.options.turnTitle(row.sessionId, row.turn);
    const label = plainLine(title) || (row.kind === 'session' ? l10n.t('Untitled Session') : l10n.t('Other Changes'));
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = row.id;
    item.description = `${files(row.files)} ${counts(row)}`;
    item.contextValue = row.kind;
    item.iconPath = new vscode.ThemeIcon(row.kind === 'session' ? 'comment-discussion' : 'comment');
    item.tooltip = label;
    return item;
  }

  #fileItem(row: ChangedFile): vscode.TreeItem {
    const { path, change, hunks, sessionId } = row;
    const item = new vscode.TreeItem(
      vscode.Uri.file(path),
      hunks.length === 0 ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed,
    );
    const isGuarded = this.options.review.isGuarded(path);
    const from = originOf(change);
    const conflicts = hunks.filter(({ state }) => state === 'conflicted').length;
    const label = labelOfPath(path, this.options.cwd(sessionId));
    const folder = nodePath.posix.dirname(label.replaceAll('\\', '/'));
    const words = [
      ...(change.beside === undefined ? [] : [change.beside]),
      ...(conflicts > 0 ? [conflicts === 1 ? l10n.t('1 conflict') : l10n.t('{0} conflicts', conflicts)] : []),
      ...(isGuarded ? [l10n.t('Protected')] : []),
      ...(from !== undefined
        ? [l10n.t('renamed from {0}', labelOfPath(from, this.options.cwd(sessionId)))]
        : change.kind === 'modified'
          ? []
          : [change.kind === 'created' ? l10n.t('created') : l10n.t('deleted')]),
      ...(folder === '.' ? [] : [folder]),
    ];
    const name = nodePath.basename(path);
    if (visibleLine(name) !== name) item.label = visibleLine(name);
    item.id = row.id;
    item.description = [change.note ?? counts(row), ...words].join(' · ');
    // The icon of the file's language, unless a conflict or protection has to be shown.
    item.iconPath =
      conflicts > 0
        ? new vscode.ThemeIcon('warning')
        : isGuarded
          ? new vscode.ThemeIcon('shield')
          : vscode.ThemeIcon.File;
    item.contextValue = 'file';
    item.tooltip = isGuarded ? `${path}\n${l10n.t('Protected: Keep All and auto-keep skip it')}` : path;
    item.accessibilityInformation = {
      label: [name, change.note ?? spokenCounts(row), ...words].filter(Boolean).join(', '),
    };
    item.command = { command: 'parley.changes.open', title: l10n.t('Open Changes'), arguments: [row] };
    return item;
  }

  #update(): void {
    const pending = countOf(pendingIn(this.options.review.rows, {}));
    const count = pending.files;
    this.#view.description = count === 0 ? '' : `${files(count)} ${counts(pending)}`;
    if (count === 0) this.#shown.clear();
    void vscode.commands.executeCommand('setContext', 'parley.changesByTurn', this.groupBy === 'turn');
    this.#changeEmitter.fire();
  }
}

function hunkItem({ id, file, hunk }: HunkRow, subagents: string): vscode.TreeItem {
  const text = firstText(hunk) || l10n.t('(empty line)');
  const line = hunk.current.start + 1;
  // Under a turn, only the lines of that turn.
  const lines = file.isOfTurn ? sum(hunk.parts.filter(({ turn }) => turn === file.turn)) : hunk;
  // The text comes last, because the end of a row may be cut off.
  const item = new vscode.TreeItem(l10n.t('Line {0}', line), vscode.TreeItemCollapsibleState.None);
  const state =
    hunk.state === 'conflicted'
      ? ` · ${l10n.t('edited by you too')}`
      : hunk.isEdited
        ? ` · ${l10n.t('edited by you')}`
        : '';
  const by = subagents === '' ? '' : ` · ${subagents}`;
  item.id = id;
  item.description = `${counts(lines)}${state}${by} · ${text}`;
  item.iconPath = new vscode.ThemeIcon(HUNK_ICONS[markOf(hunk)]);
  item.contextValue = 'hunk';
  item.tooltip = text;
  item.accessibilityInformation = {
    label: `${[l10n.t('Line {0}', line), text, spokenCounts(lines)].join(', ')}${state}${by}`,
  };
  item.command = {
    command: 'parley.changes.open',
    title: l10n.t('Open'),
    arguments: [{ kind: 'hunk', id, file, hunk } satisfies HunkRow],
  };
  return item;
}

function moreItem(row: MoreRow): vscode.TreeItem {
  const item = new vscode.TreeItem(l10n.t('and {0} more', numberText(row.count)), vscode.TreeItemCollapsibleState.None);
  item.id = row.id;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.tooltip = l10n.t('Show {0} more', Math.min(PAGE, row.count));
  item.command = { command: 'parley.changes.more', title: l10n.t('Show More'), arguments: [row] };
  return item;
}

function counts({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return [...(added > 0 || removed === 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
}

function spokenCounts({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return l10n.t('{0} added, {1} removed', added, removed);
}

function files(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberText(count));
}

function plainLine(text: string | undefined): string {
  return plainText(text ?? '', 80);
}
