import { chmod, mkdir, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { ChangeView } from '../protocol/viewModel';
import { labelOfPath } from '../view/labels';
import { discard } from './carryOut';
import { type FileContent, isProgram, lookNow, sameContent, sameMode } from './diskContent';
import { openDocument, samePath } from './documentEdits';
import { KeptBytes, withoutBytes } from './keptBytes';

/** Of all files together that wait to be kept or undone. */
const MAX_KEPT_TOTAL = 100 * 1024 * 1024;

interface OpaqueChange {
  readonly path: string;
  /** Undefined: not known. */
  readonly before: FileContent | undefined;
  /** Without its bytes: it is only compared with. */
  readonly after: FileContent;
  /** Whether it may be run as a program now; undefined where that is not known. */
  readonly isProgram: boolean | undefined;
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
  private readonly kept = new KeptBytes(MAX_KEPT_TOTAL);
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

  /** What is known of a file; another value once it was changed again. */
  get(sessionId: string, path: string): object | undefined {
    return this.sessions.get(sessionId)?.get(path);
  }

  /** A file was changed; what it held before the first of several changes counts. */
  record(sessionId: string, path: string, before: FileContent | undefined, after: FileContent): void {
    const changes = this.sessions.get(sessionId) ?? new Map<string, OpaqueChange>();
    this.sessions.set(sessionId, changes);
    const known = changes.get(path);
    const first = known ? known.before : before;
    if (first && sameContent(first, after) && sameMode(first, after)) this.forget(changes, path);
    else changes.set(path, { path, before: known ? first : first && this.kept.take(first), after: withoutBytes(after), isProgram: isProgram(after) });
    this.changed(sessionId);
  }

  views(sessionId: string, cwd: string | undefined): ChangeView[] {
    return [...(this.sessions.get(sessionId)?.values() ?? [])].map((change) => {
      const { path, before, after } = change;
      const kind = after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
      return { path, label: cwd === undefined ? path : labelOfPath(path, cwd), kind, added: 0, removed: 0, hunks: 0, conflicts: 0, note: noteOf(change), ...(canUndo(before) ? {} : { cannotUndo: true }) };
    });
  }

  keep(sessionId: string, path?: string): void {
    const changes = this.sessions.get(sessionId);
    if (changes) for (const each of path === undefined ? [...changes.keys()] : [path]) this.forget(changes, each);
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
        if (!canUndo(change.before)) problems.push(`${name} stayed: ${change.before ? 'it is too large to be kept (over 1 MB, or over 100 MB together with others)' : 'what was before is not known'}.`);
        else if (await this.bringBack(change, name)) this.forget(changes, change.path);
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
      if (now.kind === 'file' && now.content.kind !== 'absent') {
        refuseUnsaved(path);
        await discard(uri);
      }
    } else if (before?.original) {
      if (isEdited && !(await this.options.confirm(`${name} was changed since the agent wrote it. Replace it by what was before the agent?`, 'Replace'))) return false;
      refuseUnsaved(path);
      await mkdir(nodePath.dirname(path), { recursive: true });
      await vscode.workspace.fs.writeFile(uri, before.original.bytes);
      if (before.original.mode !== undefined) await chmod(path, before.original.mode);
    }
    if (before) this.wrote(path, before);
    return true;
  }

  private forget(changes: Map<string, OpaqueChange>, path: string): void {
    const before = changes.get(path)?.before;
    if (before) this.kept.release(before);
    changes.delete(path);
  }

  private changed(sessionId: string): void {
    if (this.sessions.get(sessionId)?.size === 0) this.sessions.delete(sessionId);
    this.changeEmitter.fire();
  }
}

function canUndo(before: FileContent | undefined): boolean {
  return before !== undefined && (before.kind === 'absent' || before.original !== undefined);
}

/** @throws Error where an editor of any kind holds work on the file that is not saved. */
function refuseUnsaved(path: string): void {
  const isInTab = ({ isDirty, input }: vscode.Tab) => isDirty && (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) && samePath(input.uri.fsPath, path);
  if (openDocument(path)?.isDirty || vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isInTab))) throw new Error('it has unsaved changes, so it stayed. Save or revert it first.');
}

function noteOf({ before, after, isProgram }: OpaqueChange): string {
  if (before === undefined) return 'What was before is not known';
  if (sameContent(before, after)) return isProgram === true ? 'Made executable' : 'No longer executable';
  return canUndo(before) ? (before.kind === 'binary' || after.kind === 'binary' ? 'Binary file' : 'Was a binary file once') : 'Too large to undo';
}
