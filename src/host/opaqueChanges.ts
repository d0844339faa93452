import nodePath from 'node:path';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { ChangeView } from '../protocol/viewModel';
import type { Change } from '../review/hunk';
import { canBringBack, canUndo, isBeyondKeeping, isProgramIn, isSameMode, isSameSnapshot, noteOf, type OpaqueEntry, type SavedOpaque, type Snapshot } from '../review/opaqueEntry';
import { labelOfPath } from '../view/labels';
import type { ByteFolder } from './byteFolder';
import type { FileContent } from './diskContent';
import type { WholeFiles } from './opaqueDisk';
import type { WholeBefore } from './reviewGuard';
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
  /** A change is being recorded. @param waits what waited before it */
  readonly recorded?: (sessionId: string, path: string, before: WholeBefore | undefined, waits: OpaqueEntry | undefined, after: Snapshot) => void;
  /** See `GuardOptions`. */
  readonly staysPut?: (sessionId: string, path: string) => Promise<void>;
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

  keep(sessionId: string, path?: string): void {
    const changes = this.sessions.get(sessionId);
    if (changes) for (const each of path === undefined ? [...changes.keys()] : [path]) changes.delete(each);
    this.changed(sessionId);
  }

  /** Brings back what was there, after a question where someone has changed a file since. What stands there is kept before. */
  async undo(sessionId: string, paths?: readonly string[]): Promise<void> {
    const changes = this.sessions.get(sessionId);
    if (!changes) return;
    const { staysPut, replacing, report } = this.options;
    const problems: string[] = [];
    const ready: Ready[] = [];
    const collect = async (path: string, work: () => Promise<unknown>) => {
      await work().catch((error: unknown) => problems.push(`${nodePath.basename(path)}: ${error instanceof Error ? error.message : String(error)}`));
    };
    for (const [path, entry] of [...changes].filter(([item]) => paths?.includes(item) !== false)) {
      await collect(path, async () => {
        await staysPut?.(sessionId, path);
        ready.push(...(await this.asked(path, entry)));
      });
    }
    try {
      await replacing?.(sessionId, ready.flatMap(({ path, now, isModeOnly }) => (isModeOnly || isBeyondKeeping(now) ? [] : path)));
    } catch (error) {
      report(`Nothing was undone, because what stands in the files could not be kept: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    for (const item of ready) {
      const { path, entry } = item;
      await collect(path, async () => {
        await staysPut?.(sessionId, path);
        await this.bringBack(item);
        // What an agent has made of it meanwhile waits still.
        if (changes.get(path) === entry) changes.delete(path);
      });
    }
    this.changed(sessionId);
    if (problems.length > 0) report(problems.join('\n'));
  }

  /** Asks what has to be asked. @returns nothing where the person would rather not. @throws Error where it cannot be undone. */
  private async asked(path: string, entry: OpaqueEntry): Promise<readonly Ready[]> {
    const { before, after } = entry;
    const { confirm, files } = this.options;
    const name = nodePath.basename(path);
    if (!before) throw new Error('what was before is not known, so it stayed');
    const now = await this.standing(path);
    const isModeOnly = isSameSnapshot(before, after);
    if (isModeOnly && now.kind === 'absent') throw new Error('it is not there any more');
    if (isModeOnly || isSameSnapshot(now, before)) return [{ path, entry, now, isModeOnly: true }];
    if (!canBringBack(before)) throw new Error('what it held is too large to be kept (over 50 MB, or over 500 MB together with others), so it stayed');
    files.refuseUnsaved(path);
    const question = before.kind === 'absent' ? `${name} was changed since the agent created it. Delete it?` : `${name} was changed since the agent wrote it. Replace it by what was before the agent?`;
    const action = before.kind === 'absent' ? 'Delete' : 'Replace';
    if (!isSameSnapshot(now, after) && !(await confirm(question, action))) return [];
    if (isBeyondKeeping(now) && !(await confirm(`${name} is too large to be kept for later (over 50 MB): this cannot be taken back.`, action))) return [];
    return [{ path, entry, now, isModeOnly: false }];
  }

  /** @throws Error where it cannot be done. */
  private async bringBack({ path, entry, now: asked, isModeOnly }: Ready): Promise<void> {
    const { files, bytes } = this.options;
    const before = entry.before!;
    const now = await this.standing(path);
    if (isModeOnly) {
      // What it holds is nobody's question here.
      if (!isSameMode(before, now)) await files.setProgram(path, isProgramIn(before) === true);
      return;
    }
    // The question may have stood for long.
    if (!isSameSnapshot(now, asked)) throw new Error('it was being changed at the same moment, so it stayed as it is');
    this.wrote(path, await files.put(path, before, bytes));
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

/** A file that may be undone. */
interface Ready {
  readonly path: string;
  readonly entry: OpaqueEntry;
  /** What stands there. */
  readonly now: Snapshot;
  /** Only the permissions are to be brought back. */
  readonly isModeOnly: boolean;
}

function kindOf({ before, after }: OpaqueEntry): Change['kind'] {
  return after.kind === 'absent' ? 'deleted' : before?.kind === 'absent' ? 'created' : 'modified';
}
