import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Entry } from '../../changes/entry';
import { isUnder, movedPath } from '../../changes/movedFiles';
import type { Target } from '../../changes/scope';
import { eachFile } from './eachFile';
import { fileState } from '../files/fileContent';
import { longWork } from '../platform/longWork';
import type { ReviewContents } from './stored/reviewContents';
import type { ReviewService } from './reviewService';
import { slices } from '../platform/slices';

/** The number of Keep actions that can be undone. */
const MAX_KEPT = 20;

interface Kept {
  readonly sessionId: string;
  readonly path: string;
  /** The file's entry before Keep. */
  readonly entry: Entry;
  /** Releases the bytes that undoing this Keep would restore. */
  readonly release: (() => void) | undefined;
}

/** Keeps changes and can undo that. Each Keep, by the user or automatic, is remembered until the window is reloaded. */
export class KeepHistory extends Disposable {
  /** One list for each Keep, the last one last. */
  readonly #batches: Kept[][] = [];

  constructor(
    private readonly service: ReviewService,
    private readonly contents?: Pick<ReviewContents, 'hold'>,
  ) {
    super();
    this.register(
      vscode.workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => this.#renamed(oldUri.fsPath, newUri.fsPath)),
      ),
    );
  }

  /**
   * @param step is asked before each file; false stops there.
   * @returns the number of files in which something was kept.
   */
  async keep(targets: readonly Target[], step: () => boolean = () => true): Promise<number> {
    if (!(await this.service.decisions.canKeep(new Set(targets.map(({ sessionId }) => sessionId))))) return 0;
    const batch: Kept[] = [];
    const nextPart = slices();
    let isLater = false;
    const known = targets.map(({ sessionId, path }) => this.service.entry(sessionId, path));
    for (const [i, target] of targets.entries()) {
      isLater = (await nextPart()) || isLater;
      if (!step()) break;
      const { sessionId, path, ids } = target;
      const entry = this.service.entry(sessionId, path);
      // Changes that came while other files were kept were not part of the user's decision.
      if (!entry || (isLater && !ids && entry !== known[i])) continue;
      const release = entry.whole && this.contents?.hold(entry.whole);
      if (await this.service.decisions.keep(target)) batch.push({ sessionId, path, entry, release });
      else release?.();
    }
    if (batch.length > 0) this.#batches.push(batch);
    if (this.#batches.length > MAX_KEPT) this.#batches.shift()!.forEach(({ release }) => release?.());
    this.#update();
    return new Set(batch.map(({ path }) => path)).size;
  }

  /** The files of the last Keep, the same value until the next one; undefined if there is nothing to undo. */
  get last(): readonly { readonly path: string }[] | undefined {
    return this.#batches.at(-1);
  }

  /**
   * Makes the changes of the last Keep pending again.
   * @returns `isDone`: there was a Keep to undo. `gone`: files that no longer exist.
   */
  async undoLast(): Promise<{ readonly isDone: boolean; readonly gone: readonly string[] }> {
    const batch = this.#batches.pop();
    this.#update();
    const gone: string[] = [];
    const left = new Set(batch);
    const takeBack = async (kept: Kept) => {
      const { sessionId, path, entry, release } = kept;
      left.delete(kept);
      // If the user deleted the file since, that is the user's decision and not the agent's change.
      const isThere = entry.whole ? entry.whole.after.kind !== 'absent' : entry.exists;
      if (isThere && (await fileState(path).catch(() => 'file')) === 'missing') gone.push(path);
      else await this.service.takeBack(sessionId, path, entry);
      release?.();
    };
    await longWork(l10n.t('Restoring kept changes'), left.size, (step) => eachFile(batch ?? [], takeBack, step));
    if (left.size > 0) this.#batches.push([...left]);
    this.#update();
    return { isDone: batch !== undefined, gone };
  }

  #renamed(from: string, to: string): void {
    for (const batch of this.#batches)
      for (const [i, kept] of batch.entries())
        if (isUnder(kept.path, from)) batch[i] = { ...kept, path: movedPath(kept.path, from, to) };
  }

  #update(): void {
    void vscode.commands.executeCommand('setContext', 'parley.canUndoKeep', this.#batches.length > 0);
  }
}
