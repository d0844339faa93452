import * as vscode from 'vscode';
import type { Clock } from '../base/scheduler';

interface Shown {
  readonly uri: string;
  /** 1-based. */
  readonly line: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The one tab, in one editor group, in which followed files are shown. Never takes the focus. */
export class FollowTab {
  private column: vscode.ViewColumn | undefined;
  private opening: string | undefined;
  private current: Shown | undefined;
  /** A tab that is ours alone to close: it was opened here, and VS Code is set to make no preview tabs. */
  private own: string | undefined;

  constructor(private readonly clock: Clock) {}

  get shown(): Shown | undefined {
    return this.current;
  }

  /** What was shown for an earlier session is a tab like any other. */
  forget(): void {
    this.current = undefined;
    this.own = undefined;
  }

  /** @param line 1-based; beyond the end is the end. */
  async show(document: vscode.TextDocument, line: number): Promise<void> {
    const uri = document.uri.toString();
    const groups = vscode.window.tabGroups;
    // A group that was closed meanwhile is not made anew.
    const group = groups.all.find(({ viewColumn }) => viewColumn === this.column) ?? groups.activeTabGroup;
    const wasOpen = findTab(group, uri) !== undefined;
    const former = this.own;
    const position = new vscode.Position(Math.min(Math.max(0, line - 1), document.lineCount - 1), 0);
    this.column = group.viewColumn;
    this.opening = uri;
    try {
      const editor = await vscode.window.showTextDocument(document, { viewColumn: group.viewColumn, preview: true, preserveFocus: true, selection: new vscode.Range(position, position) });
      this.column = editor.viewColumn ?? this.column;
      editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      this.current = { uri, line: position.line + 1, at: this.clock.now() };
    } finally {
      this.opening = undefined;
    }
    const shownIn = groups.all.find(({ viewColumn }) => viewColumn === this.column);
    if (former !== uri) this.own = !wasOpen && findTab(shownIn, uri)?.isPreview === false ? uri : undefined;
    const left = former === undefined || former === uri ? undefined : findTab(shownIn, former);
    if (left && !left.isDirty && !left.isPinned) await groups.close(left, true);
  }

  shows(document: vscode.TextDocument): boolean {
    return this.current?.uri === document.uri.toString();
  }

  /** Whether an editor stands where followed files are shown. */
  isIn(editor: vscode.TextEditor): boolean {
    return this.current !== undefined && editor.viewColumn === this.column;
  }

  /** Whether something else than the followed file stands there. */
  isOverlaid(editor: vscode.TextEditor): boolean {
    const uri = editor.document.uri.toString();
    return this.isIn(editor) && uri !== this.opening && uri !== this.current?.uri;
  }
}

function findTab(group: vscode.TabGroup | undefined, uri: string): vscode.Tab | undefined {
  return group?.tabs.find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
}
