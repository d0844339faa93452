import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import { chatEditorType, subagentEditorType } from '../platform/chatViewId';

interface Shown {
  readonly uri: string;
  /** 1-based. */
  readonly line: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The time around an edit in which VS Code pins the tab because of it. */
const editSettlesMs = 1_500;

/**
 * The one tab for followed files, in one editor group. Never takes the focus. VS Code replaces a preview tab by itself.
 * A tab that stays because the agent edited its file, or because previews are off, is closed before the next one,
 * unless it was open before or the user has pinned it.
 */
export class FollowTab extends Disposable {
  #column: vscode.ViewColumn | undefined;
  #opening: string | undefined;
  #current: Shown | undefined;
  /** The file whose tab Parley may close. */
  #own: string | undefined;
  #edited = 0;
  /** A save may take long, and says so only afterwards. */
  #wasDirty = false;

  constructor(private readonly clock: Clock) {
    super();
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.shows(document) && (this.#edited = clock.now())),
    );
    this.register(
      vscode.window.tabGroups.onDidChangeTabs(({ changed }) => changed.forEach((tab) => this.#handleTab(tab))),
    );
  }

  /** The last change of the shown file's text; epoch milliseconds. */
  get changedAt(): number {
    return this.#edited;
  }

  get shown(): Shown | undefined {
    return this.#current;
  }

  /** A tab of an earlier session is treated like any other. */
  forget(): void {
    this.#current = undefined;
    this.#own = undefined;
  }

  /** @param line 1-based; beyond the end is the end. */
  async show(document: vscode.TextDocument, line: number): Promise<void> {
    const uri = document.uri.toString();
    const groups = vscode.window.tabGroups;
    // A group that was closed meanwhile is not opened again.
    const chosen = groups.all.find(({ viewColumn }) => viewColumn === this.#column) ?? groups.activeTabGroup;
    // A followed file must not cover the session that the user reads.
    const group = showsSession(chosen) ? groups.all.find((other) => !showsSession(other)) : chosen;
    const wasOpen = findTab(group, uri) !== undefined;
    const former = this.#own;
    const position = new vscode.Position(Math.min(Math.max(0, line - 1), document.lineCount - 1), 0);
    this.#column = group?.viewColumn ?? vscode.ViewColumn.Beside;
    this.#opening = uri;
    try {
      const editor = await vscode.window.showTextDocument(document, {
        viewColumn: this.#column,
        preview: true,
        preserveFocus: true,
        selection: new vscode.Range(position, position),
      });
      this.#column = editor.viewColumn ?? this.#column;
      editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      this.#current = { uri, line: position.line + 1, at: this.clock.now() };
    } finally {
      this.#opening = undefined;
    }
    const shownIn = groups.all.find(({ viewColumn }) => viewColumn === this.#column);
    if (former !== uri) {
      this.#own = wasOpen ? undefined : uri;
      this.#wasDirty = false;
    }
    const left = former === undefined || former === uri ? undefined : findTab(shownIn, former);
    if (left && !left.isDirty && !left.isPinned) await groups.close(left, true);
  }

  /** The user pinned it, or made it stay: then it does, as far as nothing else explains that. */
  #handleTab(tab: vscode.Tab): void {
    if (this.#own === undefined || !isTabOf(tab, this.#own)) return;
    const isEdited = tab.isDirty || this.#wasDirty || this.clock.now() - this.#edited < editSettlesMs;
    this.#wasDirty = tab.isDirty;
    const isNew = this.#current !== undefined && this.clock.now() - this.#current.at < editSettlesMs;
    if (tab.isPinned || (!tab.isPreview && !isEdited && !isNew)) this.#own = undefined;
  }

  shows(document: vscode.TextDocument): boolean {
    return this.#current?.uri === document.uri.toString();
  }

  /** True if there is an editor in the place for followed files. */
  isIn(editor: vscode.TextEditor): boolean {
    return this.#current !== undefined && editor.viewColumn === this.#column;
  }

  /** True if that place shows something other than the followed file. */
  isOverlaid(editor: vscode.TextEditor): boolean {
    const uri = editor.document.uri.toString();
    return this.isIn(editor) && uri !== this.#opening && uri !== this.#current?.uri;
  }
}

/** A session or a subagent in an editor tab is in front. VS Code puts a prefix of its own before the type. */
function showsSession({ activeTab }: vscode.TabGroup): boolean {
  const input = activeTab?.input as { readonly viewType?: string } | undefined;
  return [chatEditorType, subagentEditorType].some((type) => input?.viewType?.endsWith(type));
}

function findTab(group: vscode.TabGroup | undefined, uri: string): vscode.Tab | undefined {
  return group?.tabs.find((tab) => isTabOf(tab, uri));
}

function isTabOf({ input }: vscode.Tab, uri: string): boolean {
  return input instanceof vscode.TabInputText && input.uri.toString() === uri;
}
