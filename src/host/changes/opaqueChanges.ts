import nodePath from 'node:path';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { ChangeView } from '../../protocol/changeView';
import type { Change } from '../../review/hunk';
import { canUndo, isSameMode, isSameSnapshot, noteOf, type OpaqueEntry, type SavedOpaque, type Snapshot } from '../../review/opaqueEntry';
import { labelOfPath } from '../../view/labels';
import type { ByteFolder } from '../storage/byteFolder';
import type { FileContent } from './disk/diskContent';
import type { WholeFiles } from './wholeFiles';
import type { WholeBefore } from './reviewGuard';
import { keptSnapshot, sizeToKeep, snapshotOf } from './checkpoints/snapshots';

/** Of all files together that wait to be kept or undone. Bytes. */
const MAX_KEPT_TOTAL = 500 * 1024 * 1024;

export interface OpaqueChangesOptions {
  readonly files: WholeFiles;
  /** Where bytes are kept for Undo. */
  readonly bytes: ByteFolder;
  /** The turn of a session that runs, or that ran last; see `Hunk.turn`. */
  readonly turnOf: (sessionId: string) => string | undefined;
  readonly isGuarded: (path: string) => boolean;
  /** Where a file was before an agent moved it. */
  readonly movedFrom: (path: string) => string | undefined;
  /** Asks before something of the person's own goes ("Delete"). */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  /** Tells the person what could not be done. */
  readonly report: (message: string) => void;
  /** A change is being recorded. @param waits what waited before it */
  readonly recorded?: (sessionId: string, path: string, before: WholeBefore | undefined, waits: OpaqueEntry | undefined, after: Snapshot) => void;
  /** Keeps what stands in files, because Undo takes its place now. @throws Error where that failed: then nothing may. */
  readonly replacing?: (sessionId: string, paths: readonly string[]) => Promise<void>;
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
  /** We have written a file ourselves, or changed its permissions. */
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

  /** Takes over what was kept; what was recorded since goes on from it. Told of in any case: moves of other files come with it. */
  restore(saved: SavedOpaque['entries']): void {
    for (const [sessionId, entries] of saved) {
      const changes = this.sessions.get(sessionId) ?? new Map<string, OpaqueEntry>();
      this.sessions.set(sessionId, changes);
      for (const [path, entry] of entries) {
        const since = changes.get(path);
        changes.set(path, since ? { ...since, before: entry.before } : entry);
      }
    }
    this.changeEmitter.fire();
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
    const kept = before && this.keepBytes(before);
    const first = known ? known.before : kept;
    const entry: OpaqueEntry = { before: first, after: snapshotOf(after), turn: this.options.turnOf(sessionId) };
    this.options.recorded?.(sessionId, path, kept && { snapshot: kept, text: before.kind === 'text' ? before.text : undefined }, known, entry.after);
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

  /** What waits in a file is this, or nothing: it was brought back. */
  set(sessionId: string, path: string, entry: OpaqueEntry | undefined): void {
    const changes = this.sessions.get(sessionId) ?? new Map<string, OpaqueEntry>();
    if (entry === undefined && !changes.has(path)) return;
    this.sessions.set(sessionId, changes);
    if (entry) changes.set(path, entry);
    else changes.delete(path);
    this.changed(sessionId);
  }

  /** What was kept waits again; what the agent has done since lies on top of it. */
  takeBack(sessionId: string, path: string, kept: OpaqueEntry): void {
    const since = this.get(sessionId, path);
    this.set(sessionId, path, since ? { ...since, before: kept.before } : kept);
  }

  /** The bytes to go back to stay, whether it waits or not, until the result is called. */
  hold({ before }: OpaqueEntry): () => void {
    return before && before.kind !== 'absent' && before.kept ? this.options.bytes.hold(before.kept) : () => undefined;
  }

  keep(sessionId: string, path?: string): void {
    const changes = this.sessions.get(sessionId);
    if (changes) for (const each of path === undefined ? [...changes.keys()] : [path]) changes.delete(each);
    this.changed(sessionId);
  }

  /** Brings back what was there, after a question where someone has changed a file since. What stands there is kept before. */
  async undo(sessionId: string, paths?: readonly string[]): Promise<void> {
    const changes = this.sessions.get(sessionId);
    if (!changes) return;
    const { OpaqueUndo } = await import('./opaqueUndo');
    await new OpaqueUndo(sessionId, changes, { ...this.options, wrote: (path, content) => this.wrote(path, content) }).run(paths);
    this.changed(sessionId);
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
