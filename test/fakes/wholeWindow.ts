import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Logger, silentLogger } from '../../src/base/log';
import type { Clock } from '../../src/base/scheduler';
import type { BeforeImages } from '../../src/host/changes/stored/beforeImages';
import { type StoreFiles, storeFiles } from '../../src/host/storage/storeFiles';
import { Checkpoints } from '../../src/host/changes/stored/checkpoints';
import { FileRestore } from '../../src/host/changes/fileRestore';
import { noDisk } from '../../src/host/changes/disk/diskAttribution';
import { ReviewContents } from '../../src/host/changes/stored/reviewContents';
import { ContentStore } from '../../src/host/storage/contentStore';
import { WholeUndo } from '../../src/host/changes/wholeUndo';
import { ReviewStore } from '../../src/host/changes/reviewStore';
import type { ReviewedFiles } from '../../src/host/changes/reviewedFiles';
import { BeforeImageRecorder } from '../../src/host/changes/beforeImageRecorder';
import { storedIn } from '../../src/changes/content';
import { Ledger } from '../../src/changes/ledger';
import { FakeClock } from './fakeClock';
import { contentAt, replaceOnDisk } from './wholeFiles';
import { type ContentInHand, textIn } from '../../src/host/storage/contentInHand';

/** The process was ended here. */
class Died extends Error {}

/** The real disk for a process that is ended at the step `dieAt`: of what is being written then, half is there. */
export class DyingDisk {
  steps = 0;
  dieAt = Infinity;

  readonly step = (half?: () => void): void => {
    if (this.steps++ < this.dieAt) return;
    if (this.steps === this.dieAt + 1) half?.();
    throw new Died();
  };

  /** Nothing happens any more after the end of the process. */
  assertAlive(): void {
    if (this.steps > this.dieAt) throw new Died();
  }

  private readonly write = (file: string, content: Uint8Array | string): void => {
    this.step(() => writeFileSync(file, content.slice(0, content.length / 2)));
    writeFileSync(file, content);
  };

  readonly files: StoreFiles = {
    ...storeFiles,
    makeFolder: async (folder) => {
      this.step();
      await storeFiles.makeFolder(folder);
    },
    write: async (file, content) => this.write(file, content),
    copy: async (from, to) => this.write(to, readFileSync(from)),
    append: async (file, content) => {
      this.step(() => writeFileSync(file, content.slice(0, content.length / 2), { flag: 'a' }));
      await storeFiles.append(file, content);
    },
    truncate: async (file, size) => {
      this.step();
      await storeFiles.truncate(file, size);
    },
    rename: async (from, to) => {
      this.step();
      await storeFiles.rename(from, to);
    },
    remove: async (path) => {
      this.step();
      await storeFiles.remove(path);
    },
    writeAt: async (file, offset, bytes) => {
      this.step(() => void storeFiles.writeAt(file, offset, bytes.subarray(0, bytes.length / 2)));
      await storeFiles.writeAt(file, offset, bytes);
    },
    removeSync: (file) => {
      this.step();
      storeFiles.removeSync(file);
    },
  };
}

export const session = 'session';

export interface WholeWindowOptions {
  readonly clock?: Clock;
  readonly images?: BeforeImages;
  readonly maxTotal?: number;
  readonly contents?: ContentStore;
}

/** A window with everything that keeps and brings back files, on a real disk and without an editor. */
export class WholeWindow {
  prompt = 1;
  readonly ledger = new Ledger();
  readonly asked: string[] = [];
  readonly reported: string[] = [];
  readonly unsaved = new Set<string>();
  agrees = true;
  /** Happens while a question stands. */
  whileAsked: () => void = () => undefined;
  readonly warnings: string[] = [];
  private readonly log: Logger = {
    ...silentLogger,
    warn: (message) => this.warnings.push(message),
    error: (message) => this.warnings.push(message),
  };
  readonly checkpoints: Checkpoints;
  readonly contents: ContentStore;
  readonly beside: ReviewContents;
  readonly store: ReviewStore;
  readonly recorder: BeforeImageRecorder;
  readonly restore: FileRestore;
  readonly files: Pick<ReviewedFiles, 'look' | 'replace'>;

  /** @param disk steps at which a test ends the process */
  constructor(
    readonly root: string,
    private readonly disk?: DyingDisk,
    { clock = new FakeClock(), images, maxTotal, contents: given }: WholeWindowOptions = {},
  ) {
    const files = disk ? { files: disk.files } : {};
    const saving = { schedule: () => this.store.schedule(), save: () => this.store.save() };
    this.contents = given ?? new ContentStore(join(root, 'store/contents'), this.log, disk?.files);
    this.beside = new ReviewContents(this.contents, saving, maxTotal);
    const { contents, beside } = this;
    this.store = new ReviewStore({
      folder: join(root, 'store/review'),
      contents,
      parts: {
        review: () => new Map([[session, this.ledger.saved]]),
        beside,
        ...(images ? { images: () => images } : {}),
      },
      clock,
      log: this.log,
      ...files,
    });
    this.checkpoints = new Checkpoints({
      folder: join(root, 'store/checkpoints'),
      contents,
      promptOf: () => this.prompt,
      clock,
      log: silentLogger,
      ...files,
    });
    const replace = replaceOnDisk(this.unsaved, disk?.step);
    this.files = {
      look: async (path) => contentAt(path),
      replace: (_id, path, expected, next) => {
        this.disk?.assertAlive();
        return replace(path, expected, next);
      },
    };
    this.recorder = new BeforeImageRecorder(
      { checkpoints: this.checkpoints, contents: beside },
      {
        ...this.files,
        ledger: () => this.ledger,
        isOnlyUnsaved: async () => false,
        disk: noDisk,
        changed: () => {},
        publish: () => {},
        wholes: () => [...this.ledger.saved.values()].flatMap(({ whole }) => whole ?? []),
      },
    );
    this.restore = new FileRestore(this.recorder, this.checkpoints, silentLogger);
  }

  /** Takes over what an earlier window has kept. */
  async open(): Promise<number> {
    await this.store.open(async (saved) => this.ledger.restore(saved.get(session) ?? new Map()));
    return 0;
  }

  /** Undo of changes of files as a whole. @param paths all where absent */
  undoWhole(paths: readonly string[] = this.ledger.paths): Promise<void> {
    const confirm = async (message: string) => {
      this.asked.push(message);
      this.whileAsked();
      return this.agrees;
    };
    const report = (message: string) => void this.reported.push(...message.split('\n'));
    return new WholeUndo(session, this.ledger, this.beside, this.files, this.recorder, { confirm, report }, (path) =>
      this.ledger.setWhole(path, undefined),
    ).run(paths);
  }

  /** The agent changed a file as a whole. */
  record(path: string, before: ContentInHand | undefined, after: ContentInHand): void {
    this.recorder.replaced(session, path, before, after, { turn: 'e5' });
  }

  /** The user agrees to all. */
  keepAll(): void {
    for (const path of this.ledger.paths) this.ledger.keep(path);
    this.store.schedule();
  }

  write(path: string, content: Buffer | string, mode?: number): void {
    this.disk?.assertAlive();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (mode !== undefined) chmodSync(path, mode);
  }

  /** An agent does something to files, and it is seen. */
  agent(paths: readonly string[], work: () => void): void {
    const before = paths.map((path) => contentAt(path));
    work();
    for (const [i, path] of paths.entries()) {
      const [old, now] = [before[i]!, contentAt(path)];
      if (
        old.kind !== 'binary' &&
        now.kind !== 'binary' &&
        !(old.kind === 'text' && now.kind === 'text' && old.text === now.text)
      ) {
        this.recorder.changed(session, path, old, textIn(now));
        this.ledger.agentWrote(path, textIn(old), textIn(now));
      } else this.record(path, old, now);
    }
  }

  async restoreTo(prompt: number): Promise<string[]> {
    const { files, problems } = await this.restore.plan(
      session,
      (await this.checkpoints.log(session)).since(prompt),
      prompt,
    );
    const failed = await this.restore.carryOut(session, files, 'restore', prompt);
    return [
      ...files.map(
        ({ path, kind, note, isEdited }) =>
          `${kind} ${this.name(path)}${note ? ` (${note})` : ''}${isEdited ? ' edited' : ''}`,
      ),
      ...problems,
      ...failed,
    ]
      .map((row) => row.replace(`${this.root}/p/`, ''))
      .sort();
  }

  async redo(): Promise<string[]> {
    const { redoable } = await this.checkpoints.log(session);
    const { files, problems } = await this.restore.plan(session, redoable!.files);
    const failed = await this.restore.carryOut(session, files, 'redo');
    await this.checkpoints.redone(session, redoable!.id);
    return [...problems, ...failed];
  }

  waits(): string[] {
    return this.ledger.changes.map(({ kind, path }) => `${kind} ${this.name(path)}`).sort();
  }

  name(path: string): string {
    return path.slice(this.root.length + 3);
  }

  /** All contents that can be got at: in files, in what waits, in checkpoints. */
  async reachable(): Promise<Buffer[]> {
    const found: Buffer[] = [];
    for (const name of readdirSync(join(this.root, 'p'), { recursive: true, withFileTypes: true }))
      if (name.isFile()) found.push(readFileSync(join(name.parentPath, name.name)));
    for (const { whole } of this.ledger.saved.values())
      for (const stored of storedIn(whole?.before)) found.push(await this.contents.read(stored));
    const log = await this.checkpoints.log(session);
    for (const { content } of [
      ...log.prompts.flatMap((prompt) => [...log.since(prompt).values()]),
      ...log.saves.flatMap(({ files }) => [...files.values()]),
    ])
      for (const stored of storedIn(content)) found.push(await this.contents.read(stored));
    return found;
  }

  async close(): Promise<void> {
    await this.checkpoints.log(session);
    await this.contents.settled().catch(() => undefined);
    this.store.flushSync();
    // A save that had begun before would still write while the folder is removed.
    await this.store.settled().catch(() => undefined);
    this.store.dispose();
    this.checkpoints.dispose();
  }
}
