import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import type { ChangeView } from '../protocol/viewModel';
import { labelOfPath } from '../view/labels';
import { BASELINE_SCHEME } from './baselineDocuments';
import { samePath } from './documentEdits';
import type { ReviewService, ToolDiff } from './reviewService';

/**
 * The review as the person sees it: one list over all sessions, because a change that nobody has agreed to must stay
 * in sight when a new session begins.
 */
export class Review extends Disposable {
  constructor(
    private readonly service: ReviewService,
    private readonly cwd: () => string,
  ) {
    super();
    this.register(vscode.window.tabGroups.onDidChangeTabs(() => this.updateContext()));
    this.register(vscode.window.tabGroups.onDidChangeTabGroups(() => this.updateContext()));
    this.register(service.onDidChangeChanges(() => this.updateContext()));
  }

  changes(): ChangeView[] {
    const byPath = new Map<string, ChangeView>();
    for (const sessionId of this.service.pendingSessions) {
      for (const change of this.service.changes(sessionId)) byPath.set(change.path, { ...change, label: labelOfPath(change.path, this.cwd()) });
    }
    return [...byPath.values()];
  }

  /** Opens the diff of one file, or of all in one editor. */
  async open(path: string | undefined): Promise<void> {
    const first = this.holders(path)[0];
    if (first !== undefined) await this.service.openChanges(first, path);
  }

  async keep(path: string | undefined): Promise<void> {
    for (const sessionId of this.holders(path)) this.service.keep(sessionId, path);
  }

  async undo(path: string | undefined): Promise<void> {
    // The newest session first: its changes lie on top.
    for (const sessionId of this.holders(path).reverse()) await this.service.undo(sessionId, path);
  }

  openToolDiff(sessionId: string, diff: ToolDiff): Promise<void> {
    return this.service.openToolDiff(sessionId, diff);
  }

  /** The tracked file that an editor's title button is about. */
  pathOf(uri: vscode.Uri | undefined): string | undefined {
    const target = uri ?? this.activeDiff();
    return target && this.changes().find((change) => samePath(change.path, target.fsPath))?.path;
  }

  private holders(path: string | undefined): string[] {
    return this.service.pendingSessions.filter((id) => path === undefined || this.service.changes(id).some((change) => change.path === path));
  }

  /** The file on the right of the diff that is in front, where its left is one of our baselines. */
  private activeDiff(): vscode.Uri | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff && input.original.scheme === BASELINE_SCHEME ? input.modified : undefined;
  }

  private updateContext(): void {
    const diff = this.activeDiff();
    const active = diff !== undefined && this.pathOf(diff) !== undefined;
    void vscode.commands.executeCommand('setContext', 'parley.reviewActive', active);
  }
}
