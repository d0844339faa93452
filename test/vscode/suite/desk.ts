import * as assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { BaselineDocuments } from '../../../src/host/changes/baselineDocuments';
import { systemClock } from '../../../src/host/platform/clock';
import { KeepHistory } from '../../../src/host/changes/keepHistory';
import { ReviewContents } from '../../../src/host/changes/stored/reviewContents';
import { ReviewStore } from '../../../src/host/changes/reviewStore';
import { Review, type ReviewOptions } from '../../../src/host/review/review';
import { ReviewService } from '../../../src/host/changes/reviewService';
import { WorkspaceFiles } from '../../../src/host/files/workspaceFiles';
import { ContentStore } from '../../../src/host/storage/contentStore';

export const sessionId = 'desk';

/** A folder in the open workspace, and one outside. */
class DeskFolders {
  readonly folder: string;
  readonly outside: string;

  /** @param earlier those of a window of which this is the next */
  constructor(earlier?: DeskFolders) {
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    this.folder = earlier?.folder ?? realpathSync(mkdtempSync(join(workspace, 'desk-')));
    this.outside = earlier?.outside ?? realpathSync(mkdtempSync(join(dirname(realpathSync(workspace)), 'outside-')));
  }
}

/**
 * A folder in the open workspace with the services that work on it, for one test; `clear` leaves no editor and no file.
 */
export class Desk extends DeskFolders {
  readonly asked: string[] = [];
  readonly confirmed: string[] = [];
  readonly reported: string[] = [];
  readonly warned: string[] = [];
  /** Happens while a question about a file outside waits. */
  beforeAnswer: () => void = () => undefined;
  allowOutside = false;
  confirm = true;
  guarded: string[] = [];
  /** The turn that runs. */
  turn = 'e0';
  missing: 'error' | 'empty' = 'error';
  readonly baselines = new BaselineDocuments('parley-notebook-desk');
  readonly contents = this.openContents();
  readonly review = new ReviewService({
    scopes: (id) => this.scope(id),
    baselines: this.baselines,
    clock: systemClock,
    log: silentLogger,
    turnOf: () => this.turn,
    storage: { contents: this.contents },
    dialogs: {
      confirm: async (message) => {
        this.confirmed.push(message);
        return this.confirm;
      },
      report: (message) => this.reported.push(message),
    },
  });
  readonly store = this.openStore(this.review, this.contents);
  readonly keeping = new KeepHistory(this.review, this.contents);
  readonly questions: string[] = [];
  readonly reviewOptions: ReviewOptions = {
    movedFrom: (path) => this.contents.renames.fromOf(path),
    isGuarded: (path) => this.guarded.some((name) => path.endsWith(name)),
    askGuarded: async (labels) => {
      this.questions.push(labels.join(', '));
      return this.confirm;
    },
    askTied: async ({ wish, labels }) => {
      this.questions.push(`${wish} ${labels.join(', ')}`);
      return this.confirm;
    },
    turnName: () => ({ number: undefined, title: undefined }),
    report: (message) => this.reported.push(message),
  };
  readonly files = new WorkspaceFiles({
    scopes: (id) => this.scope(id),
    writer: this.review,
    log: silentLogger,
    askOutside: async (_scope, { real }, access) => {
      this.asked.push(`${access} ${real}`);
      this.beforeAnswer();
      return this.allowOutside;
    },
    warn: (_scope, title, detail) => this.warned.push(`${title}: ${detail}`),
    missingFileReads: () => this.missing,
  });

  private seen: Review | undefined;

  /** The review as the user sees it, over this desk's sessions. */
  get shownReview(): Review {
    return (this.seen ??= new Review(this.review, this.keeping, () => this.folder, systemClock, this.reviewOptions));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Puts a file on disk behind the editor's back. */
  put(name: string, content: string | Buffer): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /**
   * Puts a file on disk in one step. VS Code may read a file between its cut and its new content, knows the wrong length
   * from then on, and refuses to save what is typed into it before it looks again.
   */
  putWhole(name: string, content: string): void {
    const next = join(this.outside, 'next');
    writeFileSync(next, content);
    renameSync(next, this.path(name));
  }

  async save({ document }: vscode.TextEditor): Promise<void> {
    assert.ok(await document.save(), `VS Code did not save ${document.uri.fsPath}`);
  }

  bytes(name: string): Buffer {
    return readFileSync(this.path(name));
  }

  disk(name: string): string {
    return this.bytes(name).toString('utf8');
  }

  exists(name: string): boolean {
    return existsSync(this.path(name));
  }

  async read(
    name: string,
    more: { line?: number | null; limit?: number | null; sessionId?: string } = {},
  ): Promise<string> {
    return (
      await this.files.readTextFile(
        { sessionId, path: name.startsWith('/') ? name : this.path(name), ...more },
        neverCancelled,
      )
    ).content;
  }

  async write(name: string, content: string): Promise<void> {
    await this.files.writeTextFile(
      { sessionId, path: name.startsWith('/') ? name : this.path(name), content },
      neverCancelled,
    );
  }

  async open(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(vscode.Uri.file(this.path(name)), { preview: false });
  }

  /** As if the user typed it: one edit of a shown editor, unsaved. */
  async type(editor: vscode.TextEditor, line: number, text: string): Promise<void> {
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text)));
  }

  /** kind, label, +/−: one line per change. */
  changes(): string[] {
    return this.review
      .tracked(sessionId)
      .map(({ kind, path, added, removed }) => `${kind} ${path.slice(this.folder.length + 1)} +${added} -${removed}`);
  }

  async keep(name: string): Promise<void> {
    await this.review.decisions.keep({ sessionId, path: this.path(name), ids: undefined });
  }

  async keepAll(): Promise<void> {
    for (const { path } of this.review.tracked(sessionId))
      await this.review.decisions.keep({ sessionId, path, ids: undefined });
  }

  async undo(name: string): Promise<void> {
    await this.review.decisions.undo([{ sessionId, path: this.path(name), ids: undefined }]);
  }

  async undoAll(): Promise<void> {
    await this.review.decisions.undo(
      this.review.tracked(sessionId).map(({ path }) => ({ sessionId, path, ids: undefined })),
    );
  }

  /** The window is closed; its folder stays. */
  leave(): void {
    this.seen?.dispose();
    for (const part of [this.keeping, this.review, this.store, this.baselines]) part.dispose();
  }

  async clear(): Promise<void> {
    this.leave();
    await vscode.commands.executeCommand('workbench.action.files.revert').then(undefined, () => undefined);
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty || document.uri.scheme !== 'file') continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // VS Code's own Git extension may still write there.
    for (const folder of [this.folder, this.outside])
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  openContents(): ReviewContents {
    const saving = { schedule: () => this.store.schedule(), save: () => this.store.save() };
    return new ReviewContents(new ContentStore(join(this.outside, 'contents'), silentLogger), saving);
  }

  /** As a window does that opens the folder; what an earlier one has kept is read by `open`. */
  openStore(review: ReviewService, beside: ReviewContents): ReviewStore {
    return new ReviewStore({
      folder: join(this.outside, 'review'),
      contents: beside.contents,
      review: () => review.saved,
      beside,
      clock: systemClock,
      log: silentLogger,
    });
  }

  /** Takes over what an earlier window has kept. */
  async openSaved(): Promise<void> {
    await this.store.open((saved) => this.review.restore(saved));
  }

  private scope(id: string) {
    return id === sessionId ? { sessionId, agent: 'Desk', cwd: this.folder, roots: [this.folder] } : undefined;
  }
}

/** Polls until the condition holds. */
export async function until(what: string, condition: () => unknown, deadlineMs = 60_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The code and message of the `AcpError` that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<{ code: number; message: string; data?: unknown }> {
  try {
    await call;
  } catch (error) {
    return error as { code: number; message: string; data?: unknown };
  }
  return assert.fail('it did not fail');
}
