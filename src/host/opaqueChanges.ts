import { chmod, mkdir, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { ChangeView } from '../protocol/viewModel';
import { labelOfPath } from '../view/labels';
import { type FileContent, isProgram, lookNow, sameContent, sameMode } from './diskContent';

interface OpaqueChange {
  readonly path: string;
  /** Undefined: not known. */
  readonly before: FileContent | undefined;
  readonly after: FileContent;
}

export interface OpaqueChangesOptions {
  /** Asks before something of the person's own goes ("Delete"). */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  /** Tells the person what could not be done. */
  readonly report: (message: string) => void;
}

/**
 * Changes of agents that cannot be shown line by line: of binary files, of permissions, and of files of which nobody knows
 * what they held before. They are listed and kept like the others. Undo brings the bytes back where they were kept, else it says why not.
 */
export class OpaqueChanges extends Disposable {
  private readonly sessions = new Map<string, Map<string, OpaqueChange>>();
  private readonly changeEmitter = this.register(new Emitter<void>());

  readonly onDidChange = this.changeEmitter.event;
  /** We have written a file ourselves. */
  wrote: (path: string, content: FileContent) => void = () => undefined;

  constructor(private readonly options: OpaqueChangesOptions) {
    super();
  }

  get pendingSessions(): string[] {
    return [...this.sessions.keys()];
  }

  has(sessionId: string, path: string): boolean {
    return this.sessions.get(sessionId)?.has(path) === true;
  }

  /** A file was changed; what it held before the first of several changes counts. */
  record(sessionId: string, path: string, before: FileContent | undefined, after: FileContent): void {
    const changes = this.sessions.get(sessionId) ?? new Map<string, OpaqueChange>();
    this.sessions.set(sessionId, changes);
    const known = changes.get(path);
    const first = known ? known.before : before;
    if (first && sameContent(first, after) && sameMode(first, after)) changes.delete(path);
    else changes.set(path, { path, before: first, after });
    this.changed(sessionId);
  }

  views(sessionId: string, cwd: string | undefined): ChangeView[] {
    return [...(this.sessions.get(sessionId)?.values() ?? [])].map(({ path, before, after }) => {
      const kind = after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
      return { path, label: cwd === undefined ? path : labelOfPath(path, cwd), kind, added: 0, removed: 0, hunks: 0, conflicts: 0, note: noteOf(before, after), ...(canUndo(before) ? {} : { cannotUndo: true }) };
    });
  }

  keep(sessionId: string, path?: string): void {
    const changes = this.sessions.get(sessionId);
    if (path === undefined) changes?.clear();
    else changes?.delete(path);
    this.changed(sessionId);
  }

  /** Brings back what was there, after a question where someone has changed the file since. */
  async undo(sessionId: string, path?: string): Promise<void> {
    const changes = this.sessions.get(sessionId);
    if (!changes) return;
    const problems: string[] = [];
    for (const change of [...changes.values()].filter((item) => path === undefined || item.path === path)) {
      const name = nodePath.basename(change.path);
      try {
        if (!canUndo(change.before)) problems.push(`${name} stayed: ${change.before ? 'it is too large to be kept (over 1 MB)' : 'what was before is not known'}.`);
        else if (await this.bringBack(change, name)) changes.delete(change.path);
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.changed(sessionId);
    if (problems.length > 0) this.options.report(problems.join('\n'));
  }

  /** @returns false where the person would rather not. */
  private async bringBack({ path, before, after }: OpaqueChange, name: string): Promise<boolean> {
    const uri = vscode.Uri.file(path);
    const { value: now } = await lookNow(path);
    const isEdited = now.kind !== 'file' || !sameContent(now.content, after);
    if (before && !isEdited && sameContent(before, after)) {
      const { mode } = await stat(path);
      // Only whether it is a program: the rest of the permissions is the person's.
      await chmod(path, isProgram(before) === true ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
      this.wrote(path, before);
      return true;
    }
    if (before?.kind === 'absent') {
      if (isEdited && !(await this.options.confirm(`${name} was changed since the agent created it. Delete it?`, 'Delete'))) return false;
      if (now.kind === 'file' && now.content.kind !== 'absent') await vscode.workspace.fs.delete(uri, { useTrash: false });
    } else if (before?.original) {
      if (isEdited && !(await this.options.confirm(`${name} was changed since the agent wrote it. Replace it by what was before the agent?`, 'Replace'))) return false;
      await mkdir(nodePath.dirname(path), { recursive: true });
      await vscode.workspace.fs.writeFile(uri, before.original.bytes);
      if (before.original.mode !== undefined) await chmod(path, before.original.mode);
    }
    if (before) this.wrote(path, before);
    return true;
  }

  private changed(sessionId: string): void {
    if (this.sessions.get(sessionId)?.size === 0) this.sessions.delete(sessionId);
    this.changeEmitter.fire();
  }
}

function canUndo(before: FileContent | undefined): boolean {
  return before !== undefined && (before.kind === 'absent' || before.original !== undefined);
}

function noteOf(before: FileContent | undefined, after: FileContent): string {
  if (before === undefined) return 'What was before is not known';
  if (sameContent(before, after)) return isProgram(after) === true ? 'Made executable' : 'No longer executable';
  return canUndo(before) ? (before.kind === 'binary' || after.kind === 'binary' ? 'Binary file' : 'Was a binary file once') : 'Too large to undo';
}
