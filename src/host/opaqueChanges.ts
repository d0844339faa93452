import nodePath from 'node:path';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { ChangeView } from '../protocol/viewModel';
import type { Change } from '../review/hunk';
import { canBringBack, canUndo, isProgramIn, isSameMode, isSameSnapshot, noteOf, type OpaqueEntry, type SavedOpaque, type Snapshot } from '../review/opaqueEntry';
import { labelOfPath } from '../view/labels';
import type { ByteFolder } from './byteFolder';
import type { FileContent } from './diskContent';
import type { WholeFiles } from './opaqueDisk';
import { keptSnapshot, sizeToKeep, snapshotOf } from './snapshots';

/** Of all files together that wait to be kept or undone. Bytes. */
const MAX_KEPT_TOTAL = 500 * 1024 * 1024;

export interface OpaqueChangesOptions {
  readonly files: WholeFiles;
  /** Where bytes are kept for Undo. */
  readonly bytes: ByteFolder;
  /** The turn of a session that runs, or that ran last; see `Hunk.turn`. */
  readonly turnOf: (sessionId: string) => string | undefined;
  readonly isGuarded: (path: string) => boolean;
  /** Asks before something of the person's own goes ("Delete"). */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  /** Tells the person what could not be done. */
  readonly report: (message: string) => void;
  /** Bytes that wait at most, of all files together. */
  readonly maxTotal?: number;
}

/**
 * Changes of agents that cannot be shown line by line: of binary files, of permissions, and of files of which nobody knows
 * what they held before. They are listed and kept like the others. Undo brings the bytes back where they were kept, else it says why not.
 */
export class OpaqueChanges extends Disposable {
  private readonly sessions = new Map<string, Map<string, OpaqueEntry>>();
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

  /** All that is known, to be kept over a restart. */
  get saved(): SavedOpaque['entries'] {
    return this.sessions;
  }

  /** Takes over what was kept; what was recorded since goes on from it. */
  restore(saved: SavedOpaque['entries']): void {
    for (const [sessionId, entries] of saved) {
      const changes = this.sessions.get(sessionId) ?? new Map<string, OpaqueEntry>();
      this.sessions.set(sessionId, changes);
      for (const [path, entry] of entries) {
        const since = changes.get(path);
        changes.set(path, since ? { ...since, before: entry.before } : entry);
      }
      this.changed(sessionId);
    }
  }

  has(sessionId: string, path: string): boolean {
    return this.sessions.get(sessionId)?.has(path) === true;
  }

  /** What is known of a file; another value once it was changed again. */
  get(sessionId: string, path: string): OpaqueEntry | undefined {
    return this.sessions.get(sessionId)?.get(path);
  }

  /** A file was changed; what it held before the first of several changes counts. */
  record(sessionId: string, path: string, before: FileContent | undefined, after: FileContent): void {
    const changes = this.sessions.get(sessionId) ?? new Map<string, OpaqueEntry>();
    this.sessions.set(sessionId, changes);
    const known = changes.get(path);
    const first = known ? known.before : before && this.keepBytes(before);
    const entry: OpaqueEntry = { before: first, after: snapshotOf(after), turn: this.options.turnOf(sessionId) };
    if (first && isSameSnapshot(first, entry.after) && isSameMode(first, entry.after)) changes.delete(path);
    else changes.set(path, entry);
    this.changed(sessionId);
  }

  /** A file or a folder has another name: its changes go with it. */
  moved(from: string, to: string): void {
    for (const [sessionId, changes] of this.sessions) {
      const inside = [...changes].filter(([path]) => path === from || path.startsWith(from + nodePath.sep));
      for (const [path, entry] of inside) {
        changes.delete(path);
        changes.set(to + path.slice(from.length), entry);
      }
      if (inside.length > 0) this.changed(sessionId);
    }
  }

  views(sessionId: string, cwd: string | undefined): ChangeView[] {
    return [...(this.sessions.get(sessionId) ?? [])].map(([path, entry]) => ({
      path,
      label: cwd === undefined ? path : labelOfPath(path, cwd),
      kind: kindOf(entry),
      added: 0,
      removed: 0,
      hunks: 0,
      conflicts: 0,
      note: noteOf(entry),
      ...(canUndo(entry) ? {} : { cannotUndo: true }),
      ...(this.options.isGuarded(path) ? { guarded: true } : {}),
    }));
  }

  /** The same as those changes that have lines, each file as a whole. */
  changes(sessionId: string): Change[] {
    return [...(this.sessions.get(sessionId) ?? [])].map(([path, entry]) => ({ path, kind: kindOf(entry), turn: entry.turn, baseline: undefined, current: undefined, hunks: [], rejected: [], added: 0, removed: 0, note: noteOf(entry) }));
  }

  keep(sessionId: string, path?: string): void {
    const changes = this.sessions.get(sessionId);
    if (changes) for (const each of path === undefined ? [...changes.keys()] : [path]) changes.delete(each);
    this.changed(sessionId);
  }

  /** Brings back what was there, after a question where someone has changed the file since. */
  async undo(sessionId: string, path?: string): Promise<void> {
    const changes = this.sessions.get(sessionId);
    if (!changes) return;
    const problems: string[] = [];
    for (const [file, entry] of [...changes].filter(([item]) => path === undefined || item === path)) {
      const name = nodePath.basename(file);
      try {
        // What an agent has made of it meanwhile waits still.
        if ((await this.bringBack(file, entry, name)) && changes.get(file) === entry) changes.delete(file);
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    this.changed(sessionId);
    if (problems.length > 0) this.options.report(problems.join('\n'));
  }

  /** @returns false where the person would rather not. @throws Error where it cannot be done. */
  private async bringBack(path: string, { before, after }: OpaqueEntry, name: string): Promise<boolean> {
    const { files, bytes, confirm } = this.options;
    if (!before) throw new Error('what was before is not known, so it stayed');
    const now = await this.standing(path);
    if (isSameSnapshot(before, after)) {
      // Only whether it is a program was changed, so what it holds now is not asked.
      if (now.kind === 'absent') throw new Error('it is not there any more');
      await files.setProgram(path, isProgramIn(before) === true);
      return true;
    }
    if (!canBringBack(before)) throw new Error('what it held is too large to be kept (over 50 MB, or over 500 MB together with others), so it stayed');
    if (isSameSnapshot(now, before) && isSameMode(now, before)) return true;
    const [question, action] = before.kind === 'absent' ? [`${name} was changed since the agent created it. Delete it?`, 'Delete'] : [`${name} was changed since the agent wrote it. Replace it by what was before the agent?`, 'Replace'];
    if (!isSameSnapshot(now, after) && !(await confirm(question!, action!))) return false;
    files.refuseUnsaved(path);
    // The question may have stood for long.
    if (!isSameSnapshot(now, await this.standing(path))) throw new Error('it was being changed at the same moment, so it stayed as it is');
    this.wrote(path, await files.put(path, before, bytes));
    return true;
  }

  private async standing(path: string): Promise<Snapshot> {
    const now = await this.options.files.look(path);
    if (!now) throw new Error('something else than a file stands there now, so it stayed as it is');
    return now;
  }

  private keepBytes(content: FileContent): Snapshot {
    const size = sizeToKeep(content) ?? 0;
    return this.total + size > (this.options.maxTotal ?? MAX_KEPT_TOTAL) ? snapshotOf(content) : keptSnapshot(content, this.options.bytes);
  }

  /** Bytes that are kept for what waits. */
  private get total(): number {
    const sizes = new Map<string, number>();
    for (const changes of this.sessions.values()) for (const { before } of changes.values()) if (before && before.kind !== 'absent' && before.kept) sizes.set(before.kept.name, before.kept.size);
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  private changed(sessionId: string): void {
    if (this.sessions.get(sessionId)?.size === 0) this.sessions.delete(sessionId);
    this.changeEmitter.fire();
  }
}

function kindOf({ before, after }: OpaqueEntry): Change['kind'] {
  return after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
}
