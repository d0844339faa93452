import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import type { Entry } from '../review/ledger';
import type { OpaqueEntry } from '../review/opaqueEntry';
import type { Target } from '../review/scope';
import { fileState } from './fileContent';
import type { OpaqueChanges } from './opaqueChanges';
import type { ReviewService } from './reviewService';

/** Keeps that can be taken back, one after the other. */
const MAX_KEPT = 20;

interface Kept {
  readonly sessionId: string;
  readonly path: string;
  /** What was known of the file before: of its lines, or as a whole. */
  readonly entry: Entry | undefined;
  readonly whole: OpaqueEntry | undefined;
  /** The bytes to go back to stay until this is called. */
  readonly release: (() => void) | undefined;
}

/**
 * Agrees to changes, and takes that back: each Keep, whoever asked for it, is remembered until the window is reloaded.
 */
export class Keeping extends Disposable {
  /** One list for each Keep, the last one last. */
  private readonly batches: Kept[][] = [];

  constructor(
    private readonly service: ReviewService,
    private readonly opaque: OpaqueChanges,
  ) {
    super();
    this.register(vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => this.renamed(oldUri.fsPath, newUri.fsPath))));
  }

  /** @returns the number of files in which something was kept. */
  async keep(targets: readonly Target[]): Promise<number> {
    const batch: Kept[] = [];
    for (const target of targets) {
      const { sessionId, path } = target;
      const whole = this.opaque.get(sessionId, path);
      const release = whole && this.opaque.hold(whole);
      if (whole) this.opaque.keep(sessionId, path);
      const entry = this.service.entry(sessionId, path);
      const isKept = entry !== undefined && (await this.service.keepTarget(target));
      if (whole || isKept) batch.push({ sessionId, path, entry: isKept ? entry : undefined, whole, release });
    }
    if (batch.length > 0) this.batches.push(batch);
    if (this.batches.length > MAX_KEPT) this.batches.shift()!.forEach(({ release }) => release?.());
    this.update();
    return new Set(batch.map(({ path }) => path)).size;
  }

  /** What was kept last waits again. @returns whether there was anything, and the files that are gone. */
  async undoLast(): Promise<{ readonly isDone: boolean; readonly gone: readonly string[] }> {
    const batch = this.batches.pop();
    this.update();
    const gone: string[] = [];
    for (const { sessionId, path, entry, whole, release } of batch ?? []) {
      // A file that was deleted since is the person's decision too, and no change of the agent.
      const isThere = whole ? whole.after.kind !== 'absent' : entry!.exists;
      if (isThere && (await fileState(path).catch(() => 'file')) === 'missing') gone.push(path);
      else {
        if (whole) this.opaque.takeBack(sessionId, path, whole);
        if (entry) await this.service.takeBack(sessionId, path, entry);
      }
      release?.();
    }
    return { isDone: batch !== undefined, gone };
  }

  private renamed(from: string, to: string): void {
    for (const batch of this.batches) {
      for (const [i, kept] of batch.entries()) {
        if (kept.path === from || kept.path.startsWith(from + nodePath.sep)) batch[i] = { ...kept, path: to + kept.path.slice(from.length) };
      }
    }
  }

  private update(): void {
    void vscode.commands.executeCommand('setContext', 'parley.canUndoKeep', this.batches.length > 0);
  }
}
