import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleLine } from '../../base/visibleText';
import type { Change } from '../../changes/hunk';
import type { BaselineDocuments } from './baselineDocuments';
import { samePath } from '../files/documentEdits';
import type { ReviewedFiles } from './reviewedFiles';

/** A diff in a tool call's content, as the agent sent it. */
export interface ToolDiff {
  readonly path: string;
  readonly title: string;
  /** Absent if the agent reports a new file. */
  readonly oldText: string | undefined;
  readonly newText: string;
}

/** The key for the left side of a diff of all sessions' changes. */
const ALL_SESSIONS = 'all-sessions';

/** Opens changes in VS Code's diff editors. */
export class ReviewDiffs {
  /** Files whose diff of all sessions' changes was opened. */
  readonly #ofAll = new Set<string>();

  constructor(
    private readonly baselines: BaselineDocuments,
    private readonly shown: Pick<ReviewedFiles, 'beforeAll' | 'refresh' | 'session' | 'tracked'>,
  ) {}

  /**
   * Opens the diff of one file: the original on the left, the real file on the right.
   * @param sessionIds sessions whose changes are shown, the oldest first. @param from the path before a move
   */
  async openChanges(sessionIds: readonly string[], path: string, from?: string): Promise<void> {
    for (const id of sessionIds) await this.shown.refresh(id, path);
    const sessionId = sessionIds.find((id) => this.#selected(id, path).length > 0);
    if (sessionId === undefined) return;
    const [left, right] = this.#sides(sessionId, this.#selected(sessionId, path)[0]!, sessionIds.length > 1, from);
    const title =
      from === undefined
        ? l10n.t('{0} (agent changes)', nodePath.basename(path))
        : l10n.t('{0} → {1} (moved by the agent)', nodePath.basename(from), nodePath.basename(path));
    await showDiff(left, right, title);
  }

  /**
   * Opens the diffs of all files of some sessions in one editor. A file that several sessions changed is compared with
   * its text before the first of them.
   * @param originOf returns the path before a move; both paths become one row.
   * @returns true if there was anything to show.
   */
  async openAll(
    sessionIds: readonly string[],
    title: string,
    originOf: (path: string) => string | undefined,
    isMeant: (path: string) => boolean = () => true,
  ): Promise<boolean> {
    const files = new Map<string, readonly (vscode.Uri | undefined)[]>();
    for (const sessionId of sessionIds) await this.shown.refresh(sessionId, undefined);
    for (const sessionId of sessionIds) {
      const changes = this.#selected(sessionId, undefined);
      const moved = new Set(changes.map(({ path }) => originOf(path)));
      for (const change of changes) {
        if (files.has(change.path) || moved.has(change.path) || !isMeant(change.path)) continue;
        const [left, right, existed] = this.#sides(sessionId, change, sessionIds.length > 1, originOf(change.path));
        files.set(change.path, [
          vscode.Uri.file(change.path),
          existed ? left : undefined,
          change.current === undefined ? undefined : right,
        ]);
      }
    }
    if (files.size > 0) await vscode.commands.executeCommand('vscode.changes', visibleLine(title), [...files.values()]);
    return files.size > 0;
  }

  /**
   * Opens a diff from a tool call: the tracked change of the file if there is one, otherwise the two texts as the agent
   * sent them.
   */
  async openToolDiff(sessionId: string, diff: ToolDiff): Promise<void> {
    const change = this.#selected(sessionId, undefined).find((candidate) =>
      samePath(candidate.path, nodePath.normalize(diff.path)),
    );
    if (change) return this.openChanges([sessionId], change.path);
    const left = this.baselines.add(diff.path, diff.oldText ?? '');
    await showDiff(left, this.baselines.add(diff.path, diff.newText), diff.title);
  }

  /** A read-only document with the text that Undo of the whole file restores. */
  baselineUri(sessionId: string, path: string): vscode.Uri {
    const change = this.#selected(sessionId, path)[0];
    return this.baselines.set(path, sessionId, change?.baseline ?? '');
  }

  /** Opens a diff of a hunk that the user has edited: the agent's lines on the left, the real file on the right. */
  async openBoth(sessionId: string, path: string, id: string): Promise<void> {
    const text = this.shown.session(sessionId)?.ledger.plan(path, 'agents', [id])?.text;
    if (text === undefined) return;
    const title = l10n.t('{0} (the agent’s ↔ yours)', nodePath.basename(path));
    await showDiff(this.baselines.add(path, text), vscode.Uri.file(path), title);
  }

  /** Updates open diffs of a file after a decision or an edit. */
  update(path: string): void {
    const all = this.#ofAll.has(path) ? this.shown.beforeAll(path) : undefined;
    if (all) this.baselines.set(path, ALL_SESSIONS, all.text ?? '');
  }

  /** @param from the path of the file before a move */
  #sides(
    sessionId: string,
    change: Change,
    isOfAll: boolean,
    from: string | undefined,
  ): [left: vscode.Uri, right: vscode.Uri, existed: boolean] {
    const { path, current } = change;
    const all = isOfAll ? this.shown.beforeAll(path) : undefined;
    const isShared = all?.isOfSeveral === true;
    if (isShared) this.#ofAll.add(path);
    const before = isShared ? all.text : change.baseline;
    const left = this.baselines.set(path, isShared ? ALL_SESSIONS : sessionId, before ?? '');
    const right = current === undefined ? this.baselines.add(path, '') : vscode.Uri.file(path);
    return from === undefined ? [left, right, before !== undefined] : [this.baselineUri(sessionId, from), right, true];
  }

  #selected(sessionId: string, path: string | undefined): readonly Change[] {
    return this.shown
      .tracked(sessionId)
      .filter((change) => change.note === undefined && (path === undefined || change.path === path));
  }
}

/** Opens a diff editor. @param title may have any characters */
export async function showDiff(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, visibleLine(title), { preview: true });
}
