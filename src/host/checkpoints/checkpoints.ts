import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { CheckpointsView } from '../../protocol/changeView';
import type { CheckpointEvent, CheckpointLog, SaveReason, Version } from '../../review/checkpoints';
import type { StoreFiles } from '../stores/blobFolder';
import { digest } from '../stores/contentName';
import { digestOf, type FileMoment } from './fileMoment';
import type { ByteFiles, ByteFolder } from '../stores/byteFolder';
import type { Blobs, CheckpointStore } from '../lazy/checkpointStore';

export interface CheckpointsOptions {
  /** Where they are kept; absolute. */
  readonly folder: string;
  /** Time of the prompt that a session works on, or worked on last. */
  readonly promptOf: (sessionId: string) => number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where bytes lie that changes without lines wait with. */
  readonly bytes?: () => ByteFolder;
  /** The disk; a test has its own. */
  readonly files?: StoreFiles;
  readonly byteFiles?: ByteFiles;
}

/**
 * Records, wherever a change of an agent is recorded, what stood in the file before; and keeps what stands in files before
 * something of ours takes its place. Each moment is on disk before what follows it is done.
 */
export class Checkpoints extends Disposable {
  private readonly changeEmitter = this.register(new Emitter<void>());

  /** There is more to go back to, or less. */
  readonly onDidChange = this.changeEmitter.event;

  private opening: Promise<CheckpointStore> | undefined;
  private kept: CheckpointStore | undefined;

  constructor(private readonly options: CheckpointsOptions) {
    super();
  }

  /** Removes what is old. */
  async sweep(): Promise<void> {
    await (await this.openStore()).sweep(this.options.clock.now());
  }

  /** Nothing of a session may be left. */
  async forget(sessionId: string): Promise<void> {
    await (await this.openStore()).forget(sessionId);
  }

  /** An agent is about to change a file. Resolves when what stands there is on disk; a failure is logged, not thrown. */
  async before(sessionId: string, path: string, moment: FileMoment): Promise<void> {
    await this.touch(sessionId, this.prompt(sessionId), path, moment);
  }

  /** An agent has changed a file. `before` is what was known of it just before, whether or not it was told in advance. */
  changed(sessionId: string, path: string, before: FileMoment, after: string | undefined): void {
    if (digestOf(before) === digest(after)) return;
    const prompt = this.prompt(sessionId);
    void this.touch(sessionId, prompt, path, before);
    void this.record(sessionId, async () => ({ type: 'wrote', prompt, path, before: digestOf(before), after: digest(after) }));
  }

  /**
   * An agent has changed a file that has no lines, or its permissions.
   * @param before with its bytes where they are kept. @param after what it holds then, as `digestOf` tells it.
   */
  changedWhole(sessionId: string, path: string, before: FileMoment, after: string | null): void {
    const prompt = this.prompt(sessionId);
    const kept = before.whole && before.whole.kind !== 'absent' ? before.whole.kept : undefined;
    const release = kept && this.options.bytes?.().hold(kept);
    void this.touch(sessionId, prompt, path, before).finally(release);
    void this.record(sessionId, async () => ({ type: 'wrote', prompt, path, before: before.isUnknown ? null : digestOf(before), after }));
  }

  /** The person has given a file or a folder another name. */
  moved(from: string, to: string): void {
    for (const sessionId of this.kept?.known ?? []) void this.record(sessionId, async (log) => (log.has(from) ? { type: 'moved', from, to } : undefined), true);
  }

  /** Keeps files as they stand, because something takes their place now. @throws Error where that failed: then nothing may. */
  async keep(sessionId: string, reason: SaveReason, files: ReadonlyMap<string, FileMoment>, prompt?: number): Promise<string> {
    const id = randomUUID();
    await (await this.openStore()).change(sessionId, async (_log, blobs) => {
      const versions: [string, Version][] = [];
      for (const [path, moment] of files) versions.push([path, await blobs.keep(path, moment, this.options.bytes?.())]);
      return { type: 'saved', id, at: this.options.clock.now(), reason, files: versions, ...(prompt === undefined ? {} : { prompt }) };
    });
    this.changeEmitter.fire();
    return id;
  }

  /** A restore or a redo has left this in a file. */
  async left(sessionId: string, path: string, moment: Pick<FileMoment, 'text' | 'whole'>): Promise<void> {
    await this.record(sessionId, async () => ({ type: 'left', path, text: digestOf(moment) }));
  }

  async redone(sessionId: string, id: string): Promise<void> {
    await this.record(sessionId, async () => ({ type: 'redone', id }));
  }

  async log(sessionId: string): Promise<CheckpointLog> {
    return (await (await this.openStore()).open(sessionId)).log;
  }

  /** A file as it was. @throws Error where it cannot be read again. */
  async read(sessionId: string, version: Version): Promise<FileMoment> {
    return (await (await this.openStore()).open(sessionId)).blobs.read(version);
  }

  /** Where the bytes of a session's files are. */
  async bytesOf(sessionId: string): Promise<ByteFolder> {
    return (await (await this.openStore()).open(sessionId)).blobs.bytes;
  }

  /** What the panel shows of it; undefined until it was read, and where there is nothing to go back to. */
  view(sessionId: string): CheckpointsView | undefined {
    const log = this.kept?.peek(sessionId);
    if (!log) {
      void this.log(sessionId).then((read) => read.range && this.changeEmitter.fire());
      return undefined;
    }
    const { range, redoable } = log;
    if (!range) return undefined;
    // Whoever has asked for more since goes on from there.
    const stands = redoable?.prompt !== undefined && this.prompt(sessionId) <= redoable.at;
    return { ...range, ...(stands ? { restored: redoable.prompt } : {}) };
  }

  /** Read on first need. */
  private openStore(): Promise<CheckpointStore> {
    this.opening ??= import('../lazy/checkpointStore').then(({ CheckpointStore }) => (this.kept = new CheckpointStore(this.options.folder, this.options.log, this.options.files, this.options.byteFiles)));
    return this.opening;
  }

  private prompt(sessionId: string): number {
    return this.options.promptOf(sessionId) ?? 0;
  }

  private touch(sessionId: string, prompt: number, path: string, moment: FileMoment): Promise<void> {
    return this.record(sessionId, async (log, blobs) => {
      // What was recorded first counts; but permissions may be changed after the text.
      if (!log.needs(prompt, path) && (moment.mode === undefined || log.recorded(prompt, path)?.mode !== undefined)) return undefined;
      const before = await blobs.keep(path, moment, this.options.bytes?.());
      const known = log.recorded(prompt, path);
      return JSON.stringify(known) === JSON.stringify(before) ? undefined : { type: 'touched', prompt, path, before };
    });
  }

  private async record(sessionId: string, make: (log: CheckpointLog, blobs: Blobs) => Promise<CheckpointEvent | undefined>, isAlone = false): Promise<void> {
    try {
      await (await this.openStore()).change(sessionId, make, isAlone);
      this.changeEmitter.fire();
    } catch (error) {
      this.options.log.error(`A checkpoint could not be written: ${String(error)}`);
    }
  }
}
